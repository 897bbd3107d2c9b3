import {
  aggregateFieldNames,
  type AggregateMetrics,
  checkOptions,
  type CompareReport,
  type Deltas,
  type EvalRun,
  type GivenWarning,
  type Golden,
  type GoldenQuery,
  goldenChunkerVersion,
  type Outcome,
  type QueryComparison,
  shouldRefuse,
} from "../records/index.js";
import {
  Aggregator,
  firstHitRank,
  spansMissing,
  spansUnknown,
  type AnswerVerdict,
  type JudgedQuery,
  type RunJudge,
} from "../golden/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { roundTo4 } from "../foundation/numbers/index.js";
import { isSecretText, REDACTED } from "../foundation/text/index.js";
import type { CompareOptions } from "./compare-options.js";
import { configDiff } from "./config-diff.js";
import { judgeRuns } from "./judge-runs.js";
import { RunStatistics } from "./run-statistics.js";
import { ownValue } from "../foundation/checks/index.js";

/**
 * Run a (the baseline) and run b against one golden set: scores of both, their differences, and what became
 * of every query.
 *
 * When the runs' chunkers differ, chunk ids cannot match; then both runs, and both aggregates, are matched by
 * document and span, so that the differences mean something.
 *
 * @throws InputError as `computeAggregate` does; `COMPARE_CHUNKER_VERSION` when the chunkers differ and
 * `strictChunkerVersion` is set.
 */
export function compareRuns(
  runA: EvalRun,
  runB: EvalRun,
  golden: Golden,
  options: CompareOptions = {},
): CompareReport {
  checkOptions(options);
  const {
    judges,
    versions: [versionA, versionB],
    docSpan,
  } = judgeRuns([runA, runB], golden, options);
  const [judgeA, judgeB] = judges as [RunJudge, RunJudge];
  const versions = { a: versionA ?? null, b: versionB ?? null };
  const aggregatorA = new Aggregator(judgeA, options);
  const aggregatorB = new Aggregator(judgeB, options);
  const { statistics: tests, ...others } = options;
  const statistics =
    tests === false
      ? null
      : new RunStatistics(
          [runA, runB],
          [aggregatorA, aggregatorB],
          { ...others, statistics: tests },
          docSpan,
        );
  const bothAnswer = [runA, runB].every(({ results }) => results.some(({ answer }) => answer != null));
  const unplaced: string[] = [];
  const perQuery = judgeA.queries.flatMap((query) => {
    const [a, b] = [judgeA.judge(query), judgeB.judge(query)];
    const [ofA, ofB] = [aggregatorA.add(a), aggregatorB.add(b)];
    statistics?.add([a, b], [ofA, ofB]);
    const verdicts = { a: ofA.answer, b: ofB.answer };
    const absent = [a, b].filter(({ result }) => result === null).length;
    // As in the scores, which may leave out queries without a result.
    if (absent > (options.missingQueries === "skip" ? 0 : 1)) return [];
    const fellBack = docSpan?.isUnplaced(query) === true;
    if (fellBack) unplaced.push(query.id);
    return [
      {
        ...compareQuery(a, b, fellBack),
        answer_gained: bothAnswer ? listGainedChecks(verdicts.a, verdicts.b, query) : [],
        answer_lost: bothAnswer ? listGainedChecks(verdicts.b, verdicts.a, query) : [],
      },
    ];
  });
  const [aggregateA, aggregateB] = [aggregatorA.result(), aggregatorB.result()];
  return {
    schema_version: 1,
    run_a: runA.run_id,
    run_b: runB.run_id,
    aggregate_a: aggregateA,
    aggregate_b: aggregateB,
    deltas: {
      chunker_version_match: docSpan === null ? "exact" : "fallback_doc_span",
      ...scoreDeltas(aggregateA, aggregateB),
    },
    counts: countKinds(perQuery),
    per_query: perQuery,
    causes: causes(runA, runB, versions),
    config_diff: configDiff(runA.config_snapshot, runB.config_snapshot),
    fallback_queries: unplaced.length,
    statistics: statistics?.comparison([aggregateA, aggregateB], false) ?? null,
    warnings: docSpan === null ? [] : spanWarnings(versions, golden, unplaced, [judgeA, judgeB]),
  };
}

function compareQuery(
  a: JudgedQuery,
  b: JudgedQuery,
  fellBack: boolean,
): Omit<QueryComparison, "answer_gained" | "answer_lost"> {
  const rankA = firstHitRank(a);
  const rankB = firstHitRank(b);
  const foundA = a.foundChunks;
  const foundB = b.foundChunks;
  const kind = outcome(rankA, rankB);
  const notes = [
    describeRankChange(rankA, rankB),
    fellBack ? "spans unknown, matched by document" : null,
    a.result === null ? "only in run b" : b.result === null ? "only in run a" : null,
  ].filter((note) => note !== null);
  return {
    query_id: a.query.id,
    query: a.query.query,
    kind,
    a_hit_rank: rankA,
    b_hit_rank: rankB,
    note: notes.length === 0 ? null : notes.join("; "),
    gained_chunks: a.chunkIds.filter((id) => foundB.has(id) && !foundA.has(id)).sort(compareIds),
    lost_chunks: a.chunkIds.filter((id) => foundA.has(id) && !foundB.has(id)).sort(compareIds),
  };
}

/**
 * What the second answer got right and the first did not, an answer that is missing among them. An answer
 * that had to be refused gains nothing by what it could have cited.
 */
function listGainedChecks(
  before: AnswerVerdict,
  after: AnswerVerdict,
  query: GoldenQuery,
): QueryComparison["answer_gained"] {
  return (["refusal", "text", "citations"] as const).filter(
    (check) =>
      after[check] === true &&
      before[check] !== true &&
      (check !== "citations" || before.citations === false || !shouldRefuse(query)),
  );
}

function outcome(a: number | null, b: number | null): Outcome {
  if (a === b) return "draw";
  if (b === null) return "regression";
  return a === null || b < a ? "win" : "loss";
}

function describeRankChange(a: number | null, b: number | null): string | null {
  if (a === null || a === b) return null;
  return b === null ? "hit→miss" : `rank ${a}→${b}`;
}

function countKinds(perQuery: readonly QueryComparison[]): CompareReport["counts"] {
  const counts = { win: 0, loss: 0, regression: 0, draw: 0 };
  for (const { kind } of perQuery) counts[kind]++;
  return counts;
}

function scoreDeltas(a: AggregateMetrics, b: AggregateMetrics): Omit<Deltas, "chunker_version_match"> {
  return Object.fromEntries(
    [...aggregateFieldNames, "metrics" as const].map((field) => [
      field,
      difference(a[field] as Scores, b[field] as Scores),
    ]),
  ) as Omit<Deltas, "chunker_version_match">;
}

type Scores = number | null | undefined | Readonly<Record<string, number>>;

/** b - a of stored values, score by score in a map; null where either side is null. */
function difference(a: Scores, b: Scores): unknown {
  if (a == null || b == null) return null;
  if (typeof a === "number" || typeof b === "number") return roundTo4((b as number) - (a as number));
  return Object.fromEntries(Object.keys(a).map((key) => [key, difference(a[key], ownValue(b, key))]));
}

/** The parts of a configuration that are known to move results, by their paths in the snapshot. */
const KNOWN_CAUSES: readonly (readonly [cause: string, ...path: string[]])[] = [
  ["embedding model", "embedding", "model"],
  ["prompt template version", "prompt_template_version"],
  ["LLM", "llm", "model_id"],
  ["index version", "index_version"],
];

function causes(
  runA: EvalRun,
  runB: EvalRun,
  versions: { a: string | null; b: string | null },
): CompareReport["causes"] {
  const known = KNOWN_CAUSES.map(([cause, ...path]) => ({
    cause,
    key: path.at(-1) as string,
    a: leafText(runA.config_snapshot, path),
    b: leafText(runB.config_snapshot, path),
  }));
  return [{ cause: "chunker version", key: "chunker_version", ...versions }, ...known]
    .filter(({ a, b }) => a !== b)
    .map(({ cause, key, a, b }) => ({ cause, a: describeCause(a, key), b: describeCause(b, key) }));
}

function describeCause(text: string | null, key: string): string | null {
  return text !== null && isSecretText(text, key) ? REDACTED : text;
}

function leafText(snapshot: unknown, path: readonly string[]): string | null {
  let node = snapshot;
  for (const key of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return null;
    node = (node as Record<string, unknown>)[key];
  }
  // What is no single value is left to the list of differing leaves.
  return typeof node === "string" || typeof node === "number" ? String(node) : null;
}

function spanWarnings(
  { a, b }: { a: string | null; b: string | null },
  golden: Golden,
  unplaced: readonly string[],
  judges: readonly RunJudge[],
): GivenWarning[] {
  const withoutSpans = judges.reduce((sum, { matcher }) => sum + (matcher.hitsWithoutSpans?.() ?? 0), 0);
  return [
    {
      code: "CHUNKERS_DIFFER" as const,
      message:
        (a === b
          ? `the golden set is of another chunker (${goldenChunkerVersion(golden)}) than the runs (${a})`
          : `the chunkers differ (${a ?? "unknown"} and ${b ?? "unknown"})`) +
        ": hits of both runs were matched by document and span, not by chunk id",
    },
    ...spansUnknown(unplaced),
    ...spansMissing(withoutSpans),
  ];
}
