import { InputError, throwProblems } from "../foundation/errors/index.js";
import { shapeProblems, type EvaluationPartial } from "../records/index.js";
import { evaluationPartialSchema } from "../records/schema/index.js";
import { locateIn } from "./located.js";
import { wholeJson } from "./whole-json.js";

/** More than fit into one text: scores in full precision have up to 20 characters. */
const MOST_SCORES = 25_000_000;

/**
 * Reads a partial of an evaluation.
 *
 * @throws InputError `PARTIAL_SHAPE` with every problem, each with its place.
 */
export function parseEvaluationPartial(text: string, file: string): EvaluationPartial {
  const plain = tryToParse(text);
  // Places are looked for where something is wrong only: millions of scores take long to walk.
  if (plain !== undefined && evaluationPartialSchema.safeParse(plain).success)
    return plain as EvaluationPartial;
  const document = wholeJson(text, file, "PARTIAL_SHAPE");
  throwProblems(
    shapeProblems(evaluationPartialSchema, document.value, {
      code: "PARTIAL_SHAPE",
      locate: locateIn(document, file),
    }),
  );
  return document.value as EvaluationPartial;
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A partial as it is written.
 *
 * @throws InputError `FILE_TOO_LARGE` for one that could not be read again.
 */
export function formatEvaluationPartial(partial: EvaluationPartial): string {
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
