import { modeIn } from "../bench-names.js";
import { InputError, shown } from "../errors.js";
import { compareIds } from "../ids.js";
import { roundTo4 } from "../numbers/index.js";
import type { BenchDecision, BenchEvidence, BenchMode, BenchTier } from "../schema/index.js";
import { bootstrapInterval, mean, pairsNeeded, standardDeviation } from "../stats/index.js";
import { BASELINE } from "./contender.js";

/** When embeddings earn their keep. */
export interface DecisionOptions {
  /** The gain of nDCG over `fts_only` that its interval must lie above. Default 0. */
  readonly margin?: number | undefined;
  /** Share of the intervals. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Highest 95th percentile of milliseconds. Default 200. */
  readonly latencyBudgetMs?: number | undefined;
  /** Of the resamples. Default 1. */
  readonly seed?: number | undefined;
  /** Of the bootstrap. Default 10,000. */
  readonly resamples?: number | undefined;
}

type Settled = { readonly [K in keyof DecisionOptions]-?: number };

const DEFAULTS: Settled = { margin: 0, confidence: 0.95, latencyBudgetMs: 200, seed: 1, resamples: 10_000 };
/** Resamples of fewer cases only repeat them. */
const FEWEST_CASES = 5;
const LEAST_RESAMPLES = 100;

/**
 * Do embeddings earn their keep? By the stored scores of every case, the first rule that holds:
 *
 * 1. `hybrid` improves and is within the latency budget: keep hybrid.
 * 2. `embedding_only` improves, is within the budget, and hybrid does not beat it: keep embedding_only.
 * 3. A mode improves, but only over the budget: fall back to fts_only (`latency`).
 * 4. The upper end of every interval is at or below the margin: fall back to fts_only (`no_gain`).
 * 5. Otherwise it is inconclusive, and fts_only stays.
 *
 * A mode improves where the interval of its nDCG minus that of `fts_only` lies above the margin, and that of the hit rate not below 0. Intervals are
 * BCa bootstraps over cases. With fewer than 5 cases nothing can be told. Decided is by the live tier where it was measured.
 *
 * @returns null without `fts_only`, or without any of the other two.
 * @throws InputError `ARGUMENT` for settings that are not possible.
 */
export function decideBench(modes: readonly BenchMode[], options: DecisionOptions = {}): BenchDecision | null {
  const settings = settled(options);
  const find = (name: string): BenchMode | undefined => modes.find(({ mode }) => mode === name);
  const baseline = find(BASELINE);
  const tier: BenchTier = find(modeIn("live_shadow", "hybrid")) !== undefined || find(modeIn("live_shadow", "embedding_only")) !== undefined ? "live_shadow" : "offline";
  const [hybrid, embedding] = [find(modeIn(tier, "hybrid")), find(modeIn(tier, "embedding_only"))];
  const rivals = [hybrid, embedding].filter((mode) => mode !== undefined);
  if (baseline === undefined || rivals.length === 0) return null;
  const evidence = rivals.map((mode) => evidenceOf(baseline, mode, settings));
  const ofHybrid = hybrid && evidence[0];
  const ofEmbedding = embedding && evidence.at(-1);
  const isBeaten = hybrid !== undefined && embedding !== undefined && (gainOf(embedding, hybrid, NDCG, settings)?.low ?? 0) > settings.margin;
  const decided = (rule: BenchDecision["rule"], outcome: BenchDecision["outcome"], run: string, headline: string, reasons: readonly string[], cases_needed: number | null = null): BenchDecision => ({
    outcome,
    rule,
    run,
    tier,
    headline,
    reasons: [...reasons, ...rivals.concat(baseline).flatMap(failuresInWords), ...evidence.map((each) => inWords(each, settings))],
    margin: settings.margin,
    confidence: settings.confidence,
    latency_budget_ms: settings.latencyBudgetMs,
    seed: settings.seed,
    resamples: settings.resamples,
    evidence,
    cases_needed,
    rollback: rollbackOf(run, [hybrid, embedding].find((mode) => mode?.mode === run)),
  });
  const over = evidence.filter(({ improves, is_within_budget }) => improves && !is_within_budget);
  if (ofHybrid?.improves === true && ofHybrid.is_within_budget) return decided("hybrid_improves", "keep_hybrid", ofHybrid.mode, `Keep ${ofHybrid.mode}: it ranks better than ${BASELINE} by ${gainInWords(ofHybrid)}.`, []);
  if (ofEmbedding?.improves === true && ofEmbedding.is_within_budget && !isBeaten) return decided("embedding_improves", "keep_embedding_only", ofEmbedding.mode, `Keep ${ofEmbedding.mode}: it ranks better than ${BASELINE} by ${gainInWords(ofEmbedding)}, and ${hybrid === undefined ? "hybrid was not measured" : `${hybrid.mode} does not beat it`}.`, []);
  if (over.length > 0) {
    const reasons = over.map(({ mode }) => `${mode} would be kept if the 95th percentile of its latency were at most ${settings.latencyBudgetMs} ms.`);
    if (ofEmbedding?.improves === true && ofEmbedding.is_within_budget) reasons.push(`${ofEmbedding.mode} ranks better within the budget, but ${hybrid?.mode ?? ""} beats it.`);
    return decided("latency", "fall_back_to_fts_only", BASELINE, `Fall back to ${BASELINE}: ${listed(over.map(({ mode }) => mode))} ${over.length === 1 ? "ranks" : "rank"} better, but over the latency budget.`, reasons);
  }
  if (evidence.every(({ ndcg }) => ndcg !== null && ndcg.high <= settings.margin)) {
    return decided("no_gain", "fall_back_to_fts_only", BASELINE, `Fall back to ${BASELINE}: embeddings do not rank better${settings.margin === 0 ? "" : ` by more than ${settings.margin}`}.`, []);
  }
  const cases = baseline.per_case.length;
  if (cases < FEWEST_CASES) return decided("undecided", "inconclusive", BASELINE, `Inconclusive: ${cases} ${cases === 1 ? "case is" : "cases are"} too few, at least ${FEWEST_CASES} are needed; until then run ${BASELINE}.`, [], FEWEST_CASES);
  const needed = casesThatSettle(evidence, cases, settings);
  const settling = needed === null ? "As it looks, no number of cases would" : `About ${needed} would`;
  const reasons = evidence.flatMap(({ mode, ndcg, evidence_hit_rate }) => (ndcg !== null && ndcg.low > settings.margin && (evidence_hit_rate?.high ?? 0) < 0 ? [`${mode} ranks better, but finds something relevant for fewer cases.`] : []));
  return decided("undecided", "inconclusive", BASELINE, `Inconclusive: ${cases} cases do not tell whether embeddings rank better. ${settling}; until then run ${BASELINE}.`, reasons, needed);
}

/**
 * Refuses settings that are not possible, before anything takes time.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkDecisionOptions(options: DecisionOptions): void {
  settled(options);
}

function settled(options: DecisionOptions): Settled {
  const settings = Object.fromEntries(Object.entries(DEFAULTS).map(([name, usual]) => [name, options[name as keyof DecisionOptions] ?? usual])) as unknown as Settled;
  const check = (isGood: boolean, name: keyof Settled, must: string): void => {
    if (!isGood) throw new InputError("ARGUMENT", `${name} must be ${must}, got ${shown(settings[name])}`);
  };
  check(settings.margin >= -1 && settings.margin <= 1, "margin", "a difference of nDCG from -1 to 1");
  check(settings.confidence > 0 && settings.confidence < 1, "confidence", "a share between 0 and 1, such as 0.95");
  check(settings.latencyBudgetMs >= 0, "latencyBudgetMs", "a number of milliseconds from 0");
  check(Number.isSafeInteger(settings.seed), "seed", "a whole number");
  check(Number.isSafeInteger(settings.resamples) && settings.resamples >= LEAST_RESAMPLES, "resamples", `a whole number from ${LEAST_RESAMPLES}`);
  return settings;
}

/** A score of one case, and the field of its mean. */
interface Measure {
  readonly of: (one: BenchMode["per_case"][number]) => number;
  readonly field: RegExp;
}

const NDCG: Measure = { of: ({ ndcg }) => ndcg, field: /^ndcg_at_/ };
const HIT_RATE: Measure = { of: ({ is_hit }) => (is_hit ? 1 : 0), field: /^evidence_hit_rate$/ };

/** In the order of a comparison, so that the intervals are those of the comparison, to the last digit. */
function differences(a: BenchMode, b: BenchMode, { of }: Measure): number[] {
  const before = new Map(a.per_case.map((one) => [one.case_id, of(one)]));
  return [...b.per_case].sort((x, y) => compareIds(x.case_id, y.case_id)).map((one) => of(one) - (before.get(one.case_id) ?? 0));
}

function gainOf(a: BenchMode, b: BenchMode, measure: Measure, { confidence, seed, resamples }: Settled): BenchEvidence["ndcg"] {
  const interval = b.per_case.length < FEWEST_CASES ? null : bootstrapInterval(differences(a, b, measure), { confidence, seed, resamples });
  // Of the means as they are printed, so that everybody can subtract them.
  const [before, after] = [a, b].map(({ overall }) => Object.entries(overall).find(([name]) => measure.field.test(name))?.[1] ?? 0) as [number, number];
  return interval && { difference: roundTo4(after - before), low: roundTo4(interval.low), high: roundTo4(interval.high) };
}

function evidenceOf(baseline: BenchMode, mode: BenchMode, settings: Settled): BenchEvidence {
  const values = differences(baseline, mode, NDCG);
  const ndcg = gainOf(baseline, mode, NDCG, settings);
  const evidence_hit_rate = gainOf(baseline, mode, HIT_RATE, settings);
  const { p95_latency_ms } = mode.overall;
  return {
    mode: mode.mode,
    ndcg,
    evidence_hit_rate,
    p95_latency_ms,
    improves: ndcg !== null && evidence_hit_rate !== null && ndcg.low > settings.margin && evidence_hit_rate.high >= 0,
    is_within_budget: p95_latency_ms <= settings.latencyBudgetMs,
    cases_needed: casesFor(values, settings),
  };
}

/** Cases that tell a difference as it was observed from the margin, with a power of 0.8. */
function casesFor(values: readonly number[], { margin, confidence }: Settled): number | null {
  if (values.length < 2) return null;
  const distance = mean(values) - margin;
  const deviation = standardDeviation(values);
  if (distance === 0) return null;
  if (deviation === 0) return FEWEST_CASES;
  const needed = pairsNeeded(Math.abs(distance) / deviation, { alpha: 1 - confidence });
  return needed === null ? null : Math.max(FEWEST_CASES, needed);
}

/** One mode above the margin settles it; that there is none takes all of them. */
function casesThatSettle(evidence: readonly BenchEvidence[], cases: number, { margin }: Settled): number | null {
  const above = evidence.filter(({ ndcg, evidence_hit_rate }) => ndcg !== null && ndcg.difference > margin && (evidence_hit_rate?.high ?? 0) >= 0);
  const needed = (above.length > 0 ? above : evidence).map(({ cases_needed }) => cases_needed);
  const known = needed.filter((number) => number !== null);
  if (above.length > 0 ? known.length === 0 : known.length < needed.length) return null;
  const settling = above.length > 0 ? Math.min(...known) : Math.max(...known);
  // As many as there are did not settle it.
  return Math.max(settling, cases + 1);
}

function gainInWords({ ndcg }: BenchEvidence): string {
  return ndcg === null ? "nothing" : `${signed(ndcg.difference)} nDCG (${signed(ndcg.low)} to ${signed(ndcg.high)})`;
}

/** Zeros of a system that was down would read as a bad ranking. */
function failuresInWords({ mode, per_case }: BenchMode): string[] {
  const failed = per_case.filter(({ error }) => error !== null).length;
  return failed === 0 ? [] : [`${mode} failed for ${failed} of ${per_case.length} cases, which count as nothing found.`];
}

function inWords(evidence: BenchEvidence, { confidence }: Settled): string {
  const { mode, ndcg, evidence_hit_rate: hits } = evidence;
  if (ndcg === null || hits === null) return `${mode}: no interval, the cases are too few.`;
  return `${mode} against ${BASELINE}, ${Math.round(100 * confidence)} % intervals: nDCG ${signed(ndcg.difference)} (${signed(ndcg.low)} to ${signed(ndcg.high)}), hit rate ${signed(hits.difference)} (${signed(hits.low)} to ${signed(hits.high)}).`;
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(4)}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

function rollbackOf(run: string, mode: BenchMode | undefined): string {
  if (mode === undefined) return `Run ${BASELINE}. Embeddings are not in the way of a question: their index, and calls to the provider, can be switched off.`;
  return `If these numbers do not hold, switch from ${run} back to ${BASELINE}, whose index stays as it is; then switch off the embedding index${mode.embedding_model === null ? "" : ` and calls to ${mode.embedding_model}`}.`;
}
