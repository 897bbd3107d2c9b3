import {
  type BenchDecision,
  type BenchEvidence,
  type BenchMode,
  type BenchTier,
  cutScoreIn,
  modeIn,
} from "../records/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { roundTo4, countOf, formatCount } from "../foundation/numbers/index.js";
import { differenceIntervals, mean, pairsNeeded } from "../stats/index.js";
import { standardDeviation } from "../stats/internal.js";
import { BASELINE, TUNED } from "./bench-system.js";
import { resolveOptions, type DecisionOptions, type DecisionSettings } from "./decision-options.js";
import { DecisionWords, listInWords } from "./decision-text.js";
import { FEWEST_STILL, hasStoodStill } from "./has-stood-still.js";

/** Resamples of fewer cases only repeat them. */
const FEWEST_CASES = 5;

/**
 * Do embeddings earn their keep? By the stored scores of every case, the first rule that holds:
 *
 * 1. `hybrid` (or `hybrid_tuned`, where it is there) improves and is within the latency budget: keep hybrid.
 * 2. `embedding_only` improves, is within the budget, and hybrid does not beat it: keep embedding_only.
 * 3. A mode improves, but only over the budget: fall back to fts_only (`latency`).
 * 4. The upper end of every interval is at or below the margin: fall back to fts_only (`no_gain`).
 * 5. Otherwise it is inconclusive, and fts_only stays.
 *
 * A mode improves where the interval of its nDCG minus that of `fts_only` lies above the margin, and that of
 * the hit rate not below 0. Hybrid beats embedding_only where it improves itself and the interval between
 * them lies above 0 and the margin. Intervals are over cases, at each end the wider one of the BCa bootstrap
 * and Student's t: each is too narrow where the other is right. With fewer than 5 cases, where a mode found
 * nothing relevant at all, and where its failures could have cost it the decision, nothing can be told.
 * Decided is by the live tier where it was measured.
 *
 * @returns null without `fts_only`, or without any of the other two.
 * @throws InputError `ARGUMENT` for settings that are not possible, and for modes that were not asked the
 * same cases.
 */
export function decideBench(
  modes: readonly BenchMode[],
  options: DecisionOptions = {},
): BenchDecision | null {
  const settings = resolveOptions(options);
  const find = (name: string): BenchMode | undefined => modes.find(({ mode }) => mode === name);
  const baseline = find(BASELINE);
  const tier: BenchTier =
    find(modeIn("live_shadow", "hybrid")) !== undefined ||
    find(modeIn("live_shadow", "embedding_only")) !== undefined
      ? "live_shadow"
      : "offline";
  // Its cases had no say in their weights, so that it may be decided by.
  const tuned = find(modeIn(tier, TUNED));
  const [hybrid, embedding] = [tuned ?? find(modeIn(tier, "hybrid")), find(modeIn(tier, "embedding_only"))];
  const tested = [hybrid, embedding].filter((mode) => mode !== undefined);
  if (baseline === undefined || tested.length === 0) return null;
  for (const each of tested) checkSameCases(baseline, each);
  const evidence = tested.map((mode) => evidenceOf(baseline, mode, settings));
  const words = new DecisionWords(baseline, tested, evidence, settings);
  const measured: Measured = { baseline, hybrid, embedding, tested, evidence, words, settings };
  const {
    outcome,
    rule,
    run,
    headline,
    reasons = [],
    cases_needed = null,
  } = tooLittle(measured) ??
  findKept(measured) ??
  overBudget(measured) ??
  findFailed(measured) ??
  reportNothingFound(measured.tested) ??
  noGain(measured) ??
  findUnsettled(measured);
  return {
    outcome,
    rule,
    run,
    tier,
    headline,
    reasons: [
      ...reasons,
      ...words.facts(),
      ...(tuned === undefined
        ? []
        : [`${tuned.mode}: each case with the weights that the other cases chose.`]),
    ],
    margin: settings.margin,
    confidence: settings.confidence,
    latency_budget_ms: settings.latencyBudgetMs,
    seed: settings.seed,
    resamples: settings.resamples,
    evidence,
    cases_needed,
    rollback: words.rollback(run),
  };
}

/** What a decision is made of. */
interface Measured {
  readonly baseline: BenchMode;
  readonly hybrid: BenchMode | undefined;
  readonly embedding: BenchMode | undefined;
  /** Those of the two that were measured, hybrid first, and in the same order what they gain. */
  readonly tested: readonly BenchMode[];
  readonly evidence: readonly BenchEvidence[];
  readonly words: DecisionWords;
  readonly settings: DecisionSettings;
}

/** What a rule comes to. */
type Finding = Pick<BenchDecision, "outcome" | "rule" | "run" | "headline"> &
  Partial<Pick<BenchDecision, "reasons" | "cases_needed">>;

function reportUndecided(
  headline: string,
  reasons: readonly string[] = [],
  cases_needed: number | null = null,
): Finding {
  return {
    outcome: "inconclusive",
    rule: "undecided",
    run: BASELINE,
    headline: `${headline}; until then run ${BASELINE}.`,
    reasons: [...reasons],
    cases_needed,
  };
}

function tooLittle({ baseline }: Measured): Finding | null {
  const cases = baseline.per_case.length;
  if (cases < FEWEST_CASES)
    return reportUndecided(
      `${countOf(cases, "case is", "cases are")} too few, at least ${FEWEST_CASES} are needed`,
      [],
      FEWEST_CASES,
    );
  if (hasFailures(baseline))
    return reportUndecided(`${BASELINE} failed for some cases; fix it and measure again`);
  // The other side of ids that do not agree would be taken for a gain.
  return reportNothingFound([baseline]);
}

/** Modes that found nothing relevant for any case: ids that do not agree are no evidence. */
function reportNothingFound(modes: readonly BenchMode[]): Finding | null {
  const names = modes
    .filter(({ per_case }) => per_case.every(({ is_hit }) => !is_hit))
    .map(({ mode }) => mode);
  return names.length === 0
    ? null
    : reportUndecided(
        `${listInWords(names)} found nothing relevant for any case, as where the ids of judgments and ` +
          "documents, or their languages, do not agree",
      );
}

/** The evidence of hybrid, where it improves and beats embedding_only. */
function betterHybrid({ hybrid, embedding, evidence, settings }: Measured): BenchEvidence | undefined {
  const ofHybrid = hybrid && evidence[0];
  return ofHybrid?.improves === true &&
    hybrid !== undefined &&
    embedding !== undefined &&
    (gainOf(embedding, hybrid, NDCG, settings)?.low ?? 0) > Math.max(0, settings.margin)
    ? ofHybrid
    : undefined;
}

function findKept(measured: Measured): Finding | null {
  const { hybrid, embedding, evidence, words } = measured;
  const ofHybrid = hybrid && evidence[0];
  const ofEmbedding = embedding && evidence.at(-1);
  if (ofHybrid?.improves === true && ofHybrid.is_within_budget)
    return {
      outcome: "keep_hybrid",
      rule: "hybrid_improves",
      run: ofHybrid.mode,
      headline: words.keep(ofHybrid),
    };
  if (ofEmbedding?.improves !== true || !ofEmbedding.is_within_budget || betterHybrid(measured)) return null;
  return {
    outcome: "keep_embedding_only",
    rule: "embedding_improves",
    run: ofEmbedding.mode,
    headline: words.keep(ofEmbedding),
    reasons: [hybrid === undefined ? "hybrid was not measured." : `${hybrid.mode} does not beat it.`],
  };
}

function overBudget(measured: Measured): Finding | null {
  const { embedding, evidence, settings } = measured;
  const over = evidence
    .filter(({ improves, is_within_budget }) => improves && !is_within_budget)
    .map(({ mode }) => mode);
  if (over.length === 0) return null;
  const reasons = over.map(
    (mode) =>
      `${mode} would be kept if the 95th percentile of its latency were at most ` +
      `${settings.latencyBudgetMs} ms.`,
  );
  const ofEmbedding = embedding && evidence.at(-1);
  const better = betterHybrid(measured);
  if (better !== undefined && ofEmbedding?.is_within_budget === true)
    reasons.push(`${ofEmbedding.mode} ranks better within the budget, but ${better.mode} beats it.`);
  return {
    outcome: "fall_back_to_fts_only",
    rule: "latency",
    run: BASELINE,
    headline:
      `${listInWords(over)} ${over.length === 1 ? "ranks" : "rank"} better, ` +
      "but over the latency budget.",
    reasons,
  };
}

function findFailed({ tested }: Measured): Finding | null {
  const failing = tested.filter(hasFailures).map(({ mode }) => mode);
  return failing.length === 0
    ? null
    : reportUndecided(
        `${listInWords(failing)} failed for some cases, which may have cost the decision; fix that and ` +
          "measure again",
      );
}

function noGain({ baseline, evidence, words, settings }: Measured): Finding | null {
  if (evidence.some(({ ndcg }) => ndcg === null || ndcg.high > settings.margin)) return null;
  const cases = baseline.per_case.length;
  const still = evidence.filter((each) => hasStoodStill(each, cases)).map(({ mode }) => mode);
  return still.length === 0
    ? { outcome: "fall_back_to_fts_only", rule: "no_gain", run: BASELINE, headline: words.noGain() }
    : reportUndecided(
        `${listInWords(still)} moved the nDCG of no case, which ${formatCount(cases)} cases can hide of a ` +
          `change for some; at least ${FEWEST_STILL} are needed`,
        [],
        FEWEST_STILL,
      );
}

function findUnsettled({ baseline, evidence, words, settings }: Measured): Finding {
  const cases = baseline.per_case.length;
  const losing = evidence.filter(losesHits);
  const needed = casesThatSettle(evidence, cases, settings);
  if (needed === null && losing.some(({ ndcg }) => ndcg !== null && ndcg.low > settings.margin))
    return reportUndecided(
      `${listInWords(losing.map(({ mode }) => mode))} ${losing.length === 1 ? "ranks" : "rank"} better, ` +
        "but finds something relevant for fewer cases, and no number of cases " +
        "settles which matters more",
    );
  return reportUndecided(
    words.describeUndecided(cases, needed),
    losing.map(
      ({ mode }) => `${mode} finds something relevant for fewer cases, so that it would not be kept.`,
    ),
    needed,
  );
}

/** Scores that one mode lacks would be taken for zeros. */
function checkSameCases(a: BenchMode, b: BenchMode): void {
  const [ofA, ofB] = [a, b].map(({ per_case }) => new Set(per_case.map(({ case_id }) => case_id))) as [
    Set<string>,
    Set<string>,
  ];
  const odd = [...ofA].find((id) => !ofB.has(id)) ?? [...ofB].find((id) => !ofA.has(id));
  if (odd !== undefined)
    throw new InputError(
      "ARGUMENT",
      `${a.mode} and ${b.mode} must have been asked the same cases, got ${quote(odd)} for one of ` +
        "them only; measure both on one fixture",
    );
}

function hasFailures({ per_case }: BenchMode): boolean {
  return per_case.some(({ error }) => error !== null);
}

/** A score of one case, and its mean over all of them. */
interface Measure {
  readonly of: (one: BenchMode["per_case"][number]) => number;
  readonly mean: (overall: BenchMode["overall"]) => number;
}

const NDCG: Measure = { of: ({ ndcg }) => ndcg, mean: (overall) => cutScoreIn(overall, "ndcg") ?? 0 };
const HIT_RATE: Measure = {
  of: ({ is_hit }) => (is_hit ? 1 : 0),
  mean: ({ evidence_hit_rate }) => evidence_hit_rate,
};

/** In the order of a comparison, so that the same seed draws the same cases. */
function differences(a: BenchMode, b: BenchMode, { of }: Measure): number[] {
  const before = new Map(a.per_case.map((one) => [one.case_id, of(one)]));
  return [...b.per_case]
    .sort((x, y) => compareIds(x.case_id, y.case_id))
    .map((one) => of(one) - (before.get(one.case_id) ?? 0));
}

function gainOf(
  a: BenchMode,
  b: BenchMode,
  measure: Measure,
  { confidence, seed, resamples }: DecisionSettings,
): BenchEvidence["ndcg"] {
  const values = differences(a, b, measure);
  if (values.length < FEWEST_CASES) return null;
  const [found] = differenceIntervals([values], { confidence, seed, resamples, most: [1] });
  // The difference of the printed means, so that it can be checked by hand.
  const difference = roundTo4(measure.mean(b.overall) - measure.mean(a.overall));
  // Where all cases differ by the same, that is all there is.
  const { low, high } = found?.interval ?? { low: mean(values), high: mean(values) };
  return { difference, low: roundTo4(low), high: roundTo4(high) };
}

function evidenceOf(baseline: BenchMode, mode: BenchMode, settings: DecisionSettings): BenchEvidence {
  const ndcg = gainOf(baseline, mode, NDCG, settings);
  const evidence_hit_rate = gainOf(baseline, mode, HIT_RATE, settings);
  const { p95_latency_ms } = mode.overall;
  return {
    mode: mode.mode,
    ndcg,
    evidence_hit_rate,
    p95_latency_ms,
    improves:
      ndcg !== null &&
      evidence_hit_rate !== null &&
      ndcg.low > settings.margin &&
      !hasStoodStill({ ndcg }, mode.per_case.length) &&
      evidence_hit_rate.high >= 0,
    is_within_budget: p95_latency_ms <= settings.latencyBudgetMs,
    cases_needed: casesFor(differences(baseline, mode, NDCG), settings),
  };
}

/** Cases that tell a difference as it was observed from the margin, with a power of 0.8. */
function casesFor(values: readonly number[], { margin, confidence }: DecisionSettings): number | null {
  if (values.length < 2) return null;
  const distance = mean(values) - margin;
  const deviation = standardDeviation(values);
  if (distance === 0) return null;
  if (deviation === 0) return FEWEST_CASES;
  const needed = pairsNeeded(Math.abs(distance) / deviation, { alpha: 1 - confidence });
  return needed === null ? null : Math.max(FEWEST_CASES, needed);
}

function losesHits({ evidence_hit_rate }: BenchEvidence): boolean {
  return evidence_hit_rate !== null && evidence_hit_rate.high < 0;
}

/** One mode above the margin settles it, if it does not lose hits; that there is none takes all of them. */
function casesThatSettle(
  evidence: readonly BenchEvidence[],
  cases: number,
  { margin }: DecisionSettings,
): number | null {
  const above = evidence.filter(({ ndcg }) => ndcg !== null && ndcg.difference > margin);
  const candidates = above.filter((each) => !losesHits(each));
  if (above.length > candidates.length && candidates.length === 0) return null;
  // What lies below the margin is settled.
  const open = evidence.filter(({ ndcg }) => ndcg === null || ndcg.high > margin);
  const needed = (candidates.length > 0 ? candidates : open).map(({ cases_needed }) => cases_needed);
  const known = needed.filter((number) => number !== null);
  if (candidates.length > 0 ? known.length === 0 : known.length < needed.length) return null;
  // As many as there are did not settle it.
  return Math.max(candidates.length > 0 ? Math.min(...known) : Math.max(...known), cases + 1);
}
