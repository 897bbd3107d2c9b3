import {
  expectShape,
  given,
  isA,
  listOf,
  optional,
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
  { chunk_id: given(text), doc_id: given(text), grade: isA("a finite number", Number.isFinite) },
  "give an object with `grade` and either `chunk_id` or `doc_id`",
);
const ofOne = isA("of either a `chunk_id` or a `doc_id`", (value) => {
  const { chunk_id, doc_id } = value as Readonly<Record<string, unknown>>;
  return (chunk_id === undefined) !== (doc_id === undefined);
});

/** Of an item that is judged twice it is not clear which grade counts. */
const judgments: Shape = (value) => {
  const grades = new Map<string, unknown>();
  return listOf((each) => {
    const problem = graded(each) ?? ofOne(each);
    if (problem !== undefined) return problem;
    const { chunk_id, doc_id, grade } = each as Readonly<Record<string, unknown>>;
    const item = JSON.stringify([chunk_id, doc_id]);
    const before = grades.get(item) ?? grade;
    grades.set(item, grade);
    return isA(`of grade ${quote(before)}, as it is before`, (again) => again === before)(grade);
  })(value);
};

const texts = given(listOf(filled));
const measured = {
  expected_chunk_ids: texts,
  expected_doc_ids: texts,
  must_contain: texts,
  forbidden: texts,
  judgments: given(judgments),
  expected_spans: given(listOf(recordOf({ span: place }, "give an object with `doc_id` and `span`"))),
  expected_refusal: optional(yesOrNo),
};
const goldenQuery = recordOf({ id: text, query: text, ...measured }, "give an object with `id` and `query`");

/**
 * The queries of a golden set, or of its bare list. @throws InputError `GOLDEN_SHAPE` where there are none to
 * walk through
 */
export function queryList(golden: unknown): readonly unknown[] {
  if (Array.isArray(golden)) return golden;
  const set = recordOf({ queries: listOf() }, "give an object with `queries`, or a list of queries");
  expectShape(golden, set, "GOLDEN_SHAPE", "a golden set", "golden set: ");
  return (golden as { readonly queries: readonly unknown[] }).queries;
}

/** Refuses golden queries that cannot be walked through. @throws InputError `GOLDEN_SHAPE` */
export function checkGoldenRecords(queries: readonly unknown[]): void {
  queries.forEach((query, index) => {
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
