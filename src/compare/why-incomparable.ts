import { quote } from "../foundation/errors/index.js";
import { countOf, formatShare } from "../foundation/numbers/index.js";
import {
  areMoreFailed,
  describeFailedShare,
  FEWEST_PAIRS,
  type ComparisonSettings,
  type Conventions,
} from "../records/index.js";
import { hasMetric, type ScoreTable } from "./score-table.js";

/** What makes a run incomparable with the baseline, in sentences. */
export function whyIncomparable(
  baseline: ScoreTable,
  run: ScoreTable,
  settings: ComparisonSettings,
): string[] {
  return [...differing(baseline, run), ...failing([baseline, run], settings)];
}

function differing(a: ScoreTable, b: ScoreTable): string[] {
  const [setA, setB] = [a.conventions ?? null, b.conventions ?? null];
  const conventions =
    setA === null || setB === null
      ? []
      : (Object.keys(setA) as (keyof Conventions)[]).filter((key) => setA[key] !== setB[key]);
  // Further metrics of one run take nothing from the comparison of those that both have.
  const isShared = a.metrics.some(({ name }) => hasMetric(b, name));
  const [ofA, ofB] = [a, b].map(
    ({ metrics: columns }) => columns.map(({ name }) => name).join(", ") || "no metric",
  );
  const metrics =
    isShared || a.metrics.length + b.metrics.length === 0
      ? []
      : [`${a.run} has ${ofA ?? ""}, ${b.run} has ${ofB ?? ""}.`];
  const cards = a.metrics.flatMap(({ name, card }) =>
    b.metrics
      .filter(
        (other) =>
          other.name === name &&
          JSON.stringify([other.card.higher_is_better, other.card.range]) !==
            JSON.stringify([card.higher_is_better, card.range]),
      )
      .map(() => `${name} has another direction or range in ${b.run}.`),
  );
  return [
    ...[a, b]
      .filter(({ isAnswering }) => isAnswering === false)
      .map(({ run }) => `${run} answers none of the queries; do the query ids agree?`),
    ...fewInCommon(a, b),
    ...(a.golden !== undefined && b.golden !== undefined && a.golden !== b.golden
      ? ["The runs were held against different golden sets."]
      : []),
    ...conventions.map(
      (key) =>
        `The convention ${key} is ${String(setA?.[key])} for ${a.run} and ${String(setB?.[key])} ` +
        `for ${b.run}.`,
    ),
    ...metrics,
    ...cards,
  ];
}

/** Queries of one run only count as its loss, but runs that share hardly any were asked something else. */
function fewInCommon(a: ScoreTable, b: ScoreTable): string[] {
  const known = new Set(a.queryIds);
  const common = b.queryIds.filter((id) => known.has(id)).length;
  return common >= FEWEST_PAIRS || common === Math.max(a.queryIds.length, b.queryIds.length)
    ? []
    : [
        `${a.run} and ${b.run} have ` +
          `${common === 0 ? "no query" : common === 1 ? "only 1 query" : `only ${common} queries`} ` +
          `in common; at least ${FEWEST_PAIRS} are needed.`,
      ];
}

/** A crash is not a loss of quality: scores of a run that mostly failed say nothing about its ranking. */
function failing(tables: readonly ScoreTable[], { max_failed_share }: ComparisonSettings): string[] {
  return tables.flatMap(({ run, failedResults }) => {
    if (failedResults == null) return [];
    // What fails elsewhere says nothing of what was compared.
    const compared = failedResults.compared ?? failedResults;
    if (!areMoreFailed(compared, max_failed_share)) return [];
    const [first] = failedResults.failures;
    const times = first?.count === 1 ? "once" : countOf(first?.count ?? 0, "time");
    const most =
      first === undefined
        ? ""
        : `, ${compared === failedResults ? times : "of all its results most"} with ${quote(first.message)}`;
    return [
      `${describeFailedShare(compared, run)}${most}; with more than ${formatShare(max_failed_share)} ` +
        "failed a run cannot be compared.",
    ];
  });
}
