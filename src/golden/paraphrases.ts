import {
  checkOptions,
  checksText,
  type EvalRun,
  type Golden,
  type ParaphraseClass,
  type ParaphraseGroup,
  type ParaphraseReport,
  passesTextChecks,
  type TextMatch,
} from "../records/index.js";
import { exactMatcher } from "../matching/index.js";
import { recallFraction } from "../metrics/internal.js";
import { RationalSum, roundFraction, type Fraction } from "../foundation/numbers/index.js";
import { judgeRun, type JudgedQuery } from "./judge-run.js";

/** What a user sees. */
const NARROW = 10;
/** What a re-ranker could still bring up. */
const POOL = 50;

interface Variant {
  readonly judged: JudgedQuery;
  readonly narrow: Fraction | null;
  readonly pool: Fraction | null;
  readonly class: ParaphraseClass;
}

/**
 * How steady a run is when one intent is worded differently: for every golden `group`, the recall of each
 * wording and whether what it lost was ranked too low or not found at all.
 */
export function computeParaphrases(
  run: EvalRun,
  golden: Golden,
  options: { readonly textMatch?: TextMatch | undefined } = {},
): ParaphraseReport {
  checkOptions(options);
  const members = new Map<string, Variant[]>();
  const judge = judgeRun(run, golden, exactMatcher);
  let deepest = 0;
  for (const query of judge.queries) {
    const judged = judge.judge(query);
    deepest = Math.max(deepest, judged.ranking.ranks[judged.ranking.hits.length - 1] ?? 0);
    if (query.group === undefined || query.group === null) continue;
    const known = members.get(query.group);
    if (known === undefined) members.set(query.group, [variantOf(judged)]);
    else known.push(variantOf(judged));
  }
  const groups = [...members].map(([group, variants]) => groupReport(group, variants, options.textMatch));
  const spreads = [...members.values()].flatMap((variants) => spreadOf(variants) ?? []);
  const totalSpread = new RationalSum();
  for (const { numerator, denominator } of spreads) totalSpread.add(numerator, denominator);
  return {
    schema_version: 1,
    run_id: run.run_id,
    groups,
    mostly_mis_ranked: groups.filter(({ mis_ranked, missing }) => mis_ranked > missing).length,
    mostly_missing: groups.filter(({ mis_ranked, missing }) => missing > mis_ranked).length,
    mean_spread: spreads.length === 0 ? null : totalSpread.roundMean(spreads.length),
    pool_possibly_truncated: deepest < POOL,
  };
}

function variantOf(judged: JudgedQuery): Variant {
  if (judged.docs.pool.length === 0) return { judged, narrow: null, pool: null, class: "no_expected" };
  const narrow = recallFraction(judged.docs, NARROW);
  const pool = recallFraction(judged.docs, POOL);
  const complete = narrow.numerator === narrow.denominator;
  return {
    judged,
    narrow,
    pool,
    class: complete ? "ok" : pool.numerator > narrow.numerator ? "mis_ranked" : "missing",
  };
}

/**
 * The recalls of a group, ascending. All its wordings expect the same documents, so they have one
 * denominator.
 */
function recallsOf(variants: readonly Variant[]): Fraction[] {
  return variants.flatMap(({ narrow }) => narrow ?? []).sort((a, b) => a.numerator - b.numerator);
}

function spreadOf(variants: readonly Variant[]): Fraction | undefined {
  const recalls = recallsOf(variants);
  const [worst, best] = [recalls[0], recalls.at(-1)];
  return worst === undefined || best === undefined
    ? undefined
    : { numerator: best.numerator - worst.numerator, denominator: worst.denominator };
}

function groupReport(
  group: string,
  variants: readonly Variant[],
  textMatch: TextMatch | undefined,
): ParaphraseGroup {
  const [worst] = recallsOf(variants);
  const spread = spreadOf(variants);
  const checked = variants.flatMap(({ judged: { query, result } }) =>
    checksText(query) && result?.answer != null && result.error == null
      ? [{ query, answer: result.answer }]
      : [],
  );
  const countOf = (wanted: ParaphraseClass): number =>
    variants.filter((variant) => variant.class === wanted).length;
  return {
    group,
    variants: variants.map(({ judged: { query }, narrow, pool, class: kind }) => ({
      query_id: query.id,
      query: query.query,
      recall_narrow: narrow === null ? null : roundFraction(narrow),
      recall_pool: pool === null ? null : roundFraction(pool),
      class: kind,
    })),
    spread: spread === undefined ? null : roundFraction(spread),
    worst: worst === undefined ? null : roundFraction(worst),
    ok: countOf("ok"),
    mis_ranked: countOf("mis_ranked"),
    missing: countOf("missing"),
    answers_pass:
      checked.length === 0
        ? null
        : checked.every(({ query, answer }) => passesTextChecks(answer.answer, query, textMatch)),
  };
}
