import { quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { textOf } from "./decode-text.js";
import { jsonLines } from "./jsonl.js";
import { locateIn } from "./located.js";

/** The names that programs give to a vector and to what it is of, the first that is there counts. */
const IDS = ["id", "_id", "chunk_id", "doc_id", "query_id"];
const VECTORS = ["vector", "embedding", "values"];

/**
 * Reads vectors: JSONL of an id and a list of numbers, all of one length.
 *
 * @returns by id, in the order of the file.
 * @throws InputError `FIXTURE_SYNTAX` or `FIXTURE_SHAPE` with all problems, each with line and column.
 */
export function parseVectors(source: string | Uint8Array, file = "vectors.jsonl"): Map<string, Float32Array> {
  const { lines, problems } = jsonLines(textOf(source, file), file, "FIXTURE_SYNTAX");
  const vectors = new Map<string, Float32Array>();
  let dimensions: number | undefined;
  for (const { value, lineOffset, located } of lines) {
    const fields = new Map<string, unknown>(
      Object.entries(typeof value === "object" && value !== null ? value : {}),
    );
    const problem = (field: string, message: string): Problem => ({
      code: "FIXTURE_SHAPE",
      ...locateIn(located(), file, lineOffset)([field]),
      message,
    });
    const [idName = "id", vectorName = "vector"] = [IDS, VECTORS].map((names) =>
      names.find((name) => fields.has(name)),
    );
    const [id, vector] = [fields.get(idName), fields.get(vectorName)];
    if (typeof id !== "string" && typeof id !== "number")
      problems.push(problem(idName, `a vector needs an id: a text in ${IDS.map(quote).join(", ")}`));
    else if (vectors.has(String(id)))
      problems.push(problem(idName, `id ${quote(id)} is duplicated; every vector needs an id of its own`));
    else if (!isVector(vector))
      problems.push(
        problem(vectorName, `${vectorName} must be a list of finite numbers, got ${quote(vector)}`),
      );
    else if (vector.length !== (dimensions ??= vector.length))
      problems.push(
        problem(
          vectorName,
          `${vectorName} must have ${dimensions} numbers as the one before, got ${vector.length}`,
        ),
      );
    else vectors.set(String(id), Float32Array.from(vector));
  }
  throwProblems(problems);
  return vectors;
}

function isVector(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((number) => typeof number === "number" && Number.isFinite(number))
  );
}
