import type { Deltas } from "./types/index.js";
import type { JudgedUnit } from "./judged-unit.js";

/** Where one metric of an aggregate stands, and what people call it. */
export interface AggregateField {
  /** As people say it: `hit@5`, `MRR@10`. */
  readonly label: string;
  /** The name in the aggregate's `support`. */
  readonly support: string;
  /**
   * Where the score stands in an aggregate, and its difference in the deltas: a field, and the key in it if
   * it is a map.
   */
  readonly path: readonly [field: Exclude<keyof Deltas, "chunker_version_match">, key?: string];
  readonly higherIsBetter: boolean;
  /** What it is about; null for what is about answers, or about the whole run. */
  readonly unit: JudgedUnit | null;
  /** The last rank that it looks at; null for what looks at no ranks. */
  readonly cutoff: number | null;
}

/** The cutoffs of the metrics that every aggregate has at several. */
export const aggregateCutoffs = [1, 3, 5, 10] as const;

/** The fields of an aggregate that hold scores, in the order in which they are written. */
export const aggregateFieldNames = [
  "hit_at_k",
  "mrr",
  "precision_at_k_chunk",
  "recall_at_k_doc",
  "citation_coverage",
  "groundedness",
  "empty_result_rate",
  "refusal_correctness",
] as const satisfies readonly Exclude<keyof Deltas, "chunker_version_match">[];

function atCutoffs(
  field: "hit_at_k" | "precision_at_k_chunk" | "recall_at_k_doc",
  label: string,
  unit: JudgedUnit,
): AggregateField[] {
  return aggregateCutoffs.map((k) => ({
    label: `${label}@${k}`,
    support: field,
    path: [field, String(k)],
    higherIsBetter: true,
    unit,
    cutoff: k,
  }));
}

function single(
  field: "mrr" | "citation_coverage" | "groundedness" | "empty_result_rate" | "refusal_correctness",
  label: string,
  more: Partial<Pick<AggregateField, "higherIsBetter" | "unit" | "cutoff">> = {},
): AggregateField {
  return { label, support: field, path: [field], higherIsBetter: true, unit: null, cutoff: null, ...more };
}

/** The metrics that every aggregate has, in the order of its tables. */
export const aggregateFields: readonly AggregateField[] = [
  ...atCutoffs("hit_at_k", "hit", "chunk"),
  single("mrr", "MRR@10", { unit: "chunk", cutoff: 10 }),
  ...atCutoffs("recall_at_k_doc", "doc recall", "doc"),
  ...atCutoffs("precision_at_k_chunk", "precision", "chunk"),
  single("citation_coverage", "citation coverage"),
  single("groundedness", "text checks"),
  single("refusal_correctness", "refusal correctness"),
  single("empty_result_rate", "empty results", { higherIsBetter: false }),
];

/**
 * The printed name of a field that is given by its name in the record: `groundedness`, `mrr`, `hit_at_k.5`.
 */
export function labelOfField(name: string): string {
  return aggregateFields.find(({ path }) => path.join(".") === name)?.label ?? name;
}

/** The printed names of the metrics that every aggregate has: `hit@5`, `MRR@10`. */
export const fixedMetrics: readonly string[] = aggregateFields.map(({ label }) => label);
