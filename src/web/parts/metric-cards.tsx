import type { JSX } from "preact";
import type { WorkbenchAnswer } from "../../records/index.js";
import { metricGroups } from "./metric-groups.js";
import { MetricName } from "./metric-name.js";
import { printScore } from "./printed.js";

/** Metrics of a group that stand on the first screen. */
const FIRST = 2;

/** The scores of one query as cards, a group of metrics each. */
export function MetricCards({ answers }: { answers: readonly WorkbenchAnswer[] }): JSX.Element {
  const groups = metricGroups(Object.keys(answers[0]?.scores ?? {}));
  const count = groups.reduce((sum, { names }) => sum + names.length, 0);
  const isCut = groups.some(({ names }) => names.length > FIRST);
  const cards = (most: number): JSX.Element => (
    <div class="cards" style={{ "--answers": answers.length }}>
      {groups.map(({ title, names }) => (
        <table class="narrow">
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="sr">metric</span>
              </th>
              {answers.map(({ run }, at) => (
                <th scope="col" class="n" title={run}>
                  {run === "now" ? "live" : at === answers.length - 1 && at > 0 ? "before" : "now"}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.slice(0, most).map((name) => (
              <tr>
                <th scope="row">
                  <MetricName name={name} />
                </th>
                {answers.map(({ scores }, at) => (
                  <td class={at === 0 ? "n" : "n quiet"}>{printScore(scores[name] ?? null)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
  return (
    <section aria-label="Scores of this query">
      {cards(FIRST)}
      {isCut && (
        <details>
          <summary>All {count} metrics</summary>
          {cards(count)}
        </details>
      )}
    </section>
  );
}
