import { formatCount } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import type { WorkbenchVerdict } from "../../records/index.js";
import { Jobs } from "../parts/jobs.js";
import { MetricName, PrimaryMeaning } from "../parts/metric-name.js";
import { localTime, printDifference, printScore, zone } from "../parts/printed.js";
import { Prose } from "../parts/prose.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { toneOf, VerdictLine } from "../parts/verdict-line.js";
import { routeTo } from "../route.js";
import { useJobs } from "../use-jobs.js";
import { useStepKeys } from "../use-keys.js";
import { useOverview } from "../use-overview.js";
import type { ScreenProps } from "./screen.js";

/** `#/`: one sentence of verdict, one of trust, and what to do next. */
export function OverviewScreen({ source, collection }: ScreenProps): JSX.Element {
  const { data, error, reload, isRenewing } = useOverview(source, collection);
  const work = useJobs(source, collection, reload);
  useStepKeys("tbody a");
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Comparing the last two batches" />;
  const { verdict, trust, batches } = data;
  // Without a server no batch is run: runs are opened.
  const next = source.local !== null && data.next?.route.endsWith("/batches") === true ? null : data.next;
  return (
    <>
      <section class="lead-section" aria-labelledby="h-verdict">
        <h2 id="h-verdict" class="sr">
          Did the last change help?
        </h2>
        {verdict === null ? (
          <p class="headline" data-painted="verdict">
            <Prose text={data.without ?? ""} />
          </p>
        ) : (
          <LastChange
            verdict={verdict}
            // What is said of the labels has a place of its own.
            reasons={verdict.reasons
              .filter((reason) => trust?.sentences.includes(reason) !== true)
              .slice(0, 2)}
            collection={collection}
          />
        )}
        {isRenewing && (
          <p class="quiet small" role="status">
            Labels or batches have come since; it is being compared again…
          </p>
        )}
      </section>
      {next !== null && (
        <section class="next" aria-labelledby="h-next">
          <h2 id="h-next">Do this next</h2>
          <p>
            <Prose text={next.text} />{" "}
            <a class="button" href={`#${next.route}`}>
              {next.action}
            </a>
          </p>
        </section>
      )}
      {trust !== null && (
        <section aria-labelledby="h-trust">
          <h2 id="h-trust">{trust.title}</h2>
          {trust.sentences.map((sentence) => (
            <p>
              <Prose text={sentence} />
            </p>
          ))}
        </section>
      )}
      <Jobs source={source} work={work} />
      <section aria-labelledby="h-batches">
        <h2 id="h-batches">Last batches</h2>
        {batches.length === 0 ? (
          <Empty>No batch yet.</Empty>
        ) : (
          <div class="scroll" role="region" aria-label="Table of the last batches" tabIndex={0}>
            <table class="narrow">
              <thead>
                <tr>
                  <th scope="col">Batch</th>
                  <th scope="col">When ({zone()})</th>
                  <th scope="col" class="n">
                    <MetricName name={batches[0]?.primary} />
                  </th>
                  <th scope="col" class="n">
                    Queries
                  </th>
                </tr>
              </thead>
              <tbody>
                {batches.map((batch) => (
                  <tr key={batch.id}>
                    <th scope="row">
                      {batch.is_stored ? (
                        <a href={routeTo("queries", collection, { run: batch.id })}>{batch.id}</a>
                      ) : (
                        batch.id
                      )}
                    </th>
                    <td class="when">{localTime(batch.created_at)}</td>
                    <td class="n">
                      {printScore(batch.mean)}
                      {batch.mean !== null && batch.primary !== batches[0]?.primary && (
                        <span class="quiet"> {batch.primary}</span>
                      )}
                    </td>
                    <td class="n">
                      {formatCount(batch.queries)}
                      {batch.failed > 0 && <span class="worse"> {batch.failed} failed</span>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </>
  );
}

function LastChange({
  verdict,
  reasons,
  collection,
}: {
  verdict: WorkbenchVerdict;
  reasons: readonly string[];
  collection: string;
}): JSX.Element {
  const { kind, baseline, run, metric, mean_a, mean_b, difference, is_corrected } = verdict;
  return (
    <>
      <VerdictLine verdict={verdict} painted="verdict" />
      {reasons.map((reason) => (
        <p class="quiet">
          <Prose text={reason} />
        </p>
      ))}
      {kind !== "not_comparable" && metric !== null && (
        <dl class="figures">
          <div>
            <dt>
              <MetricName name={metric} />
              {is_corrected && " by the model"}, baseline → this batch
            </dt>
            <dd>
              {printScore(mean_a)} <span class="quiet">→</span> {printScore(mean_b)}
            </dd>
          </div>
          {/* Else it stands in the headline. */}
          {is_corrected && (
            <div>
              <dt>Difference, corrected by people's labels</dt>
              <dd class={toneOf(verdict)}>{printDifference(difference)}</dd>
            </div>
          )}
          <div>
            <dt>Queries: better, equal, worse</dt>
            <dd>
              <span class="better">{`▲ ${formatCount(verdict.improved)} `}</span>
              <span class="quiet">{`= ${formatCount(verdict.equal)} `}</span>
              <span class="worse">{`▼ ${formatCount(verdict.worse)}`}</span>
            </dd>
          </div>
        </dl>
      )}
      <PrimaryMeaning of={metric} />
      <p>
        <a href={routeTo("compare", collection, { a: baseline, b: run })}>The whole comparison</a>
      </p>
    </>
  );
}
