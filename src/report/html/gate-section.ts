import type { GateReport } from "../../schema/index.js";
import { gateSummary } from "../ci-findings.js";
import { html, named, nothing, type Markup } from "./markup.js";

/** What a gate says: the outcome, then a row for each rule and run. */
export function gateSection(gate: GateReport): Markup {
  const rows = gate.rules.map(({ rule, run, value, passed, why }) => {
    const mark = passed ? html`<span class="mark better"><span aria-hidden="true">✓</span> passed</span>` : html`<span class="mark worse"><span aria-hidden="true">✗</span> failed</span>`;
    return html`<tr><td>${mark}</td><th scope="row">${named(rule)}</th><td>${run === null ? nothing : named(run)}</td><td class="n">${value ?? "—"}</td><td>${why}</td></tr>`;
  });
  return html`<section id="gate" aria-labelledby="h-gate"><h2 id="h-gate">Gate</h2><p class="headline">${gateSummary(gate)}</p><div class="scroll" role="region" aria-labelledby="h-gate" tabindex="0"><table><thead><tr><th scope="col"><span class="sr">Outcome</span></th><th scope="col">Rule</th><th scope="col">Run</th><th scope="col" class="n">Value</th><th scope="col">Why</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
