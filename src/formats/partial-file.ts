import { InputError } from "../foundation/errors/index.js";
import { resultKind, type AggregatePartial, type EvaluationPartial } from "../records/index.js";
import { aggregatePartialSchema, evaluationPartialSchema } from "../records/schema/index.js";
import { checkShape, wholeJson } from "./whole-json.js";

/** More than fit into one text: scores in full precision have up to 20 characters. */
const MOST_SCORES = 25_000_000;

/** What a command left of some shards. */
export type AnyPartial = EvaluationPartial | AggregatePartial;

/** Whether a partial is of an aggregate; else it is of an evaluation. */
export function isAggregatePartial(partial: unknown): partial is AggregatePartial {
  return (partial as Partial<AggregatePartial> | null)?.kind === "aggregate_partial";
}

/**
 * Reads a partial of an evaluation or of an aggregate.
 *
 * @throws InputError `PARTIAL_SHAPE` with every problem, each with its place.
 */
export function parsePartial(text: string, file: string): AnyPartial {
  const document = wholeJson(text, file, "PARTIAL_SHAPE");
  if (isPartOfBatch(document.value))
    throw new InputError(
      "PARTIAL_SHAPE",
      `${file}: it has answers to a part of a batch; give it to \`rankproof batch run DATASET --from\``,
    );
  if (isWhole(document.value))
    throw new InputError(
      "PARTIAL_SHAPE",
      `${file}: has scores of a whole run, and is no partial; \`--shard 1/2 --partial FILE\` writes one`,
    );
  const schema = isAggregatePartial(document.value) ? aggregatePartialSchema : evaluationPartialSchema;
  return checkShape(schema, document, file, "PARTIAL_SHAPE") as AnyPartial;
}

const isPartOfBatch = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "results" in value && "shards" in value;

const isWhole = (value: unknown): boolean =>
  ["evaluation", "aggregate"].includes(resultKind(value) ?? "") && !Object.hasOwn(value as object, "shards");

/**
 * A partial as it is written.
 *
 * @throws InputError `FILE_TOO_LARGE` for one that could not be read again.
 */
export function formatPartial(partial: AnyPartial): string {
  const scores = partial.query_ids.length * partial.metrics.length;
  if (scores > MOST_SCORES)
    throw new InputError(
      "FILE_TOO_LARGE",
      `a partial holds at most ${MOST_SCORES} scores, and this one has ${scores}; use more shards or ` +
        "fewer metrics",
      { limit: MOST_SCORES },
    );
  return `${JSON.stringify(partial)}\n`;
}
