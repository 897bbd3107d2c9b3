import { countOf, formatShare } from "../foundation/numbers/index.js";
import type { LabelAudit } from "../records/index.js";
import { formatMeasure, formatTenths } from "./audit-numbers.js";

/** What an audit is of, in a line. */
export function auditTitle({ first, second, dataset }: LabelAudit): string {
  return `Audit of ${dataset}: ${second.name} against ${first.name}`;
}

/** The first things to know: what is wrong, how far labels agree, and how far people do. */
export function auditSummary(audit: LabelAudit): string[] {
  const { counts, agreement, first, second, ceiling, findings, probes } = audit;
  const stale =
    counts.stale === 0
      ? []
      : [`${countOf(counts.stale, "label")} of items that have changed since are left out.`];
  const wrong = findings.map(({ sentence }) => sentence);
  const tried =
    probes === null || findings.length > 0
      ? []
      : probes.results.length === 0
        ? ["No probe could be run."]
        : ["No probe moves its grades."];
  if (counts.both === 0) return [...wrong, nothingShared(audit), ...stale, ...tried];
  const { quadratic_kappa, bias, exact } = agreement;
  return [
    ...wrong,
    quadratic_kappa.value === null
      ? "Both use one grade only, so that there is no kappa."
      : `Quadratic kappa ${formatBounds(quadratic_kappa, audit)}. Of the grades ${formatTenths(exact)} ` +
        "are the same, which alone says nothing.",
    `${countOf(counts.both, "pair")} of ${countOf(counts.queries, "query")} ` +
      `${counts.both === 1 ? "has" : "have"} a grade of both ${first.name} and ${second.name}.`,
    `Bias ${formatBounds(bias, audit, true)}: ${biasWords(bias, second.name)}.`,
    ceiling === null
      ? "No two people graded the same pair, so that it is not known how well people agree with each other."
      : `${countOf(ceiling.raters, "person", "people")} agree with each other on ` +
        `${countOf(ceiling.pairs, "pair")} with a quadratic kappa of ` +
        `${formatMeasure(ceiling.quadratic_kappa)}, for comparison.`,
    ...stale,
    ...tried,
  ];
}

/** Whether the second rater gives higher grades, as far as its interval says. */
function biasWords({ low, high }: LabelAudit["agreement"]["bias"], name: string): string {
  if (low !== null && high !== null && low > 0) return `${name} is more generous`;
  if (low !== null && high !== null && high < 0) return `${name} is stricter`;
  return `it is not shown that ${name} is more generous or stricter`;
}

/** Why there is nothing to compare. */
function nothingShared({ counts, first, second }: LabelAudit): string {
  if (counts.both === 0 && counts.stale > 0 && counts.first * counts.second === 0)
    return "All labels of one of both are of items that have changed since.";
  const nobody = [...(counts.first === 0 ? [first] : []), ...(counts.second === 0 ? [second] : [])].map(
    ({ kind, name }) =>
      kind === "people" ? "No person has labelled anything" : `${name} has labelled nothing`,
  );
  if (nobody.length === 0)
    return (
      `${first.name} and ${second.name} have no pair with a grade of both, so that nothing can be ` +
      "compared."
    );
  const next =
    counts.first === 0 && first.kind === "people"
      ? " `rankproof audit sample` writes a sheet for people."
      : " `rankproof label build` labels.";
  return `${nobody.join(", and ")}.${next}`;
}

/** A value and its interval, in a sentence. */
function formatBounds(
  { value, low, high }: LabelAudit["agreement"]["kappa"],
  { settings }: LabelAudit,
  isSigned = false,
): string {
  const interval =
    low === null || high === null
      ? ""
      : ` (${formatShare(settings.confidence)} interval ${formatMeasure(low, isSigned)} to ` +
        `${formatMeasure(high, isSigned)})`;
  return `${formatMeasure(value, isSigned)}${interval}`;
}
