import type { GateReport } from "../../records/index.js";
import { gateSummary, ruleWhy } from "../ci-findings.js";
import { condition } from "./condition.js";
import { html, bdi, type Markup } from "./markup.js";

/** What a gate says: the outcome, then each rule with the run that it was held against. */
export function gateSection(gate: GateReport, areComparable = true): Markup {
  const rows = gate.rules.map((found) => {
    const { rule, run, passed } = found;
    const title = run === null ? bdi(rule) : html`${bdi(rule)} (${bdi(run)})`;
    return condition(title, passed, html`${ruleWhy(found)}`);
  });
  return html`
    <section id="gate" aria-labelledby="h-gate">
      <h2 id="h-gate">Gate</h2>
      <p class="headline">${gateSummary(gate, areComparable)}</p>
      <dl class="conditions">${rows}</dl>
    </section>
  `;
}
