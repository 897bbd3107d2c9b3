import { entriesOf } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";

/** One judgment: how relevant an item is for a query. */
export interface Qrel {
  readonly query_id: string;
  readonly doc_id: string;
  /** A finite number. Below 0 means: in the pool, but not judged. */
  readonly grade: number;
  /** The subtopic of the query that the grade is about. */
  readonly subtopic?: string;
}

/** Judgments as a caller may have them: query id to item id to grade, or a list. */
export type QrelsInput =
  | Qrels
  | ReadonlyMap<string, ReadonlyMap<string, number>>
  | Readonly<Record<string, Readonly<Record<string, number>>>>
  | readonly Qrel[];

/** The judgments of one query. */
export interface QueryJudgments {
  /** Item id to grade, negative ones included. With subtopics, the best grade over them. */
  readonly grades: ReadonlyMap<string, number>;
  /** The grades from 0 on, highest first. */
  readonly pool: Float64Array;
  /** Present when the judgments name subtopics. */
  readonly subtopics?: JudgedSubtopics;
}

/**
 * Judgments by subtopic: for each document its grades, and where each document is in that list. Neither
 * depends on the order in which judgments came.
 */
export interface JudgedSubtopics {
  /** By id descending, as `SubtopicJudgments` wants them. */
  readonly documents: readonly (readonly (readonly [subtopic: number, grade: number])[])[];
  readonly places: ReadonlyMap<string, number>;
}

/** Shared by every copy of the package: the command line has two. */
const prepared: unique symbol = Symbol.for("rankproof.qrels");

/**
 * Judgments, checked and ordered once, to be used for as many runs as one likes. {@link prepareQrels} makes
 * them.
 */
export interface Qrels {
  readonly queries: ReadonlyMap<string, QueryJudgments>;
  /** The highest grade of all. */
  readonly highest: number;
  readonly [prepared]: true;
}

/**
 * Checks judgments and puts them in order.
 *
 * @throws InputError `QRELS_GRADE` for a grade that is not a finite number, `QRELS_DUPLICATE` for an item
 * that is judged twice.
 */
export function prepareQrels(input: QrelsInput): Qrels {
  if (isPrepared(input)) return input;
  const queries = new Map<string, QueryJudgments>();
  let highest = 0;
  for (const [queryId, { grades, subtopics }] of gatherQrels(input)) {
    const pool = Float64Array.from(grades.values(), (grade) => grade).filter((grade) => grade >= 0);
    pool.sort().reverse();
    highest = Math.max(highest, pool[0] ?? 0);
    queries.set(queryId, { grades, pool, ...(subtopics && { subtopics }) });
  }
  return { queries, highest, [prepared]: true };
}

function isPrepared(input: QrelsInput): input is Qrels {
  return typeof input === "object" && (input as QrelsInput | null) !== null && prepared in input;
}

interface Gathered {
  readonly grades: Map<string, number>;
  readonly subtopics?: JudgedSubtopics;
}

function* gatherQrels(input: Exclude<QrelsInput, Qrels>): Iterable<[string, Gathered]> {
  if (Array.isArray(input)) {
    yield* gatherList(input as readonly Qrel[]);
    return;
  }
  for (const [queryId, judged] of entriesOf<unknown>(input, "qrels")) {
    if (typeof (queryId as unknown) !== "string") throw noId("qrels: a query id", queryId);
    const grades = new Map(entriesOf<number>(judged, `the judgments of query ${quote(queryId)}`));
    for (const [docId, grade] of grades) {
      if (typeof (docId as unknown) !== "string") throw noId(`query ${quote(queryId)}: an item`, docId);
      checkGrade(queryId, docId, grade);
    }
    yield [queryId, { grades }];
  }
}

interface GatheredQuery {
  readonly grades: Map<string, number>;
  /** Document id to subtopic to grade; of documents that are judged by subtopic. */
  readonly documents: Map<string, Map<string, number>>;
}

function gatherList(qrels: readonly Qrel[]): Map<string, Gathered> {
  const byQuery = new Map<string, GatheredQuery>();
  for (const [index, judgment] of qrels.entries()) {
    if (typeof judgment !== "object" || (judgment as unknown) === null)
      throw new InputError(
        "QRELS_SYNTAX",
        `judgment ${index + 1} must be an object with \`query_id\`, \`doc_id\` and \`grade\`, got ` +
          `${quote(judgment)}`,
      );
    const { query_id, doc_id, grade, subtopic } = judgment;
    if (typeof query_id !== "string") throw noId(`judgment ${index + 1}: query_id`, query_id);
    if (typeof doc_id !== "string") throw noId(`judgment ${index + 1}: doc_id`, doc_id);
    checkGrade(query_id, doc_id, grade);
    let query = byQuery.get(query_id);
    if (query === undefined) byQuery.set(query_id, (query = { grades: new Map(), documents: new Map() }));
    const before = query.grades.get(doc_id);
    const bySubtopic = query.documents.get(doc_id);
    const isTwice =
      subtopic === undefined || bySubtopic === undefined ? before !== undefined : bySubtopic.has(subtopic);
    if (isTwice) throw duplicateJudgment(query_id, doc_id);
    query.grades.set(doc_id, Math.max(before ?? -Infinity, grade));
    if (subtopic === undefined) continue;
    if (bySubtopic === undefined) query.documents.set(doc_id, new Map([[subtopic, grade]]));
    else bySubtopic.set(subtopic, grade);
  }
  return new Map(
    [...byQuery].map(([id, { grades, documents }]) => [
      id,
      { grades, ...(documents.size > 0 && { subtopics: inOrder(grades.keys(), documents) }) },
    ]),
  );
}

/** Documents that are judged without a subtopic serve none. */
function inOrder(
  ids: Iterable<string>,
  documents: ReadonlyMap<string, ReadonlyMap<string, number>>,
): JudgedSubtopics {
  const subtopics = [
    ...new Set([...documents.values()].flatMap((bySubtopic) => [...bySubtopic.keys()])),
  ].sort(compareSubtopics);
  const numbers = new Map(subtopics.map((subtopic, number) => [subtopic, number]));
  const order = [...ids].sort((a, b) => compareIds(b, a));
  const grades = (id: string): [number, number][] =>
    Array.from(documents.get(id) ?? [], ([subtopic, grade]): [number, number] => [
      numbers.get(subtopic) as number,
      grade,
    ]).sort(([a], [b]) => a - b);
  return { documents: order.map(grades), places: new Map(order.map((id, place) => [id, place])) };
}

/**
 * As numbers, which is what most of them are and the order in which ndeval adds up: the shorter one first.
 */
function compareSubtopics(a: string, b: string): number {
  return a.length - b.length || compareIds(a, b);
}

function checkGrade(queryId: string, docId: string, grade: number): void {
  if (!Number.isFinite(grade))
    throw new InputError(
      "QRELS_GRADE",
      `query ${quote(queryId)}, item ${quote(docId)}: grade must be a finite number, got ` +
        `${quote(grade)}; use 0 for not relevant`,
      { queryId, docId },
    );
}

function noId(what: string, id: unknown, code: "QRELS_SYNTAX" | "RUN_SHAPE" = "QRELS_SYNTAX"): InputError {
  return new InputError(code, `${what} must be a string, got ${quote(id)}; write \`String(id)\``);
}

function duplicateJudgment(queryId: string, docId: string): InputError {
  return new InputError(
    "QRELS_DUPLICATE",
    `query ${quote(queryId)}: item ${quote(docId)} is judged twice; keep one of the judgments`,
    { queryId, docId },
  );
}

/**
 * Ids that are judged ones but for how Unicode writes them or for white space around them: most likely the
 * same was meant.
 */
export function nearlyJudged(id: string, judged: { has(id: string): boolean }): string | null {
  if (typeof (id as unknown) !== "string") throw noId("run: an id", id, "RUN_SHAPE");
  // Most ids can be written in one way only.
  if (!/[^!-~]/.test(id)) return null;
  const plain = id.trim().normalize("NFC");
  if (plain !== id && judged.has(plain)) return plain;
  const decomposed = plain.normalize("NFD");
  return decomposed !== id && judged.has(decomposed) ? decomposed : null;
}

/** A grade cut to a whole number, as C does: 1.9 is 1, and -0.5 is 0. */
export function wholeGrade(grade: number): number {
  return Math.trunc(grade) + 0;
}

/** The judgments with all grades cut to whole numbers. */
export function withWholeGrades(qrels: Qrels): Qrels {
  if ([...qrels.queries.values()].every(({ grades }) => [...grades.values()].every(Number.isInteger)))
    return qrels;
  const queries = [...qrels.queries].map(([id, { grades, subtopics }]): [string, QueryJudgments] => [
    id,
    {
      grades: new Map([...grades].map(([docId, grade]) => [docId, wholeGrade(grade)])),
      // A grade between -1 and 0 becomes 0, and so joins the pool.
      pool: Float64Array.from([...grades.values()].map(wholeGrade).filter((grade) => grade >= 0))
        .sort()
        .reverse(),
      ...(subtopics && {
        subtopics: {
          ...subtopics,
          documents: subtopics.documents.map((pairs) =>
            pairs.map(([subtopic, grade]) => [subtopic, wholeGrade(grade)] as const),
          ),
        },
      }),
    },
  ]);
  return { queries: new Map(queries), highest: wholeGrade(qrels.highest), [prepared]: true };
}
