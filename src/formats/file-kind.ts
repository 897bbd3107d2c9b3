import { readFormats, type ReadFormatName } from "./catalog.js";
import { columnNames, headerLine, withoutComments } from "./csv.js";
import { headOf } from "./decode-text.js";
import type { ReadFormatCard } from "./read-format.js";
import { columnsRead, isHeader, type Role } from "./rows.js";

/**
 * What a file of results or judgments is: lines of TREC's format, records a line each, one JSON document, a
 * format of the catalogue, or a golden set as YAML or a table.
 */
export type FileKind = "trec" | "jsonl" | "document" | "golden" | ReadFormatName;

/** How a kind of file is recognized. */
interface KnownKind {
  readonly kind: FileKind;
  /** What is looked for; both unless given. */
  readonly role?: Role;
  readonly fits: (line: string) => boolean;
}

/**
 * By the first line that says anything, not by the file's name, which may say anything: the first row that
 * fits. What is nothing else is for the reader of TREC's format to refuse, with line and column.
 */
const kinds = (): KnownKind[] => [
  // Whatever its ids look like.
  { kind: "trec", role: "qrels", fits: (line) => QRELS_LINE.test(line) },
  { kind: "jsonl", fits: isRecordLine },
  { kind: "document", fits: (line) => /^[[{]/.test(line) },
  { kind: "golden", role: "qrels", fits: (line) => YAML_LINE.test(line) || isGoldenHeader(line) },
  ...readFormats.map((card: ReadFormatCard & { readonly name: ReadFormatName }) => ({
    kind: card.name,
    ...card,
  })),
  { kind: "trec", fits: () => true },
];

/** Query, subtopic, item and grade. */
const QRELS_LINE = /^\S+[ \t]+\S+[ \t]+\S+[ \t]+[+-]?\d+$/;
/** Query, iteration, item, rank, score and name. */
const RUN_LINE = /^\S+\s+\S+\s+\S+\s+\d+\s+[+-]?\.?\d\S*\s+\S+$/;
/** One JSON object of `{ query: { id: score } }`; a recorded run may begin with its configuration. */
const ID_SCORES = /^\s*\{\s*"(?!config_snapshot")[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*-?\d/;
/** Fields of a line of a TREC run; qrels have four. */
const RUN_FIELDS = 6;
/** A key of YAML, or an item of its lists: what a golden set begins with. */
const YAML_LINE = /^(?:-(?:\s|$)|\w+:(?:\s|$))/;

/** What a file is that begins like this. */
export function fileKind(head: string, role: Role): FileKind {
  const line = firstLineOf(head);
  const found = kinds().find(({ role: only = role, fits }) => only === role && fits(line));
  return (found as KnownKind).kind;
}

/** Whether the first bytes of a file look like TREC's format. */
export function bytesLookLikeTrec(head: Uint8Array, role: Role): boolean {
  return fileKind(new TextDecoder().decode(head), role) === "trec";
}

/** Whether a text begins as a run of ids and scores, and not with something that is no format at all. */
export function beginsAsScoredRun(head: string): boolean {
  const line = firstLineOf(head);
  const names = isRecordLine(line) ? Object.keys(JSON.parse(line) as object) : columnNames(line);
  return RUN_LINE.test(line) || columnsRead(names, "run") !== null || ID_SCORES.test(head);
}

/** Whether a line names the columns of a golden set. */
export function isGoldenHeader(line: string): boolean {
  const names = columnNames(line);
  return names.includes("id") && names.includes("query") && !isHeader(names);
}

/** Whether the lines of a JSONL file are golden queries. */
export function isGoldenLine(head: string): boolean {
  if (GOLDEN_KEY.test(head)) return true;
  const names = Object.keys(JSON.parse(firstLineOf(head)) as object);
  return names.includes("id") && names.includes("query") && !isHeader(names);
}

const GOLDEN_KEYS = [
  "expected_chunk_ids",
  "expected_doc_ids",
  "expected_spans",
  "judgments",
  "must_contain",
  "expected_refusal",
  "forbidden",
];

const GOLDEN_KEY = new RegExp(`"(?:${GOLDEN_KEYS.join("|")})"\\s*:`);

/** A key of YAML or JSON that only golden queries have, at the beginning of a line or behind a brace. */
const WRITTEN_GOLDEN_KEY = new RegExp(
  `(?:^|[{,])[ \\t]*(?:- )?"?(?:${GOLDEN_KEYS.join("|")})"?[ \\t]*:`,
  "m",
);
const HITS = /"hits_top_k"\s*:/;

/** Whether a text is a golden set and no run. */
export function isLikelyGolden(head: string): boolean {
  return !HITS.test(head) && WRITTEN_GOLDEN_KEY.test(head);
}

/** Whether the first bytes of a file look like a golden set, be it a text or a table. */
export function bytesLookGolden(head: Uint8Array): boolean {
  const text = headOf(head);
  return isLikelyGolden(text) || isGoldenHeader(firstLineOf(text));
}

/** Whether a text is a run and no golden set. */
export function isLikelyRun(head: string): boolean {
  return HITS.test(head) && !WRITTEN_GOLDEN_KEY.test(head);
}

/**
 * What a file of judgments or of results most likely is, when it is not stated.
 *
 * @param bytes its beginning is enough.
 */
export function likelyRole(bytes: Uint8Array): Role {
  const head = headOf(bytes);
  const line = firstLineOf(head);
  const card = readFormats.find(({ fits }) => fits(line)) as ReadFormatCard | undefined;
  if (card?.role !== undefined && !YAML_LINE.test(line)) return card.role;
  const isGraded = /"(?:grade|relevance|rel|rating|requests|label|judgment)"\s*:/.test(head);
  if (isLikelyBeir(head)) return "qrels";
  if (/"rank"\s*:/.test(head) && !isGraded && !WRITTEN_GOLDEN_KEY.test(head)) return "run";
  if (/"(?:hits_top_k|_score|score)"\s*:/.test(head) || /"details"\s*:/.test(head)) return "run";
  if (isGraded || new RegExp(`\\b(?:${GOLDEN_KEYS.join("|")})\\b`).test(head)) return "qrels";
  if (isHeader(columnNames(line)))
    return /\b(?:grade|relevance|rel|rating|label|judgment|corpus-id)\b/i.test(line) ? "qrels" : "run";
  if (/"results"\s*:\s*\[/.test(head)) return "run";
  if (/^[[{]/.test(line)) return /:\s*-?\d+\.\d/.test(head) ? "run" : "qrels";
  return line.split(/\s+/).length >= RUN_FIELDS || line === "" ? "run" : "qrels";
}

/** Whether JSON has judgments in BEIR's columns, which calls the grade a score: one that is whole. */
function isLikelyBeir(head: string): boolean {
  const isOther = HITS.test(head) || /"rank"\s*:|"score"\s*:\s*"?-?\d*\.\d*[1-9]/.test(head);
  return /"corpus-id"\s*:/.test(head) && !isOther;
}

/** The first line of a text that says anything. */
function firstLineOf(head: string): string {
  return headerLine(withoutComments(head.replace(/^\ufeff/, ""))).trim();
}

/**
 * Whether a line is a record of its own: not the beginning of a longer document, nor a whole document of one
 * line.
 */
function isRecordLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).some((member) => typeof member !== "object") &&
      !["requests", "details", "queries", "results"].some(
        (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "object",
      )
    );
  } catch {
    return false;
  }
}
