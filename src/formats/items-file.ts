import { quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { columnNames, headerLine, readTable } from "./csv.js";
import { textOf } from "./decode-text.js";
import { jsonLines } from "./jsonl.js";
import { locateIn, placeIn } from "./located.js";
import { wholeJson } from "./whole-json.js";

/** The names that programs give to an item's id; the first that is there counts. */
const IDS = [
  "id",
  "_id",
  "item_id",
  "product_id",
  "sku",
  "chunk_id",
  "doc_id",
  "docid",
  "docno",
  "pid",
  "passage_id",
];

/** What can be found, as raters see it: an id, and fields of any kind. */
export interface CorpusItem {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads a corpus for labelling: JSONL, or a JSON list, of objects with an id (a text or a whole number, in
 * `id`, `_id`, `item_id`, `product_id`, `sku`, `chunk_id`, `doc_id`, `docid`, `docno`, `pid` or
 * `passage_id`) and any further fields; or a table
 * whose first line names them, of which empty cells are fields that are not there.
 *
 * @throws InputError `CORPUS_SYNTAX`, `CORPUS_SHAPE` with every problem, each with its place.
 */
export function parseItems(source: string | Uint8Array, file = "corpus"): CorpusItem[] {
  const text = textOf(source, file);
  const items = new Map<string, CorpusItem>();
  const problems: Problem[] = [];
  const add = (value: unknown, where: (field: string) => Pick<Problem, "where">): void => {
    const fields = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
    const name = IDS.find((each) => Object.hasOwn(fields, each));
    const { [name ?? ""]: given, ...rest } = fields as Record<string, unknown>;
    const isId = (typeof given === "string" && given !== "") || Number.isSafeInteger(given);
    const problem = (message: string): void =>
      void problems.push({ code: "CORPUS_SHAPE", ...where(name ?? ""), message });
    if (!isId) return problem(`an item needs an id: a text in ${IDS.map(quote).join(", ")}`);
    const id = String(given);
    if (!id.isWellFormed() || id.includes("\0"))
      return problem(`id ${quote(id)} has half a character or a zero byte, which no store keeps`);
    if (items.has(id)) return problem(`id ${quote(id)} is duplicated; every item needs an id of its own`);
    items.set(id, { id, fields: rest });
  };
  if (isTable(text)) {
    readTable(
      text,
      (at, message) => problems.push({ code: "CORPUS_SYNTAX", ...placeIn(file, at), message }),
      ({ values, at }) => {
        const id = IDS.find((name) => values.has(name));
        const filled = [...values].filter(([name, cell]) => name === id || (name !== "" && cell !== ""));
        add(Object.fromEntries(filled), (field) => placeIn(file, at(field)));
      },
    );
  } else if (/^\s*\[/.test(text)) {
    const document = wholeJson(text, file, "CORPUS_SYNTAX");
    const locate = locateIn(document, file);
    (document.value as unknown[]).forEach((value, at) => add(value, (field) => locate([at, field])));
  } else {
    const { lines, problems: syntax } = jsonLines(text, file, "CORPUS_SYNTAX");
    // Not `push(...syntax)`: a hundred thousand lines are too many arguments.
    for (const problem of syntax) problems.push(problem);
    for (const { value, lineOffset, located } of lines)
      add(value, (field) => locateIn(located(), file, lineOffset)([field]));
  }
  if (problems.length === 0 && items.size === 0)
    problems.push({ code: "CORPUS_SHAPE", where: file, message: "has no items; give one object a line" });
  throwProblems(problems);
  return [...items.values()];
}

/** Whether the first line names columns, an id and something else. */
function isTable(text: string): boolean {
  const names = columnNames(headerLine(text));
  return names.length > 1 && IDS.some((name) => names.includes(name));
}
