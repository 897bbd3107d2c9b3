import { quote, throwProblems, type ErrorCode, type Problem } from "../foundation/errors/index.js";
import type { Path } from "../records/index.js";
import { textOf } from "./decode-text.js";
import { jsonLines } from "./jsonl.js";
import { locateIn, type LocatedDocument } from "./located.js";
import { wholeJson } from "./whole-json.js";

/** Of the fields of a record without a text. */
const MOST_NAMED = 8;

/** A document of a collection. */
export interface CorpusDocument {
  readonly id: string;
  /** Empty where there is none. */
  readonly title: string;
  readonly text: string;
}

/** How the records of a file are named, and what is said of them. */
export interface DocumentNames {
  /** Fields that may hold the id and the text; the first that is there counts. */
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  /** Whether whole numbers are ids too. */
  readonly numericIds: boolean;
  /** The code of what is no JSON, and of what is no document. */
  readonly codes: readonly [syntax: ErrorCode, shape: ErrorCode];
}

const ANY_NAMES: DocumentNames = {
  ids: ["_id", "id", "doc_id", "docid"],
  texts: ["text", "body", "content", "contents"],
  numericIds: true,
  codes: ["CORPUS_SYNTAX", "CORPUS_SHAPE"],
};

/**
 * Reads the documents of a collection: JSONL with one a line, or a JSON list. The id stands under `_id`,
 * `id`, `doc_id` or `docid`, the text under `text`, `body`, `content` or `contents`, a title under `title`
 * where there is one.
 *
 * @param source the text, or the bytes of the file.
 * @throws InputError `CORPUS_SYNTAX` or `CORPUS_SHAPE` with every problem, each with line and column.
 */
export function parseDocuments(source: string | Uint8Array, file = "corpus"): CorpusDocument[] {
  const documents = documentRecords(source, file, ANY_NAMES);
  if (documents.length === 0)
    throwProblems([
      {
        code: "CORPUS_SHAPE",
        where: file,
        message: 'has no documents; give one `{"id": …, "text": …}` a line',
      },
    ]);
  return documents;
}

/** One record of a file, with its positions once they are asked for. */
interface WrittenRecord {
  readonly value: unknown;
  readonly place: (path: Path) => Pick<Problem, "where" | "line" | "column">;
}

/**
 * The records of a file that have an id and a text, in their order. Throws where one has not, or where an id
 * is duplicated.
 */
export function documentRecords(
  source: string | Uint8Array,
  file: string,
  { ids, texts, numericIds, codes: [syntax, code] }: DocumentNames,
): CorpusDocument[] {
  const { records, problems } = readWrittenRecords(textOf(source, file), file, syntax);
  const documents = new Map<string, CorpusDocument>();
  for (const { value, place } of records) {
    const fields = new Map<string, unknown>(Object.entries(value ?? {}));
    const findName = (names: readonly string[]): string =>
      names.find((name) => fields.has(name)) ?? (names[0] as string);
    const [idField, textField] = [findName(ids), findName(texts)];
    const [id, title, text] = [fields.get(idField), fields.get("title"), fields.get(textField)];
    const key = numericIds && Number.isSafeInteger(id) ? String(id) : id;
    const wrong = (field: string, message: string): void =>
      void problems.push({ code, ...place([field]), message });
    const oneOf = (names: readonly string[], field: string): string =>
      names.length > 1 && !fields.has(field) ? `one of ${names.map(quote).join(", ")}` : field;
    if (typeof key !== "string" || key === "")
      wrong(idField, `${oneOf(ids, idField)} must be a string that is not empty${gotOf(id, fields)}`);
    else if (documents.has(key))
      wrong(idField, `${idField} ${quote(key)} is duplicated; every record needs an id of its own`);
    else if (typeof text !== "string")
      wrong(textField, `${oneOf(texts, textField)} must be a string${gotOf(text, fields)}`);
    else documents.set(key, { id: key, title: typeof title === "string" ? title : "", text });
  }
  throwProblems(problems);
  return [...documents.values()];
}

/** What stands in place of a value; where there is none, the fields that there are. */
function gotOf(value: unknown, fields: ReadonlyMap<string, unknown>): string {
  if (value !== undefined) return `, got ${quote(value)}`;
  const names = [...fields.keys()].slice(0, MOST_NAMED).map(quote);
  return names.length === 0 ? "; it has no fields" : `; it has ${names.join(", ")}`;
}

function readWrittenRecords(
  text: string,
  file: string,
  syntax: ErrorCode,
): { records: WrittenRecord[]; problems: Problem[] } {
  if (!text.trimStart().startsWith("[")) {
    const { lines, problems } = jsonLines(text, file, syntax);
    return {
      records: lines.map(({ value, lineOffset, located }) => ({
        value,
        place: (path) => locateIn(located(), file, lineOffset)(path),
      })),
      problems,
    };
  }
  const document: LocatedDocument = wholeJson(text, file, syntax);
  const locate = locateIn(document, file);
  return {
    records: (document.value as readonly unknown[]).map((value, index) => ({
      value,
      place: (path) => locate([index, ...path]),
    })),
    problems: [],
  };
}
