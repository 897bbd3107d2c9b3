import { DASH } from "./dash.js";
import { countOf, formatCount, formatP, formatShare } from "../foundation/numbers/index.js";
import type { JudgeProbes, LabelAudit, ProbeResult } from "../records/index.js";
import { formatMeasure, formatTenths } from "./audit-numbers.js";
import { reportSection, type ReportSection } from "./report-section.js";

/** How much of each list is shown. */
export interface AuditRowsOptions {
  readonly maxRows: number;
}

const PROBES: Readonly<Record<ProbeResult["probe"], string>> = {
  query_words: "query words put in",
  instruction: "an order hidden",
  length: "length",
  position: "place in the request",
  company: "company",
  wording: "wording of the prompt",
};
const ANSWERS = ["graded", "cannot_tell", "invalid", "refused"] as const;

/** The parts of an audit that have anything to say, in order. */
export function auditSections(audit: LabelAudit, options: AuditRowsOptions): ReportSection[] {
  return [
    agreementSection(audit),
    confusionSection(audit),
    gradesSection(audit),
    answersSection(audit),
    spreadSection(audit),
    probesSection(audit),
    conclusionsSection(audit, options),
    disagreementsSection(audit, options),
    queriesSection(audit, options),
    outliersSection(audit, options),
    settingsSection(audit),
  ].filter(({ lines, rows }) => lines.length + rows.length > 0);
}

function agreementSection({
  agreement,
  counts,
  settings,
  ceiling,
  first,
  second,
}: LabelAudit): ReportSection {
  const { kappa, quadratic_kappa, bias } = agreement;
  const interval = ({ low, high }: LabelAudit["agreement"]["kappa"], isSigned = false): string =>
    low === null || high === null
      ? DASH
      : `${formatMeasure(low, isSigned)} to ${formatMeasure(high, isSigned)}`;
  const rows = [
    ["Cohen's kappa", formatMeasure(kappa.value), interval(kappa), DASH],
    [
      "quadratic kappa",
      formatMeasure(quadratic_kappa.value),
      interval(quadratic_kappa),
      formatMeasure(ceiling?.quadratic_kappa ?? null),
    ],
    [
      "Krippendorff's alpha, ordinal",
      formatMeasure(agreement.alpha_ordinal),
      DASH,
      formatMeasure(ceiling?.alpha_ordinal ?? null),
    ],
    ["Krippendorff's alpha, interval", formatMeasure(agreement.alpha_interval), DASH, DASH],
    ["Krippendorff's alpha, nominal", formatMeasure(agreement.alpha_nominal), DASH, DASH],
    [`bias: ${second.name} minus ${first.name}`, formatMeasure(bias.value, true), interval(bias, true), DASH],
    ["mean distance, in grades", formatMeasure(agreement.mean_absolute_error), DASH, DASH],
    ["same grade", formatTenths(agreement.exact), DASH, DASH],
  ];
  return reportSection(
    "agreement",
    "Agreement",
    "lrrr",
    ["", "value", `${formatShare(settings.confidence)} interval`, "people with each other"],
    counts.both === 0 ? [] : rows,
  );
}

function confusionSection({ agreement, first, second, counts, false_relevant }: LabelAudit): ReportSection {
  if (counts.both === 0) return reportSection("confusion", "Confusion", "", [], []);
  const { pairs, lifted, low, high } = false_relevant;
  return reportSection(
    "confusion",
    "Confusion",
    `l${"r".repeat(agreement.scale.length)}`,
    ["", ...agreement.scale.map((grade) => `${second.name} ${grade}`)],
    agreement.confusion.map((row, at) => [`${first.name} ${agreement.scale[at] ?? ""}`, ...row.map(String)]),
    {
      lines: [
        `Rows: the grade of ${first.name}. Columns: that of ${second.name}.`,
        pairs === 0
          ? `Nothing here is Irrelevant to ${first.name}.`
          : `Of ${countOf(pairs, "pair")} that are Irrelevant to ${first.name}, ${second.name} gives 2 ` +
            `or 3 to ${lifted} (${formatTenths(lifted / pairs)}, ` +
            `${formatTenths(low)} to ${formatTenths(high)}).`,
      ],
    },
  );
}

function gradesSection({ by_grade, counts, first, second }: LabelAudit): ReportSection {
  return reportSection(
    "grades",
    "By grade",
    "lrrrrrrr",
    [
      "grade",
      first.name,
      "share",
      second.name,
      "share",
      `${second.name} finds`,
      `${first.name} confirms`,
      "bias",
    ],
    counts.both === 0
      ? []
      : [...by_grade]
          .reverse()
          .map((each) => [
            String(each.grade),
            String(each.first),
            formatTenths(each.first_share),
            String(each.second),
            formatTenths(each.second_share),
            formatTenths(each.recall),
            formatTenths(each.precision),
            formatMeasure(each.bias, true),
          ]),
  );
}

function answersSection({ answers, first, second, counts }: LabelAudit): ReportSection {
  const row = (name: string, told: LabelAudit["answers"]["first"]): string[] => [
    name,
    ...ANSWERS.map((outcome) => String(told[outcome])),
  ];
  return reportSection(
    "answers",
    "Answers",
    "lrrrr",
    ["", "graded", "cannot tell", "invalid", "refused"],
    counts.first + counts.second === 0
      ? []
      : [row(first.name, answers.first), row(second.name, answers.second)],
  );
}

function spreadSection({ by_spread, second }: LabelAudit): ReportSection {
  return reportSection(
    "spread",
    "By how far votes lie apart",
    "lrrr",
    ["spread", "pairs", "same grade", "mean distance"],
    by_spread.map(({ spread, pairs, same, mean_absolute_error }) => [
      String(spread),
      String(pairs),
      formatShare(same / pairs),
      formatMeasure(mean_absolute_error),
    ]),
    { lines: by_spread.length === 0 ? [] : [`Largest minus smallest vote of ${second.name} on one pair.`] },
  );
}

function probesSection({ probes }: LabelAudit): ReportSection {
  if (probes === null) return reportSection("probes", "Probes", "", [], []);
  return reportSection(
    "probes",
    "Probes",
    "llrrrrrrrl",
    ["probe", "variant", "pairs", "changed", "asked again", "lifted to 2", "shift", "excess", "p", ""],
    probes.results.map((result) => [
      PROBES[result.probe],
      result.variant,
      String(result.pairs),
      String(result.changed),
      String(result.unsteady),
      `${result.lifted} of ${result.below_2}`,
      formatMeasure(result.shift, true),
      formatMeasure(result.excess, true),
      formatP(result.p),
      result.is_alarm ? "moves grades" : "",
    ]),
    { lines: probeLines(probes) },
  );
}

function probeLines(probes: JudgeProbes): string[] {
  const { steadiness, requests, answers, limits, skipped, judge } = probes;
  const asked = ANSWERS.reduce((sum, outcome) => sum + answers[outcome], 0);
  const steady =
    steadiness.pairs === 0
      ? []
      : [
          `Asked the same twice, ${judge} says the same of ${steadiness.unchanged} of ` +
            `${steadiness.pairs} pairs (${formatShare(steadiness.unchanged / steadiness.pairs)}), and ` +
            `changes a grade by ${formatMeasure(steadiness.mean_change)} on average.`,
        ];
  return [
    `${countOf(requests, "request")}, ${asked - answers.graded} of ${countOf(asked, "answer")} without ` +
      "a grade. Shift: the changed grade minus the grade as it was; excess: minus the grade when asked " +
      `the same again. A probe moves grades where p is at most ${limits.p} and the excess at least ` +
      `${limits.excess}.`,
    ...steady,
    ...skipped.map(({ probe, reason }) => `Not run: ${probe}; ${reason}.`),
  ];
}

function conclusionsSection(
  { conclusions, first, second }: LabelAudit,
  { maxRows }: AuditRowsOptions,
): ReportSection {
  if (conclusions === null) return reportSection("conclusions", "Conclusions", "", [], []);
  const { metric, queries, systems, near } = conclusions;
  const best =
    conclusions.best_first === conclusions.best_second
      ? `Both find ${conclusions.best_first} the best`
      : `${first.name} finds ${conclusions.best_first} the best, ${second.name} ${conclusions.best_second}`;
  return reportSection(
    "conclusions",
    "Conclusions",
    "lrr",
    ["system", first.name, second.name],
    systems.map((system) => [system.name, system.first.toFixed(4), system.second.toFixed(4)]),
    {
      most: maxRows,
      lines: [
        `${metric} over ${countOf(queries, "query")}: Kendall's tau ` +
          `${formatMeasure(conclusions.kendall_tau)}, tau-ap ${formatMeasure(conclusions.tau_ap)}.`,
        `${best}; in ${formatShare(conclusions.best_changes)} of resamples of queries no system is the ` +
          "best by both.",
        `${conclusions.wrong_signs} of ${countOf(conclusions.pairs, "pair")} of systems are in the ` +
          `other order; ` +
          (near.pairs === 0
            ? `none are within ${near.below} of each other.`
            : `of ${near.pairs} within ${near.below} of each other ${near.wrong_signs}.`),
      ],
    },
  );
}

function disagreementsSection(
  { disagreements, counts, agreement, first, second }: LabelAudit,
  { maxRows }: AuditRowsOptions,
): ReportSection {
  const differing = Math.round(counts.both * (1 - (agreement.exact ?? 1)));
  return reportSection(
    "disagreements",
    "Worst disagreements",
    "lllrrll",
    ["query", "text", "item", first.name, second.name, `why, ${first.name}`, `why, ${second.name}`],
    disagreements.map((pair) => [
      pair.query_id,
      pair.query ?? "",
      withTitle(pair.item, pair.title),
      String(pair.first),
      String(pair.second),
      pair.first_reason ?? "",
      pair.second_reason ?? "",
    ]),
    {
      most: maxRows,
      lines: disagreements.length === 0 ? [] : [`${differing} of ${countOf(counts.both, "pair")} differ.`],
    },
  );
}

function queriesSection({ by_query }: LabelAudit, { maxRows }: AuditRowsOptions): ReportSection {
  return reportSection(
    "by-query",
    "By query, the worst first",
    "llrrrrr",
    ["query", "text", "pairs", "same grade", "quadratic kappa", "mean distance", "bias"],
    by_query.map((each) => [
      each.query_id,
      each.query ?? "",
      String(each.pairs),
      formatShare(each.same / each.pairs),
      formatMeasure(each.quadratic_kappa),
      formatMeasure(each.mean_absolute_error),
      formatMeasure(each.bias, true),
    ]),
    { most: maxRows },
  );
}

function outliersSection({ outliers, second }: LabelAudit, { maxRows }: AuditRowsOptions): ReportSection {
  return reportSection(
    "outliers",
    "Labels that are worth a look",
    "lllll",
    ["query", "text", "what", "title", "items"],
    outliers.map((outlier) => [
      outlier.query_id,
      outlier.query ?? "",
      outlier.kind === "same_title"
        ? "one title, several labels"
        : `Irrelevant, and first in ${outlier.systems.join(", ")}`,
      outlier.title ?? "",
      outlier.items.map(({ item, grade }) => `${item}: ${grade}`).join(", "),
    ]),
    { most: maxRows, lines: outliers.length === 0 ? [] : [`By the labels of ${second.name}.`] },
  );
}

function settingsSection({ settings, audit_id, created_at, tenant, probes }: LabelAudit): ReportSection {
  const { resamples, seed, confidence } = settings;
  return reportSection("made", "How it was made", "", [], [], {
    lines: [
      `Audit ${audit_id} of ${created_at}, tenant ${tenant}. Intervals of ${formatShare(confidence)} have ` +
        "at each end the wider one of Student's t by the jackknife and of percentiles over " +
        `${formatCount(resamples)} resamples of whole queries, seed ${seed}` +
        (probes === null
          ? "."
          : `; probes have seed ${probes.seed}, ${probes.batch_size} items in a request.`),
    ],
  });
}

function withTitle(item: string, title: string | null): string {
  return title === null || title === item ? item : `${item}: ${title}`;
}
