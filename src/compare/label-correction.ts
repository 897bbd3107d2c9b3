import type { Metric } from "../metrics/index.js";
import {
  FEWEST_FOR_WORTH,
  FEWEST_PAIRS,
  knownWorth,
  type CorrectedScore,
  type JudgedUnit,
  type LabelTrust,
} from "../records/index.js";
import { correctedMean, stratifiedMean, type CorrectedMean, type CorrectedSample } from "../stats/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { auditScores, type Audited, type Strata } from "./audit-scores.js";
import type { ComparedSystem } from "./compared-system.js";
import { selfJudgedRuns, type LabelEvidence } from "./label-evidence.js";
import { finite } from "./metric-differences.js";

/**
 * With fewer people's queries that are not alike an interval of 95 % holds the truth in 55 to 90 % of
 * cases.
 */
const FEWEST_DIFFERING = 5;

/** What is asked of a correction. */
export interface LabelCorrectionOptions {
  /** Share of the intervals. */
  readonly confidence: number;
  /** Printed names of the metrics that decide: without them corrected nothing is. */
  readonly decisive: readonly string[];
  readonly unit: JudgedUnit;
}

/** What people's labels make of a score, and how many of their queries say so. */
export interface AuditedScore {
  readonly score: CorrectedScore;
  /** Of the people's queries, those whose score is above 0, 0 and below. */
  readonly signs: readonly [above: number, zero: number, below: number];
  /** Why it has no interval, in a sentence; null where it has one. */
  readonly tooAlike: string | null;
}

/** How far the labels behind some runs carry. */
export interface LabelCorrection {
  readonly trust: LabelTrust;
  /**
   * What people's labels make of a run's means, or of its differences from a baseline; null where the labels
   * are not audited, or people labelled too few of the queries that are not left out.
   *
   * @param run its position.
   * @param baseline position of the run that it is held against; null for the run alone.
   * @param leftOut queries that say nothing of these.
   */
  correctScores(
    run: number,
    baseline: number | null,
    leftOut?: ReadonlySet<string>,
  ): readonly AuditedScore[] | null;
}

/** Holds what a model's labels say of runs against what people's say. */
export function prepareCorrection(
  systems: readonly ComparedSystem[],
  evidence: LabelEvidence,
  metrics: readonly Metric[],
  { confidence, decisive, unit }: LabelCorrectionOptions,
): LabelCorrection {
  const { byPeople, byModel } = evidence;
  const strata = strataOf(evidence);
  const audited =
    strata === null || byPeople === undefined || byModel === undefined
      ? null
      : auditScores(systems, metrics, strata, { byPeople, byModel }, unit);
  const trust = trustOf(evidence, strata, audited, {
    decisive,
    names: systems.map(({ name }) => name),
    selfJudged: selfJudgedRuns(systems, evidence.labelerModel),
  });
  return {
    trust,
    correctScores(run, baseline, leftOut = new Set()) {
      if (trust.status !== "audited" || strata === null || audited === null) return null;
      const kept = withoutQueries(strata, leftOut);
      if (!isMeasurable(kept) || countDrawn(kept) < FEWEST_PAIRS) return null;
      return metrics.flatMap(({ name }) => {
        const scores = audited.scores.get(name);
        if (scores === undefined) return [];
        const of =
          (all: readonly ReadonlyMap<string, number>[]) =>
          (id: string): number =>
            (all[run]?.get(id) ?? 0) - (baseline === null ? 0 : (all[baseline]?.get(id) ?? 0));
        const [people, model] = [of(scores.byPeople), of(scores.byModel)];
        const samples = [...kept.values()].map(({ drawn, further }) => ({
          human: drawn.map(people),
          model: drawn.map(model),
          modelOnly: further.map(model),
        }));
        const what = baseline === null ? name : `difference in ${name}`;
        return auditScore(name, samples, confidence, what) ?? [];
      });
    },
  };
}

/** In one sentence what people's queries are worth with the help of the model's labels. */
export function worthSentence(score: CorrectedScore): string {
  const labelled = `${countOf(score.queries, "query")} labelled by people`;
  if (score.lambda === 0) return `${labelled}; the model's labels add nothing to them.`;
  const worth = knownWorth(score);
  return worth === null
    ? `${labelled}; what the model's labels add to them cannot be told from fewer than ${FEWEST_FOR_WORTH}.`
    : `${labelled}; the model's labels make them worth ${worth}.`;
}

/** With how many of the people's queries a difference is to the better, none, and to the worse. */
export function countBySign({ score, signs }: AuditedScore, higherIsBetter: boolean): CorrectedScore {
  const [above, equal, below] = signs;
  return {
    ...score,
    improved: higherIsBetter ? above : below,
    equal,
    worse: higherIsBetter ? below : above,
  };
}

/** The queries that are evaluated, by stratum; null without a sample. */
function strataOf({ sample, byModel }: LabelEvidence): Strata | null {
  if (sample == null || byModel === undefined) return null;
  const strata = new Map<string, { drawn: string[]; further: string[] }>();
  for (const [id, name] of sample.frame) {
    if (!byModel.has(id)) continue;
    const stratum = strata.get(name) ?? { drawn: [], further: [] };
    (sample.drawn.has(id) ? stratum.drawn : stratum.further).push(id);
    strata.set(name, stratum);
  }
  return isMeasurable(strata) ? strata : null;
}

/** A kind of query of which too few were drawn has no estimate of its own. */
function isMeasurable(strata: Strata): boolean {
  return strata.size === 1 || [...strata.values()].every(({ drawn }) => drawn.length >= 2);
}

function countDrawn(strata: Strata): number {
  return [...strata.values()].reduce((sum, { drawn }) => sum + drawn.length, 0);
}

function withoutQueries(strata: Strata, leftOut: ReadonlySet<string>): Strata {
  if (leftOut.size === 0) return strata;
  const isKept = (id: string): boolean => !leftOut.has(id);
  const kept = [...strata].map(
    ([name, { drawn, further }]) =>
      [name, { drawn: drawn.filter(isKept), further: further.filter(isKept) }] as const,
  );
  return new Map(kept.filter(([, { drawn, further }]) => drawn.length + further.length > 0));
}

function auditScore(
  metric: string,
  samples: readonly CorrectedSample[],
  confidence: number,
  what: string,
): AuditedScore | null {
  const sizes = samples.map(({ human, modelOnly }) => human.length + modelOnly.length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const found =
    samples.length === 1
      ? correctedMean(samples[0] as CorrectedSample, confidence)
      : stratifiedMean(
          samples.map((sample, at) => ({ ...sample, weight: (sizes[at] as number) / all })),
          confidence,
          { lambda: "shared" },
        );
  if (found === null) return null;
  const human = samples.flatMap((sample) => sample.human);
  const tooAlike = all > human.length ? alikeSentence(what, human) : null;
  const score = recordOf(metric, found, human.length, all - human.length);
  return {
    score: tooAlike === null ? score : { ...score, interval: null, p: null },
    tooAlike,
    signs: [
      human.filter((value) => value > 0).length,
      human.filter((value) => value === 0).length,
      human.filter((value) => value < 0).length,
    ],
  };
}

/**
 * Where most queries have the same score, what few others have says little of how far the rest is from it:
 * the interval would be a point, or nearly so, and hold the truth in every second case.
 */
function alikeSentence(what: string, human: readonly number[]): string | null {
  const counts = new Map<number, number>();
  for (const value of human) counts.set(value, (counts.get(value) ?? 0) + 1);
  const alike = Math.max(...counts.values());
  const others = human.length - alike;
  if (others >= FEWEST_DIFFERING || 2 * alike <= human.length) return null;
  return (
    `Of ${countOf(human.length, "query")} labelled by people ${others === 0 ? "all" : `all but ${others}`} ` +
    `have the same ${what}, from which nothing follows for the others; at least ` +
    `${FEWEST_DIFFERING} must differ.`
  );
}

function recordOf(metric: string, found: CorrectedMean, queries: number, further: number): CorrectedScore {
  return {
    metric,
    raw: found.raw,
    corrected: found.estimate,
    interval: found.interval,
    p: finite(found.p),
    p_adjusted: null,
    people: found.human,
    lambda: found.lambda,
    correlation: finite(found.correlation),
    queries,
    further,
    worth: found.worth,
  };
}

/** Options that name the runs, which need not be the latest; none for names that a shell would take apart. */
function runOptions(names: readonly string[]): string {
  return names.every((name) => /^\w[\w.-]*$/.test(name))
    ? names.map((name) => ` --run ${name}`).join("")
    : "";
}

interface AuditedRuns {
  /** Metrics whose labels must be there. */
  readonly decisive: readonly string[];
  readonly names: readonly string[];
  readonly selfJudged: readonly string[];
}

function trustOf(
  evidence: LabelEvidence,
  strata: Strata | null,
  audited: Audited | null,
  { decisive, names, selfJudged }: AuditedRuns,
): LabelTrust {
  const { labeler, counts, byPeople, sample } = evidence;
  const parts = [...(strata?.values() ?? [])];
  const drawn = strata === null ? 0 : countDrawn(strata);
  const missing = Math.max(0, ...decisive.map((name) => audited?.missing.get(name) ?? 0));
  const base: Omit<LabelTrust, "status" | "sentence" | "next"> = {
    labeler,
    labels: counts === null ? null : { ...counts },
    sample:
      strata === null
        ? null
        : { drawn, frame: parts.reduce((sum, part) => sum + part.further.length, drawn) },
    missing_pairs: missing,
    pool: null,
    self_judged: [...selfJudged],
  };
  const settleTrust = (
    status: LabelTrust["status"],
    sentence: string,
    next: string | null = null,
  ): LabelTrust => ({ status, sentence, next, ...base });
  if (counts === null) return settleTrust("unknown", "Nothing is known of who made the judgments.");
  if (counts.people + counts.model === 0)
    return settleTrust("unknown", "Nothing is labelled yet.", "`rankproof label build` labels.");
  if (counts.model === 0) return settleTrust("people", "All labels are people's.");
  const model = labeler ?? "a model";
  if (byPeople === undefined)
    return settleTrust(
      "not_audited",
      `The labels are those of ${model}, which people have not checked here.`,
      "Let people label a sample (`rankproof audit sample`), and compare with `rankproof batch compare`, " +
        "where the label store is.",
    );
  if (sample == null)
    return settleTrust(
      "not_audited",
      counts.people === 0
        ? `All labels are from ${model}.`
        : `${countOf(counts.people, "label")} ${counts.people === 1 ? "is" : "are"} people's, but ` +
            "not of queries drawn by chance, so that nothing follows for the others.",
      "`rankproof audit sample` draws queries for people to label.",
    );
  if (strata === null || drawn < FEWEST_PAIRS)
    return settleTrust(
      "not_audited",
      strata === null
        ? "Of a kind of queries fewer than 2 were drawn for people to label."
        : `Only ${countOf(drawn, "query")} of the sample can be measured; at least ` +
            `${FEWEST_PAIRS} are needed.`,
      "`rankproof audit sample` draws more of them.",
    );
  if (missing > 0)
    return settleTrust(
      "not_audited",
      `People have still to label ${countOf(missing, "pair")} of query and item in the ` +
        `${countOf(drawn, "query")} drawn for them.`,
      `\`rankproof audit sample --complete${runOptions(names)}\` writes them as a sheet; a question mark ` +
        `is no grade ` +
        "and leaves a pair open.",
    );
  const pool = [...(audited?.scores.values() ?? [])][0]?.pool ?? null;
  const added = outsideOf(evidence);
  const next =
    added === 0
      ? null
      : `${countOf(added, "query")} came after the sample was drawn, and corrected numbers are about the ` +
        "others; `rankproof audit sample` draws from all.";
  return { ...settleTrust("audited", `${countOf(drawn, "query")} labelled by people.`, next), pool };
}

/** Queries that the sample could not be drawn from, since they came later. */
function outsideOf({ byModel, sample }: LabelEvidence): number {
  return [...(byModel?.keys() ?? [])].filter((id) => sample?.frame.has(id) !== true).length;
}
