import { quote, type Problem } from "../../foundation/errors/index.js";
import { decimalOf } from "./decimal.js";
import { areUnclear, cutFields, UNCLEAR_FIELDS } from "./cut-fields.js";
import { CONTROL, decodeId, HASH_START, hashOf, mixHash } from "./id-bytes.js";
import { isRepeated } from "./is-repeated.js";
import { LineBuffer } from "./line-buffer.js";
import { LineProblems } from "./line-problems.js";

/**
 * Consecutive lines of qrels with the same query and subtopic, their items as columns. Ranges are of `bytes`,
 * and valid only while they are being handled.
 */
export interface QrelsLines {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** The number of the first line in the file, from 1 on; the others follow it. */
  readonly line: number;
  readonly queryStart: number;
  readonly queryEnd: number;
  readonly subtopicStart: number;
  readonly subtopicEnd: number;
  readonly itemStarts: Int32Array;
  readonly itemEnds: Int32Array;
  /** The hash of each item id. */
  readonly hashes: Int32Array;
  /** Finite. */
  readonly grades: Float64Array;
}

const FIELDS = 4;
const RUN_FIELDS = 6;
/** So many lines are handed on at once; few, as in the scanner of runs. */
const MOST_LINES = 32;
const TAB = 9;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH_SIGN = 35;
const ZERO = 48;
const NON_ASCII = 0x80;

/**
 * Reads TREC qrels, `query iteration item grade`, pushed in chunks of any size. Empty lines are skipped, and
 * lines that begin with `#` and are no judgment of a query `#…`.
 */
export class TrecQrelsScanner {
  readonly #onLines: (lines: QrelsLines) => void;
  readonly #lines: LineBuffer;
  readonly #problems: LineProblems;
  /** Where the last plain line begins, and how long its first two fields are; 0 where it is of no use. */
  #previousStart = 0;
  #prefixLength = 0;
  #queryStart = 0;
  #queryEnd = 0;
  #subtopicStart = 0;
  #subtopicEnd = 0;
  readonly #itemStarts = new Int32Array(MOST_LINES);
  readonly #itemEnds = new Int32Array(MOST_LINES);
  readonly #hashes = new Int32Array(MOST_LINES);
  readonly #grades = new Float64Array(MOST_LINES);
  #line = 0;

  /** @param file what errors call the file. */
  constructor(file: string, onLines: (lines: QrelsLines) => void) {
    this.#lines = new LineBuffer(file);
    this.#problems = new LineProblems(file);
    this.#onLines = onLines;
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#lines.write(chunk, this.#lines.next);
    this.#prefixLength = 0;
    while (this.#lines.next < this.#lines.whole) this.#hand(this.#scan() || this.#readOddLine());
  }

  #hand(count: number): void {
    if (count === 0) return;
    this.#onLines({
      count,
      bytes: this.#lines.bytes,
      line: this.#line - count + 1,
      queryStart: this.#queryStart,
      queryEnd: this.#queryEnd,
      subtopicStart: this.#subtopicStart,
      subtopicEnd: this.#subtopicEnd,
      itemStarts: this.#itemStarts,
      itemEnds: this.#itemEnds,
      hashes: this.#hashes,
      grades: this.#grades,
    });
  }

  /** @throws InputError with everything that is wrong. */
  end(): void {
    if (this.#lines.hasRest) this.write(Uint8Array.of(NEWLINE));
    this.#problems.throw();
  }

  #problem(code: Problem["code"], lineStart: number, at: number, message: string): void {
    this.#problems.add(code, this.#line, this.#lines.text(lineStart, at), message);
  }

  /**
   * Reads lines of one query and subtopic whose four fields stand between single blanks, in ASCII, and says
   * how many they are. One long function over local variables, as in the scanner of runs.
   */
  #scan(): number {
    const { bytes, view, whole, next } = this.#lines;
    const itemStarts = this.#itemStarts;
    const itemEnds = this.#itemEnds;
    const hashes = this.#hashes;
    const grades = this.#grades;
    let count = 0;
    let lineStart = next;
    let previousStart = this.#previousStart;
    let prefixLength = this.#prefixLength;
    while (lineStart < whole && count < MOST_LINES) {
      // Most lines begin as the line before, up to the item.
      if (prefixLength === 0 || !isRepeated(view, lineStart, previousStart, prefixLength, whole)) {
        if (count > 0) break;
        prefixLength = this.#readPrefix(lineStart);
        if (prefixLength === 0) break;
      }
      const itemStart = lineStart + prefixLength;
      const separator = bytes[itemStart - 1] as number;
      let p = itemStart;
      let byte = bytes[p] as number;
      let hash = HASH_START;
      let nonAscii = 0;
      while (byte > SPACE) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      const itemEnd = p;
      let wrong = byte ^ separator;
      const gradeStart = ++p;
      byte = bytes[p] as number;
      const digit = byte - ZERO;
      while (byte > SPACE) byte = bytes[++p] as number;
      const grade =
        p - gradeStart === 1 && digit >= 0 && digit <= 9 ? digit : decimalOf(bytes, gradeStart, p);
      if (byte === CARRIAGE_RETURN) byte = bytes[++p] as number;
      wrong |= byte ^ NEWLINE;
      if (wrong !== 0 || itemEnd === itemStart || nonAscii >= NON_ASCII || grade - grade !== 0) break;
      itemStarts[count] = itemStart;
      itemEnds[count] = itemEnd;
      hashes[count] = mixHash(hash);
      grades[count] = grade;
      count++;
      previousStart = lineStart;
      lineStart = p + 1;
    }
    this.#lines.next = lineStart;
    this.#previousStart = previousStart;
    this.#line += count;
    return count;
  }

  /**
   * Reads the first two fields of a line, and says how long they are with the blanks behind them; 0 where
   * something about them is unusual.
   */
  #readPrefix(lineStart: number): number {
    const { bytes } = this.#lines;
    this.#prefixLength = 0;
    let p = lineStart;
    let byte = bytes[p] as number;
    let nonAscii = 0;
    while (byte > SPACE) {
      nonAscii |= byte;
      byte = bytes[++p] as number;
    }
    const queryEnd = p;
    const separator = byte;
    const subtopicStart = ++p;
    byte = bytes[p] as number;
    while (byte > SPACE) {
      nonAscii |= byte;
      byte = bytes[++p] as number;
    }
    if (
      queryEnd === lineStart ||
      bytes[lineStart] === HASH_SIGN ||
      (separator !== SPACE && separator !== TAB) ||
      byte !== separator ||
      p === subtopicStart ||
      nonAscii >= NON_ASCII
    )
      return 0;
    this.#queryStart = lineStart;
    this.#queryEnd = queryEnd;
    this.#subtopicStart = subtopicStart;
    this.#subtopicEnd = p;
    return (this.#prefixLength = p + 1 - lineStart);
  }

  /** Reads one line, with any white space between its fields, and says whether it is a judgment: 1 or 0. */
  #readOddLine(): number {
    const { bytes, next: lineStart } = this.#lines;
    const lineEnd = bytes.indexOf(NEWLINE, lineStart);
    this.#lines.next = lineEnd + 1;
    this.#prefixLength = 0;
    this.#line++;
    const fields = cutFields(bytes, lineStart, lineEnd, FIELDS + 1) as Fields;
    const [
      queryStart,
      queryEnd,
      subtopicStart,
      subtopicEnd,
      itemStart,
      itemEnd,
      gradeStart,
      gradeEnd,
      moreStart,
      moreEnd,
    ] = fields;
    if (queryStart === lineEnd && controlIn(bytes, lineStart, lineEnd) === -1) return 0;
    const grade = decimalOf(bytes, gradeStart, gradeEnd);
    const moreAt = moreStart === moreEnd ? -1 : moreStart;
    // As in a run: a comment, unless it is a judgment of a query `#…`.
    const isData = queryEnd - queryStart > 1 && moreAt === -1 && Number.isFinite(grade);
    if (bytes[queryStart] === HASH_SIGN && !isData) return 0;
    if (areUnclear(bytes, fields)) {
      this.#problem("QRELS_SYNTAX", lineStart, queryStart, UNCLEAR_FIELDS);
      return 0;
    }
    if (!this.#isRight(lineStart, queryStart, itemEnd, gradeStart, gradeEnd, grade, moreAt, lineEnd))
      return 0;
    this.#queryStart = queryStart;
    this.#queryEnd = queryEnd;
    this.#subtopicStart = subtopicStart;
    this.#subtopicEnd = subtopicEnd;
    this.#itemStarts[0] = itemStart;
    this.#itemEnds[0] = itemEnd;
    this.#hashes[0] = hashOf(bytes, itemStart, itemEnd);
    this.#grades[0] = grade;
    return 1;
  }

  /** Looks again at a line that is not plainly right; false when it is wrong. */
  #isRight(
    lineStart: number,
    queryStart: number,
    itemEnd: number,
    gradeStart: number,
    gradeEnd: number,
    grade: number,
    moreAt: number,
    lineEnd: number,
  ): boolean {
    const { bytes } = this.#lines;
    const control = controlIn(bytes, lineStart, lineEnd);
    if (control !== -1) {
      this.#problem(
        "QRELS_SYNTAX",
        lineStart,
        control,
        `there is a control character (byte ${bytes[control] as number}) in the line; is this a text file?`,
      );
      return false;
    }
    if (moreAt !== -1 || gradeStart === gradeEnd) {
      const fields = this.#lines
        .text(lineStart, lineEnd)
        .trim()
        .split(/[ \t\v\f\r]+/).length;
      this.#problem(
        "QRELS_SYNTAX",
        lineStart,
        moreAt === -1 ? lineEnd : moreAt,
        `a line of qrels has 4 fields, got ${fields}; write \`query 0 item ` +
          `grade\`${fields === RUN_FIELDS ? " (is this a run? judgments come first)" : ""}`,
      );
      return false;
    }
    if (!Number.isFinite(grade)) {
      this.#problem(
        "QRELS_GRADE",
        lineStart,
        gradeStart,
        `grade must be a number, got ${quote(this.#lines.text(gradeStart, gradeEnd))}; use 0 for not ` +
          "relevant",
      );
      return false;
    }
    if (!bytes.subarray(queryStart, itemEnd).some((byte) => byte >= NON_ASCII)) return true;
    try {
      decodeId(bytes, queryStart, itemEnd);
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, queryStart, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }
}

/** Where each field of a line begins and ends, and what follows them. */
type Fields = [number, number, number, number, number, number, number, number, number, number];

/** Where the first byte is that has no business in a line of text; -1 where there is none. */
function controlIn(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) if (CONTROL[bytes[i] as number] === 1) return i;
  return -1;
}
