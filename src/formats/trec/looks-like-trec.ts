import { separatorOf } from "../csv.js";
import { isHeader, type Role } from "../rows.js";

/** A key of YAML, or an item of its lists: what a golden set begins with. */
const YAML = /^(?:-(?:\s|$)|\w+:(?:\s|$))/;

/** A line of qrels, whatever its ids look like. */
const QRELS = /^\S+[ \t]+\S+[ \t]+\S+[ \t]+[+-]?\d+$/;

/** The first line of a text that says anything. */
export function firstLineOf(head: string): string {
  return head.split("\n").find((line) => line.trim() !== "" && !line.trimStart().startsWith("#")) ?? "";
}

/** Whether a line names the columns of a run or of judgments. */
export function isHeaderLine(line: string): boolean {
  return isHeader(namesIn(line));
}

/** Whether a line names the columns of a golden set. */
export function isGoldenHeaderLine(line: string): boolean {
  const names = namesIn(line);
  return names.includes("id") && names.includes("query") && !isHeader(names);
}

function namesIn(line: string): string[] {
  return line.split(separatorOf(line)).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .toLowerCase(),
  );
}

/**
 * Whether the beginning of a file looks like TREC's format: it is no JSON, no table with a header, and, where
 * judgments are looked for, no YAML. What else it could be is for the reader of TREC's format to refuse, with
 * line and column.
 */
export function looksLikeTrec(head: string, role: Role): boolean {
  const line = firstLineOf(head.replace(/^\ufeff/, "")).trim();
  if (role === "qrels" && QRELS.test(line)) return true;
  const isGolden = role === "qrels" && (YAML.test(line) || isGoldenHeaderLine(line));
  return !/^[[{]/.test(line) && !isHeaderLine(line) && !isGolden;
}

/**
 * Whether the first bytes of a file look like TREC's format, and not like JSON, a table with a header, or
 * YAML.
 */
export function bytesLookLikeTrec(head: Uint8Array, role: Role): boolean {
  return looksLikeTrec(new TextDecoder().decode(head), role);
}
