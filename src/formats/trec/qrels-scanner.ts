import { shown, type Problem } from "../../foundation/errors/index.js";
import { decimalOf } from "./decimal.js";
import { CONTROL, decodedId, HASH_START, mixedHash } from "./id-bytes.js";
import { isRepeated } from "./is-repeated.js";
import { LineBuffer } from "./line-buffer.js";
import { LineProblems } from "./line-problems.js";

/** Some lines of qrels, as columns. Ranges are of `bytes`, and valid only while they are being handled. */
export interface QrelsLines {
  readonly count: number;
  readonly bytes: Uint8Array;
  /** The number of each line in the file, from 1 on. */
  readonly lines: Uint32Array;
  readonly queryStarts: Int32Array;
  readonly queryEnds: Int32Array;
  readonly subtopicStarts: Int32Array;
  readonly subtopicEnds: Int32Array;
  readonly itemStarts: Int32Array;
  readonly itemEnds: Int32Array;
  /** The hash of each item id. */
  readonly hashes: Int32Array;
  /** Finite. */
  readonly grades: Float64Array;
}

const RUN_FIELDS = 6;
/** So many lines are handed on at once: a call for each would cost more than reading it. */
const MOST_LINES = 4096;
/** Until here a call reads few lines, as in the scanner of runs. */
const FIRST_LINES = 64;
const FEW_LINES = 16;
const NEWLINE = 10;
const SPACE = 32;
const HASH_SIGN = 35;
const ZERO = 48;
const NON_ASCII = 0x80;

/**
 * Reads TREC qrels, `query iteration item grade`, pushed in chunks of any size. Empty lines and lines that
 * begin with `#` are skipped.
 */
export class TrecQrelsScanner {
  readonly #onLines: (lines: QrelsLines) => void;
  readonly #lines = new LineBuffer();
  readonly #problems: LineProblems;
  readonly #numbers = new Uint32Array(MOST_LINES);
  readonly #queryStarts = new Int32Array(MOST_LINES);
  readonly #queryEnds = new Int32Array(MOST_LINES);
  readonly #subtopicStarts = new Int32Array(MOST_LINES);
  readonly #subtopicEnds = new Int32Array(MOST_LINES);
  readonly #itemStarts = new Int32Array(MOST_LINES);
  readonly #itemEnds = new Int32Array(MOST_LINES);
  readonly #hashes = new Int32Array(MOST_LINES);
  readonly #grades = new Float64Array(MOST_LINES);
  #line = 0;

  /** @param file what errors call the file. */
  constructor(file: string, onLines: (lines: QrelsLines) => void) {
    this.#problems = new LineProblems(file);
    this.#onLines = onLines;
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#lines.write(chunk, this.#lines.next);
    while (this.#lines.next < this.#lines.whole) this.#hand(this.#scan());
  }

  #hand(count: number): void {
    this.#onLines({
      count,
      bytes: this.#lines.bytes,
      lines: this.#numbers,
      queryStarts: this.#queryStarts,
      queryEnds: this.#queryEnds,
      subtopicStarts: this.#subtopicStarts,
      subtopicEnds: this.#subtopicEnds,
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
   * Reads whole lines into the columns, as many as there are or go in, and says how many. One long function
   * over local variables, because calls and fields for each byte would cost more than the reading.
   */
  #scan(): number {
    const { bytes, view, whole } = this.#lines;
    let { next: p } = this.#lines;
    let count = 0;
    let previousStart = 0;
    let prefixLength = 0;
    let queryLength = 0;
    let subtopicLength = 0;
    const most = this.#line < FIRST_LINES ? FEW_LINES : MOST_LINES;
    while (p < whole && count < most) {
      this.#line++;
      const lineStart = p;
      let queryStart = p;
      let queryEnd = p + queryLength;
      let subtopicStart = p + prefixLength - subtopicLength - 1;
      let subtopicEnd = subtopicStart + subtopicLength;
      let control = 0;
      let nonAscii = 0;
      // Most lines begin as the line before, up to the item; where more blanks follow there, the item has not
      // begun.
      const isSame =
        prefixLength > 0 &&
        (bytes[p + prefixLength] as number) > SPACE &&
        isRepeated(view, p, previousStart, prefixLength, whole);
      if (isSame) p += prefixLength;
      let byte = bytes[p] as number;
      if (!isSame) {
        while (byte <= SPACE && byte !== NEWLINE) {
          control |= CONTROL[byte] as number;
          byte = bytes[++p] as number;
        }
        if ((byte === NEWLINE && control === 0) || byte === HASH_SIGN) {
          p = bytes.indexOf(NEWLINE, p) + 1;
          continue;
        }
        queryStart = p;
        while (byte > SPACE) {
          nonAscii |= byte;
          byte = bytes[++p] as number;
        }
        queryEnd = p;
        if (byte === SPACE) byte = bytes[++p] as number;
        while (byte <= SPACE && byte !== NEWLINE) {
          control |= CONTROL[byte] as number;
          byte = bytes[++p] as number;
        }
        subtopicStart = p;
        while (byte > SPACE) {
          nonAscii |= byte;
          byte = bytes[++p] as number;
        }
        subtopicEnd = p;
        if (byte === SPACE) byte = bytes[++p] as number;
        while (byte <= SPACE && byte !== NEWLINE) {
          control |= CONTROL[byte] as number;
          byte = bytes[++p] as number;
        }
      }
      const itemStart = p;
      let hash = HASH_START;
      while (byte > SPACE) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      const itemEnd = p;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      const gradeStart = p;
      while (byte > SPACE) byte = bytes[++p] as number;
      const gradeEnd = p;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      const hasMore = byte !== NEWLINE;
      const next = p;
      if (hasMore) p = bytes.indexOf(NEWLINE, p);
      p++;
      const digit = (bytes[gradeStart] as number) - ZERO;
      const grade =
        gradeEnd - gradeStart === 1 && digit >= 0 && digit <= 9
          ? digit
          : decimalOf(bytes, gradeStart, gradeEnd);
      if (
        control === 1 ||
        hasMore ||
        gradeStart === gradeEnd ||
        nonAscii >= NON_ASCII ||
        grade - grade !== 0
      ) {
        if (
          !this.#isRight(
            lineStart,
            queryStart,
            itemEnd,
            gradeStart,
            gradeEnd,
            grade,
            hasMore ? next : -1,
            p - 1,
          )
        )
          continue;
      }
      this.#numbers[count] = this.#line;
      this.#queryStarts[count] = queryStart;
      this.#queryEnds[count] = queryEnd;
      this.#subtopicStarts[count] = subtopicStart;
      this.#subtopicEnds[count] = subtopicEnd;
      this.#itemStarts[count] = itemStart;
      this.#itemEnds[count] = itemEnd;
      this.#hashes[count] = mixedHash(hash);
      this.#grades[count] = grade;
      count++;
      previousStart = lineStart;
      // Only where single blanks separate the fields their places are known, too.
      prefixLength =
        queryStart === lineStart && subtopicStart === queryEnd + 1 && itemStart === subtopicEnd + 1
          ? itemStart - lineStart
          : 0;
      queryLength = queryEnd - queryStart;
      subtopicLength = subtopicEnd - subtopicStart;
    }
    this.#lines.next = p;
    return count;
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
    const control = bytes.subarray(lineStart, lineEnd).findIndex((byte) => CONTROL[byte] === 1);
    if (control !== -1) {
      this.#problem(
        "QRELS_SYNTAX",
        lineStart,
        lineStart + control,
        `there is a control character (byte ${bytes[lineStart + control] as number}) in the line; ` +
          "is this a text file?",
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
        `grade must be a number, got ${shown(this.#lines.text(gradeStart, gradeEnd))}; use 0 for not ` +
          "relevant",
      );
      return false;
    }
    try {
      decodedId(bytes, queryStart, itemEnd);
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, queryStart, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }
}
