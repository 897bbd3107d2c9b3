import {
  expectShape,
  optional,
  isA,
  listOf,
  nullish,
  recordOf,
  text,
  type Shape,
} from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { isSlip } from "../foundation/ids/index.js";
import { place, yesOrNo } from "./check-run.js";

// Every answer contains the empty text.
const filled = isA("a string that is not empty", (value) => typeof value === "string" && value !== "");

const graded = recordOf(
  { chunk_id: optional(text), doc_id: optional(text), grade: isA("a finite number", Number.isFinite) },
  "give an object with `grade` and either `chunk_id` or `doc_id`",
);

/** Of an item that is judged twice it is not clear which grade counts. */
const judgments: Shape = (value) => {
  const known = { chunk: new Map<string, number>(), document: new Map<string, number>() };
  return listOf((each) => {
    const problem = graded(each);
    if (problem !== undefined) return problem;
    const { chunk_id, doc_id, grade } = each as { chunk_id?: string; doc_id?: string; grade: number };
    const id = chunk_id ?? doc_id;
    if (id === undefined || (chunk_id !== undefined && doc_id !== undefined))
      return ["", `must have either a \`chunk_id\` or a \`doc_id\`, got ${quote(each)}`];
    const unit = chunk_id === undefined ? "document" : "chunk";
    const before = known[unit].get(id);
    known[unit].set(id, grade);
    return before === undefined || before === grade
      ? undefined
      : [
          "",
          `gives ${unit} ${quote(id)} grade ${grade}, which has grade ${before}; keep the one that counts`,
        ];
  })(value);
};

const texts = optional(listOf(filled));
const measured = {
  expected_chunk_ids: texts,
  expected_doc_ids: texts,
  must_contain: texts,
  forbidden: texts,
  judgments: optional(judgments),
  expected_spans: optional(listOf(recordOf({ span: place }, "give an object with `doc_id` and `span`"))),
  expected_refusal: nullish(yesOrNo),
};
const version = isA("a text or a number", (value) => typeof value === "string" || Number.isFinite(value));
const goldenSet = recordOf(
  { queries: listOf(), chunker_version: nullish(version) },
  "give an object with `queries`, or a list of queries",
);
const goldenQuery = recordOf({ id: text, query: text, ...measured }, "give an object with `id` and `query`");

/**
 * The queries of a golden set, or of its bare list. @throws InputError `GOLDEN_SHAPE` where there are none to
 * walk through
 */
export function queryList(golden: unknown): readonly unknown[] {
  if (Array.isArray(golden)) return golden;
  expectShape(golden, goldenSet, "GOLDEN_SHAPE", "a golden set", "golden set: ");
  return (golden as { readonly queries: readonly unknown[] }).queries;
}

/** Refuses golden queries that cannot be walked through. @throws InputError `GOLDEN_SHAPE` */
export function checkGoldenRecords(queries: readonly unknown[]): void {
  // A hole in the list is a query, too.
  [...queries].forEach((query, index) => {
    const at = `golden query ${index + 1}`;
    expectShape(query, goldenQuery, "GOLDEN_SHAPE", at);
    const fields = query as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(fields)) {
      // Other names may be anybody's; of these one would silently change what is measured.
      const near = Object.hasOwn(measured, name)
        ? undefined
        : Object.keys(measured).find((right) => isSlip(name, right));
      if (near !== undefined && fields[near] === undefined)
        throw new InputError(
          "GOLDEN_UNKNOWN_KEY",
          `${at}: unknown key ${quote(name)}; did you mean ${quote(near)}?`,
        );
    }
  });
}
