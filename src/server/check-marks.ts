import { InputError, quote } from "../foundation/errors/index.js";
import { isLabelGrade, isTimestamp, LABEL_SCALE, type WorkbenchMark } from "../records/index.js";

/** Most marks in one request. */
const MOST_MARKS = 500;
const LONGEST_NOTE = 2000;
/** Whoever has the key of the page may say what was shown, but not without end. */
const LONGEST_ID = 4000;
/** Of an item. */
const HASH = /^[0-9a-f]{64}$/;

/** The marks of a request. @throws InputError `LABEL_SHAPE` for what is none. */
export function checkMarks(given: unknown): WorkbenchMark[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_MARKS)
    throw wrongMark(`marks must be a list of 1 to ${MOST_MARKS}`);
  return given.map((each: unknown) => {
    const mark = (typeof each === "object" && each !== null ? each : {}) as Partial<WorkbenchMark>;
    const { mark: id, query_id, item, outcome, grade = null, reason = null, is_repeat, at } = mark;
    const { item_hash = null } = mark;
    if (typeof id !== "string" || !/^[\w-]{8,64}$/.test(id)) throw wrongMark("a mark must have an id");
    if (typeof query_id !== "string" || typeof item !== "string" || item.length > LONGEST_ID)
      throw wrongMark("a mark must name a query and an item");
    if (item_hash !== null && !(typeof item_hash === "string" && HASH.test(item_hash)))
      throw wrongMark("the hash of a mark's item must be the one that came with the item");
    if (outcome !== "graded" && outcome !== "cannot_tell" && outcome !== "withdrawn")
      throw wrongMark("the outcome of a mark must be graded, cannot_tell or withdrawn");
    if (outcome === "graded" && !isLabelGrade(grade))
      throw wrongMark(`the grade of a mark must be ${LABEL_SCALE.join(", ")}, got ${quote(grade)}`);
    if (typeof at !== "string" || !isTimestamp(at))
      throw wrongMark("a mark must have the time at which it was made");
    if (reason !== null && (typeof reason !== "string" || reason.length > LONGEST_NOTE))
      throw wrongMark(`a note must be a text of at most ${LONGEST_NOTE} characters`);
    return {
      mark: id,
      query_id,
      item,
      outcome,
      grade: outcome === "graded" ? grade : null,
      reason,
      is_repeat: is_repeat === true,
      item_hash,
      at,
    };
  });
}

/** The error for a pair that the dataset does not have. */
export function unknownPair({ query_id, item }: WorkbenchMark): InputError {
  return wrongMark(`the dataset has no query ${quote(query_id)} with an item ${quote(item)}`);
}

function wrongMark(message: string): InputError {
  return new InputError("LABEL_SHAPE", message);
}
