import { CURRENT } from "../formats/index.js";
import { InputError } from "../foundation/errors/index.js";
import {
  chooseVariant,
  verdictByLabels,
  type ChooseVariantOptions,
  type ChosenVariant,
} from "../fusion-tuning/index.js";
import type { Metric } from "../metrics/index.js";
import { cardRecord } from "../metrics/internal.js";
import type { BackendTuning, GivenWarning } from "../records/index.js";
import type { BatchQueryText } from "./attach-labels.js";
import type { MeasuredExperiment } from "./measure-experiment.js";

/** A configuration that was tried. */
export interface TriedExperiment {
  /** `current` for the original configuration. */
  readonly name: string;
  /** Null for the original configuration. */
  readonly parameters: Readonly<Record<string, unknown>> | null;
  /** Why it could not be measured; null where it was. */
  readonly error: string | null;
  /** Queries that the search failed for; absent where it was not measured. */
  readonly failed?: number | undefined;
  /** Digest of its configuration files; absent where it was not written. */
  readonly configuration?: string | undefined;
}

/** What {@link backendTuning} is made of. */
export interface BackendTuningInput {
  readonly tuningId: string;
  readonly dataset: string;
  readonly tenant: string;
  readonly backend: BackendTuning["backend"];
  readonly topK: number;
  readonly queries: readonly BatchQueryText[];
  /** The original configuration, then every experiment. */
  readonly tried: readonly TriedExperiment[];
  /** By name; what could not be measured is not there. */
  readonly measured: ReadonlyMap<string, MeasuredExperiment>;
  /** A mean of which higher is better. */
  readonly metric: Metric;
  /** Digests of the original configuration, by file. */
  readonly originals: ReadonlyMap<string, string>;
  /** In UTC. */
  readonly startedAt: string;
  /** In UTC. */
  readonly evaluatedAt: string;
}

/**
 * What experiments on a live search come to: which configuration is the best, and whether it holds for
 * queries that had no say in the choice.
 *
 * @throws InputError `ARGUMENT` where the original configuration was not measured.
 */
export function backendTuning(
  input: BackendTuningInput,
  options: Omit<ChooseVariantOptions, "metric"> = {},
): BackendTuning {
  const { measured, metric, tried } = input;
  const current = measured.get(CURRENT);
  if (current === undefined)
    throw new InputError(
      "ARGUMENT",
      "the original configuration was not measured, so nothing can be compared with it",
    );
  // What the search failed for as it was would make any experiment a gain.
  const keepAnswered = (scores: ReadonlyMap<string, number>): Map<string, number> =>
    new Map([...scores].filter(([query]) => !current.failed.has(query)));
  const found = chooseVariant(
    { name: CURRENT, scores: keepAnswered(current.scores) },
    [...measured].flatMap(([name, { scores }]) =>
      name === CURRENT ? [] : [{ name, scores: keepAnswered(scores) }],
    ),
    { ...options, metric: metric.name },
  );
  const { trust } = measured.get(found.chosen) ?? current;
  const texts = new Map(input.queries.map(({ id, query }) => [id, query]));
  return {
    schema_version: 1,
    kind: "backend_tuning",
    tuning_id: input.tuningId,
    dataset: input.dataset,
    tenant: input.tenant,
    backend: input.backend,
    started_at: input.startedAt,
    evaluated_at: input.evaluatedAt,
    metric: metric.name,
    metric_card: cardRecord(metric.definition),
    top_k: input.topK,
    queries: input.queries.length,
    seed: options.seed ?? 1,
    verdict:
      measured.size > 1
        ? verdictByLabels(found.verdict, trust.status !== "not_audited")
        : nothingMeasured(tried),
    chosen: {
      name: found.chosen,
      parameters: tried.find(({ name }) => name === found.chosen)?.parameters ?? null,
      mean: found.variants.find(({ name }) => name === found.chosen)?.mean ?? 0,
    },
    held_out: found.heldOut && { ...found.heldOut, chosen: [...found.heldOut.chosen] },
    search_test: found.test,
    experiments: tried.map((each) => experimentResult(each, measured, found)),
    unjudged: countUnjudged(measured.values()),
    trust,
    per_query: found.perQuery.map((query) => ({ ...query, query: texts.get(query.query_id) ?? null })),
    restored: [...input.originals].map(([file, sha256]) => ({ file, sha256 })),
    applied: null,
    warnings: [...failureWarnings(current), ...effectWarnings(tried, measured)],
  };
}

function experimentResult(
  { name, parameters, error }: TriedExperiment,
  measured: BackendTuningInput["measured"],
  { variants }: ChosenVariant,
): BackendTuning["experiments"][number] {
  const result = variants.find((variant) => variant.name === name);
  const {
    run = null,
    failed = new Set<string>(),
    inView = new Map<string, ReadonlyMap<string, boolean>>(),
  } = measured.get(name) ?? {};
  const { mean = null, difference = null, p = null, improved = 0, equal = 0, worse = 0 } = result ?? {};
  const unjudged = [...inView.values()].reduce(
    (sum, hits) => sum + [...hits.values()].filter((isJudged) => !isJudged).length,
    0,
  );
  return {
    name,
    parameters,
    batch_id: run,
    error,
    mean,
    difference,
    p,
    improved,
    equal,
    worse,
    failed: failed.size,
    unjudged,
  };
}

/** Hits in view of any configuration without a label, by query. */
export function findUnjudgedInView(measured: Iterable<MeasuredExperiment>): Map<string, string[]> {
  const unjudged = new Map<string, Set<string>>();
  for (const { inView } of measured)
    for (const [query, hits] of inView)
      for (const [id, isJudged] of hits)
        if (!isJudged) unjudged.set(query, (unjudged.get(query) ?? new Set()).add(id));
  return new Map([...unjudged].map(([query, ids]) => [query, [...ids]]));
}

function countUnjudged(measured: Iterable<MeasuredExperiment>): BackendTuning["unjudged"] {
  const all = [...measured];
  const seen = new Map<string, Set<string>>();
  for (const { inView } of all)
    for (const [query, hits] of inView)
      seen.set(query, new Set([...(seen.get(query) ?? []), ...hits.keys()]));
  const count = (byQuery: Map<string, Iterable<string>>): number =>
    [...byQuery.values()].reduce((sum, ids) => sum + [...ids].length, 0);
  return { items: count(findUnjudgedInView(all)), of: count(seen) };
}

function nothingMeasured(tried: readonly TriedExperiment[]): BackendTuning["verdict"] {
  const count = tried.length - 1;
  return {
    kind: "not_better",
    sentence:
      `Nothing could be compared: ${count === 1 ? "the experiment" : `all ${count} experiments`} ` +
      "failed.",
  };
}

function failureWarnings({ failed }: MeasuredExperiment): GivenWarning[] {
  if (failed.size === 0) return [];
  return [
    {
      code: "CASES_FAILED",
      message:
        `with the current configuration the search failed for ${failed.size} ` +
        `${failed.size === 1 ? "query, which is" : "queries, which are"} left out of the comparison`,
      count: failed.size,
      query_ids: [...failed].slice(0, 5),
    },
  ];
}

/** Configurations that changed nothing may not have been taken up. */
function effectWarnings(
  tried: readonly TriedExperiment[],
  measured: BackendTuningInput["measured"],
): GivenWarning[] {
  const [current, ...others] = tried;
  const rankings = measured.get(CURRENT)?.rankings;
  const same = others.filter(
    ({ name, configuration }) =>
      measured.get(name)?.rankings === rankings && configuration !== current?.configuration,
  );
  if (same.length === 0) return [];
  const [{ name: first } = { name: "" }] = same;
  const names = same.length === 1 ? first : `${first} and ${same.length - 1} more`;
  return [
    {
      code: "CONFIGURATION_WITHOUT_EFFECT",
      message:
        `${names}: every query got the same hits as with the current configuration. Does the search take ` +
        "up its configuration when it is restarted? `health.expect` tells the new one from an old one that " +
        "answers",
      count: same.length,
    },
  ];
}
