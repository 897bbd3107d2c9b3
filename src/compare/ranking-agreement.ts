import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { rankIds, runQueries, resolveConventions, type RunInput } from "../evaluate/index.js";
import { checkCompared, checkOptions, type JudgedUnit, type RankingAgreement } from "../records/index.js";
import { exactMean, roundTo4 } from "../foundation/numbers/index.js";
import { jaccard, kendallTau, rankBiasedOverlap, tauAp } from "../stats/index.js";
import { matchPositions } from "../stats/internal.js";

/** How rankings are compared without judgments. */
export interface AgreementOptions {
  /** Looked at by Jaccard's index, and how deep everything else looks. Default 10, and all hits. */
  readonly cutoff?: number | undefined;
  readonly depth?: number | undefined;
  /** How patient the reader of rank-biased overlap is. Default 0.9. */
  readonly persistence?: number | undefined;
  readonly unit?: JudgedUnit | undefined;
}

const CUTOFF = 10;
const PERSISTENCE = 0.9;
/** What two empty rankings are, and a ranking and itself. */
const SAME = 1;

/**
 * How alike are the rankings of two runs? Without judgments, query by query, those that changed most first.
 *
 * A query that only one run answers has an overlap of 0; two empty rankings are the same. Correlations are
 * over the items that both rankings have; null for fewer than two.
 */
export function rankingAgreement(
  a: { readonly name: string; readonly run: RunInput },
  b: { readonly name: string; readonly run: RunInput },
  options: AgreementOptions = {},
): RankingAgreement {
  const {
    cutoff = CUTOFF,
    depth = Infinity,
    persistence = PERSISTENCE,
    unit = "doc",
  } = checkKnownOptions(options, ["cutoff", "depth", "persistence", "unit"]);
  checkOptions({ unit });
  wholeNumber("cutoff", cutoff);
  checkCompared([a, b], "the two runs");
  for (const { name } of [a, b])
    if (typeof name !== "string")
      throw new InputError("ARGUMENT", `rankingAgreement: each run needs a \`name\`, got ${quote(name)}`);
  if (depth !== Infinity) wholeNumber("depth", depth);
  const conventions = resolveConventions({});
  const [rankA, rankB] = [a, b].map(({ run }) => rankIds(run, unit, conventions)) as [
    (id: string) => string[],
    (id: string) => string[],
  ];
  const ids = [...new Set([...runQueries(a.run, unit), ...runQueries(b.run, unit)])].sort(compareIds);
  const queries = ids.map((query_id) => {
    const [first, second] = [rankA(query_id).slice(0, depth), rankB(query_id).slice(0, depth)];
    const shared = matchPositions(first, second);
    const { tauB } = shared.first.length < 2 ? { tauB: null } : kendallTau(shared.first, shared.second);
    return {
      query_id,
      rbo: overlapOf(first, second, persistence),
      jaccard: jaccard(first, second, cutoff) ?? SAME,
      kendall_tau: tauB,
      tau_ap: shared.first.length < 2 ? null : tauAp(first, second),
      hits_a: first.length,
      hits_b: second.length,
      shared: shared.first.length,
    };
  });
  const mean = (of: (query: (typeof queries)[number]) => number | null): number | null => {
    const values = queries.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : roundTo4(exactMean(values));
  };
  return {
    schema_version: 1,
    kind: "ranking_agreement",
    run_a: a.name,
    run_b: b.name,
    settings: { cutoff, depth: Number.isFinite(depth) ? depth : null, persistence },
    means: {
      rbo: mean(({ rbo }) => rbo),
      jaccard: mean((query) => query.jaccard),
      kendall_tau: mean(({ kendall_tau }) => kendall_tau),
      tau_ap: mean(({ tau_ap }) => tau_ap),
    },
    per_query: queries.sort((x, y) => x.rbo - y.rbo || compareIds(x.query_id, y.query_id)),
  };
}

/** Further down, nothing shows in the 4 decimals of a report. */
const OVERLAP_DEPTH = 100;

/** How alike each ranking is to the first one. */
export function overlapsOf(rankings: readonly (readonly string[])[]): number[] {
  const [first = [], ...others] = rankings.map((ids) => ids.slice(0, OVERLAP_DEPTH));
  return [SAME, ...others.map((top) => overlapOf(first, top, PERSISTENCE))];
}

function overlapOf(first: readonly string[], second: readonly string[], persistence: number): number {
  return rankBiasedOverlap(first, second, persistence).extrapolated ?? SAME;
}
