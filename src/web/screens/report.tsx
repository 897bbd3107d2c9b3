import type { ComponentChildren, JSX } from "preact";
import type { WorkbenchJob, WorkbenchReport, WorkbenchSection } from "../../records/index.js";
import { Jobs } from "../parts/jobs.js";
import { Prose } from "../parts/prose.js";
import { ReportSections } from "../parts/section.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { routeTo } from "../route.js";
import { useData } from "../use-data.js";
import { useJobs, type WatchedJobs } from "../use-jobs.js";
import { useStepKeys } from "../use-keys.js";
import type { ScreenProps } from "./screen.js";

/** `#/compare?a&b`: the sections of the report of two batches. */
export function CompareScreen({ source, session, collection, route }: ScreenProps): JSX.Element {
  const history = useData(`history ${collection}`, () => source.history(collection));
  const [latest, before] = history.data?.batches ?? [];
  const a = route.search["a"] ?? before?.id;
  const b = route.search["b"] ?? latest?.id;
  const kind = session.collections.find(({ id }) => id === collection)?.kind;
  const isLabelled = kind === "dataset" && !session.is_read_only;
  const isChosen = a !== undefined && b !== undefined;
  const { data, error, reload } = useData(`compare ${collection} ${a} ${b}`, async () =>
    isChosen ? source.compare(collection, a, b) : null,
  );
  useStepKeys("[data-query-id] a");
  if (history.data !== null && !isChosen)
    return (
      <Empty>
        A comparison needs two batches, and there are fewer.{" "}
        {source.local === null && <a href={routeTo("batches", collection)}>Run another.</a>}
      </Empty>
    );
  if (history.error !== null && !isChosen) return <Problem error={history.error} onRetry={history.reload} />;
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Comparing every query" />;
  return (
    <>
      <p class="quiet">
        Baseline {a}, this batch {b} ·{" "}
        <a href={routeTo("queries", collection, { run: b, baseline: a })}>every query</a>
        {isLabelled && " · "}
        {isLabelled && <a href={routeTo("label", collection)}>label what could decide it</a>}
      </p>
      <ReportSections
        sections={data.sections}
        addressOf={(query, section) =>
          isLabelled && section === "judge-next"
            ? routeTo("label", collection, { query })
            : routeTo("query", collection, { run: b, baseline: a }, query)
        }
      />
    </>
  );
}

/** What a screen that is a report has of its own, above the report. */
export interface ReportHead {
  readonly work: WatchedJobs;
  /** Null until it is there. */
  readonly report: WorkbenchReport | null;
  /** To be called when the report has changed. */
  readonly reload: () => void;
}

/** A screen that is a report: trust, builds, tuning. What it is about can be started above it. */
export function ReportScreen({
  source,
  collection,
  name,
  empty,
  kinds,
  first,
  head,
}: Pick<ScreenProps, "source" | "collection"> & {
  name: "trust" | "builds" | "tune";
  empty: string;
  /** Ids of the sections that answer the question: they stand above what can be started, side by side. */
  first: readonly string[];
  /** Work whose end changes the report. */
  kinds: readonly WorkbenchJob["kind"][];
  head: (given: ReportHead) => ComponentChildren;
}): JSX.Element {
  const { data, error, reload } = useData(`${name} ${collection}`, () => source.report(collection, name));
  const work = useJobs(source, collection, reload);
  const sections = data?.sections ?? [];
  const isFirst = ({ id }: WorkbenchSection): boolean => first.includes(id);
  // A report that begins with a sentence needs no other above it.
  const isSaid = data?.conclusion !== undefined || sections.some(({ id }) => id === "summary");
  return (
    <>
      {data !== null && data.sections.length > 0 && (
        <>
          {data.conclusion !== undefined && (
            <p class="headline">
              <Prose text={data.conclusion} />
            </p>
          )}
          <p class={isSaid ? "quiet" : "headline"}>
            <Prose text={data.title} />
          </p>
        </>
      )}
      {data !== null && data.sections.length === 0 && <Empty>{empty}</Empty>}
      {/* What came of work that is done stands in the report. */}
      <Jobs source={source} work={work} kinds={kinds} isDoneShown={data?.sections.length === 0} />
      {error !== null && <Problem error={error} onRetry={reload} />}
      {error === null && data === null && <Loading what="Reading" />}
      <div class="first">
        <ReportSections sections={sections.filter(isFirst)} />
      </div>
      {head({ work, report: data, reload })}
      <ReportSections sections={sections.filter((section) => !isFirst(section))} />
    </>
  );
}
