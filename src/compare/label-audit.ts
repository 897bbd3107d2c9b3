import { evaluate, rankedIds, resolveConventions, type EvaluateOptions } from "../evaluate/index.js";
import type { Metric } from "../metrics/index.js";
import type { CorrectedScore, LabelTrust } from "../records/index.js";
import { correctedMean, stratifiedMean, type CorrectedSample, type CorrectedMean } from "../stats/index.js";
import { studentTwoSided } from "../stats/internal.js";
import type { ComparedSystem } from "./compared-system.js";
import { selfJudgedRuns, type GradesByQuery, type LabelEvidence, type QuerySample } from "./label-evidence.js";
import { FEWEST_PAIRS } from "./verdict.js";

/** What an audit is about. */
export interface LabelAuditOptions extends Pick<EvaluateOptions, "unit"> {
  /** Share of the intervals. */
  readonly confidence: number;
}

const ALL = "all";

/**
 * Holds what a model's labels say against what people's say: for each metric the queries of the sample that
 * people labelled as far down as the metric looks, in every run.
 *
 * The ideal of a metric is over what both have labelled: all labelled items where people labelled all of
 * them, else the items in view of the runs; for the queries outside the sample alike, so that both groups are
 * measured by one measure.
 */
export class LabelAudit {
  readonly trust: LabelTrust;
  readonly #systems: readonly ComparedSystem[];
  readonly #evidence: LabelEvidence;
  readonly #metrics: readonly Metric[];
  readonly #options: LabelAuditOptions;
  readonly #sample: KnownSample | null;
  /** By metric, system and query: the scores by people's labels and by the model's. */
  readonly #scores = new Map<string, AuditedScores>();

  constructor(
    systems: readonly ComparedSystem[],
    evidence: LabelEvidence,
    metrics: readonly Metric[],
    options: LabelAuditOptions,
  ) {
    this.#systems = systems;
    this.#evidence = evidence;
    this.#metrics = metrics;
    this.#options = options;
    this.#sample = knownSample(evidence);
    const missing = this.#score();
    this.trust = this.#trust(missing);
  }

  /**
   * What people's labels make of a run's mean, or of its difference from the baseline.
   *
   * @param run its position.
   * @param baseline position of the run that it is held against; null for the run alone.
   * @returns metrics that can be corrected; null where the labels are not audited.
   */
  corrected(run: number, baseline: number | null): CorrectedScore[] | null {
    const sample = this.#sample;
    if (this.trust.status !== "audited" || sample === null) return null;
    return this.#metrics.flatMap(({ name }) => {
      const scores = this.#scores.get(name);
      if (scores === undefined) return [];
      const { people, model } = scores;
      const of = (all: readonly ReadonlyMap<string, number>[], id: string): number =>
        (all[run]?.get(id) ?? 0) - (baseline === null ? 0 : (all[baseline]?.get(id) ?? 0));
      const strata = [...sample.strata].map(([, { drawn, further }]): CorrectedSample => ({
        human: drawn.map((id) => of(people, id)),
        model: drawn.map((id) => of(model, id)),
        modelOnly: further.map((id) => of(model, id)),
      }));
      return correctedScore(name, strata, this.#options.confidence) ?? [];
    });
  }

  /** Scores all metrics, by their cutoffs; returns how many pairs people have still to label. */
  #score(): number {
    const sample = this.#sample;
    const { people, model } = this.#evidence;
    if (sample === null || people === undefined || model === undefined) return 0;
    const ranked = this.#systems.map(({ run }) =>
      rankedIds(run, this.#options.unit ?? "doc", resolveConventions({})),
    );
    const missing = new Set<string>();
    const isWhole = sample.drawn.every((id) =>
      [...(model.get(id)?.keys() ?? [])].every((item) => people.get(id)?.has(item) === true),
    );
    const cutoffs = [...new Set(this.#metrics.map(({ cutoff }) => cutoff ?? Infinity))];
    for (const cutoff of cutoffs) {
      const views = new Map(
        [...sample.drawn, ...sample.further].map((id) => [
          id,
          new Set(ranked.flatMap((ofRun) => ofRun(id).slice(0, cutoff))),
        ]),
      );
      const open = sample.drawn.flatMap((id) =>
        [...(views.get(id) ?? [])]
          .filter((item) => people.get(id)?.has(item) !== true)
          .map((item) => JSON.stringify([id, item])),
      );
      for (const pair of open) missing.add(pair);
      if (open.length > 0) continue;
      const within = (grades: GradesByQuery, ids: readonly string[]): GradesByQuery =>
        new Map(ids.map((id) => [id, isWhole ? (grades.get(id) ?? NONE) : only(grades.get(id), views.get(id))]));
      const metrics = this.#metrics.filter((metric) => (metric.cutoff ?? Infinity) === cutoff);
      const all = [...sample.drawn, ...sample.further];
      const [byPeople, byModel] = [
        this.#scoresBy(metrics, within(bothLabelled(people, model, views, isWhole), sample.drawn)),
        this.#scoresBy(metrics, within(model, all)),
      ];
      for (const { name } of metrics)
        this.#scores.set(name, {
          people: byPeople.map((ofRun) => ofRun.get(name) as ReadonlyMap<string, number>),
          model: byModel.map((ofRun) => ofRun.get(name) as ReadonlyMap<string, number>),
          isWhole,
        });
    }
    return missing.size;
  }

  /** By run, metric and query. */
  #scoresBy(metrics: readonly Metric[], grades: GradesByQuery): Map<string, Map<string, number>>[] {
    return this.#systems.map(({ run }) => {
      const evaluation = evaluate(run, grades, metrics, { unit: this.#options.unit ?? "doc" });
      return new Map(
        metrics.map(({ name }) => {
          const column = evaluation.column(name);
          return [name, new Map(evaluation.queryIds.map((id, row) => [id, column[row] as number]))];
        }),
      );
    });
  }

  #trust(missing: number): LabelTrust {
    const { labeler, counts, people } = this.#evidence;
    const sample = this.#sample;
    const base = {
      labeler,
      labels: counts === null ? null : { ...counts },
      sample: sample === null ? null : { drawn: sample.drawn.length, frame: sample.drawn.length + sample.further.length },
      missing_pairs: missing,
      pool: null,
      self_judged: [] as string[],
    };
    const model = labeler ?? "a model";
    const not = (sentence: string, next: string): LabelTrust => ({ ...base, status: "not_audited", sentence, next });
    if (counts === null)
      return {
        ...base,
        status: "unknown",
        sentence: "Nothing is known of who made the judgments.",
        next: null,
      };
    if (counts.model === 0)
      return { ...base, status: "people", sentence: "All labels are people's.", next: null };
    if (people === undefined)
      return not(
        `The labels are those of ${model}, which nobody has checked here.`,
        "Compare where the label store is, with `rankproof batch compare`, once people have labelled a sample.",
      );
    if (sample === null)
      return not(
        counts.people === 0
          ? `Nobody but ${model} has labelled anything.`
          : `People labelled ${pairs(counts.people)}, but not of queries drawn by chance, so that nothing follows ` +
              "for the others.",
        "`rankproof audit sample` draws queries for people to label.",
      );
    if (sample.drawn.length < FEWEST_PAIRS)
      return not(
        `Only ${queries(sample.drawn.length)} of the sample ${sample.drawn.length === 1 ? "is" : "are"} left; ` +
          `at least ${FEWEST_PAIRS} are needed.`,
        "`rankproof audit sample` draws more of them.",
      );
    const first = this.#metrics.find(({ name }) => this.#scores.has(name));
    if (first === undefined || !this.#scores.has(this.#metrics[0]?.name ?? ""))
      return not(
        `People have still to label ${pairs(missing)} of the ${queries(sample.drawn.length)} drawn for them.`,
        "`rankproof audit sample --complete` writes them as a sheet.",
      );
    return {
      ...base,
      status: "audited",
      sentence: "",
      next: null,
      pool: this.#scores.get(first.name)?.isWhole === true ? "labelled" : "viewed",
    };
  }
}

interface AuditedScores {
  readonly people: readonly ReadonlyMap<string, number>[];
  readonly model: readonly ReadonlyMap<string, number>[];
  readonly isWhole: boolean;
}
