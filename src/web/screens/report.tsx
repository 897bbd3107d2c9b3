import type { JSX } from "preact";
import { ReportSections } from "../parts/section.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { routeTo } from "../route.js";
import { useData } from "../use-data.js";
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
  if (history.data !== null && !isChosen)
    return (
      <Empty>
        A comparison needs two batches, and there are fewer.{" "}
        <a href={routeTo("batches", collection)}>Run another.</a>
      </Empty>
    );
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Comparing every query" />;
  return (
    <>
      <p class="quiet">
        {`${data.title} · `}
        <a href={routeTo("queries", collection, { run: b, baseline: a })}>every query</a>
        {isLabelled && " · "}
        {isLabelled && <a href={routeTo("label", collection)}>label what could decide it</a>}
      </p>
      <ReportSections report={data} />
    </>
  );
}

/** A screen that is a report: trust, builds, tuning. */
export function ReportScreen({
  source,
  collection,
  name,
  empty,
}: ScreenProps & { name: "trust" | "builds" | "tune"; empty: string }): JSX.Element {
  const { data, error, reload } = useData(`${name} ${collection}`, () => source.report(collection, name));
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Reading" />;
  if (data.sections.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <p class="quiet">{data.title}</p>
      <ReportSections report={data} />
    </>
  );
}
