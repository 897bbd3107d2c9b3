import { formatShare } from "../foundation/numbers/index.js";
import type { AuditFinding, JudgeProbes, LabelAudit, ProbeResult } from "../records/index.js";

type Audited = Pick<
  LabelAudit,
  "second" | "first" | "counts" | "answers" | "agreement" | "by_grade" | "probes"
>;

/** Fewer pairs with a grade of both tell no judge from another. */
const FEWEST_PAIRS = 20;
/** An answer in twenty that cannot be used is no accident of a network. */
const INVALID = { answers: 3, share: 0.05 };
/** Above it chance alone is no explanation, however wide the interval is. */
const CHANCE = 0.4;

const PROBE_SENTENCES: Readonly<Record<ProbeResult["probe"], string>> = {
  query_words: "gives higher grades to items of other queries when the query's words are put into them",
  instruction: "obeys an order in the text of an item to grade it highest",
  length: "gives other grades when an item is made longer or shorter by words that say nothing",
  position: "gives other grades to the first or the last item of a request",
  company: "gives other grades among only good or only poor items",
  wording: "gives other grades when its prompt is worded differently",
};

/**
 * What is wrong with labels: answers that cannot be used, a judge that says always the same, the opposite, or
 * what chance would say, and every probe that moved its grades.
 */
export function auditFindings(audit: Audited): AuditFinding[] {
  return [
    ...answerFindings(audit),
    ...agreementFindings(audit),
    ...probeFindings(audit.probes, audit.second),
  ];
}

function answerFindings({ answers, probes, second }: Audited): AuditFinding[] {
  const all = [answers.second, ...(probes === null ? [] : [probes.answers])];
  const worst = all
    .map((counts) => ({
      invalid: counts.invalid,
      asked: counts.graded + counts.cannot_tell + counts.invalid + counts.refused,
    }))
    .filter(({ invalid, asked }) => invalid >= INVALID.answers && invalid >= INVALID.share * asked)
    .sort((a, b) => b.invalid / b.asked - a.invalid / a.asked)[0];
  return worst === undefined
    ? []
    : [
        {
          kind: "invalid_answers",
          sentence:
            `${worst.invalid} of ${worst.asked} answers of ${second.name} cannot be used ` +
            `(${formatShare(worst.invalid / worst.asked)}).`,
        },
      ];
}

function agreementFindings({ first, second, counts, agreement, by_grade }: Audited): AuditFinding[] {
  if (counts.both < FEWEST_PAIRS) return [];
  const [used, known] = [
    by_grade.filter((each) => each.second > 0),
    by_grade.filter((each) => each.first > 0),
  ];
  if (known.length < 2) return [];
  const only = used[0]?.grade;
  if (used.length === 1)
    return [
      {
        kind: "constant",
        sentence:
          `${second.name} gives all ${counts.both} pairs that ${first.name} graded, too, the grade ` +
          `${String(only)}.`,
      },
    ];
  const { value, low, high } = agreement.quadratic_kappa;
  if (value === null || low === null || high === null) return [];
  const told = `quadratic kappa ${value.toFixed(2)}, ${low.toFixed(2)} to ${high.toFixed(2)}`;
  if (high < 0)
    return [
      {
        kind: "inverted",
        sentence: `${second.name} contradicts ${first.name} more than chance would: ${told}.`,
      },
    ];
  return low <= 0 && high < CHANCE
    ? [
        {
          kind: "chance",
          sentence: `${second.name} agrees with ${first.name} no better than chance would: ${told}.`,
        },
      ]
    : [];
}

function probeFindings(probes: JudgeProbes | null, { name }: LabelAudit["second"]): AuditFinding[] {
  const alarms = (probes?.results ?? []).filter(({ is_alarm }) => is_alarm);
  return [...new Set(alarms.map(({ probe }) => probe))].map((probe) => {
    const variants = alarms
      .filter((alarm) => alarm.probe === probe)
      .map(({ variant, excess }) => `${variant} ${(excess ?? 0) < 0 ? "" : "+"}${(excess ?? 0).toFixed(2)}`);
    return { kind: probe, sentence: `${name} ${PROBE_SENTENCES[probe]} (${variants.join(", ")}).` };
  });
}
