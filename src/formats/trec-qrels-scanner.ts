import type { Problem } from "../errors.js";
import { problemsError, shown } from "../errors.js";
import { decimalOf } from "./decimal.js";
import { HASH_START, mixedHash, decodedId } from "./id-bytes.js";
import { LineBuffer } from "./line-buffer.js";

/** One line of qrels. Ranges are of `bytes`, and valid only while the line is being handled. */
export interface QrelsLine {
  bytes: Uint8Array;
  line: number;
  queryStart: number;
  queryEnd: number;
  subtopicStart: number;
  subtopicEnd: number;
  itemStart: number;
  itemEnd: number;
  itemHash: number;
  grade: number;
}

const MOST_PROBLEMS = 1000;
const NEWLINE = 10;
const SPACE = 32;
const HASH_SIGN = 35;

function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 9 && byte <= 13);
}

/** Reads TREC qrels, `query iteration item grade`, pushed in chunks of any size. Empty lines and lines that begin with `#` are skipped. */
export class TrecQrelsScanner {
  readonly #file: string;
  readonly #onLine: (line: QrelsLine) => void;
  readonly #lines = new LineBuffer();
  readonly #problems: Problem[] = [];
  #line = 0;

  /** @param file what errors call the file. */
  constructor(file: string, onLine: (line: QrelsLine) => void) {
    this.#file = file;
    this.#onLine = onLine;
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#lines.write(chunk, this.#lines.next);
    this.#scan();
  }

  /** @throws InputError with everything that is wrong. */
  end(): void {
    if (this.#lines.hasRest) this.write(Uint8Array.of(NEWLINE));
    this.#throw();
  }

  /** Notes a problem that whoever handles the lines has found in the current one. */
  problem(code: "QRELS_DUPLICATE", message: string): void {
    this.#problem(code, 0, 0, message);
  }

  #throw(): void {
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }

  #problem(code: Problem["code"], lineStart: number, at: number, message: string): void {
    const column = new TextDecoder().decode(this.#lines.bytes.subarray(lineStart, at)).length + 1;
    this.#problems.push({ code, where: `${this.#file}:${this.#line}:${column}`, message, line: this.#line, column });
    if (this.#problems.length >= MOST_PROBLEMS) this.#throw();
  }

  #scan(): void {
    const { bytes, whole } = this.#lines;
    let p = this.#lines.next;
    const line: QrelsLine = { bytes, line: 0, queryStart: 0, queryEnd: 0, subtopicStart: 0, subtopicEnd: 0, itemStart: 0, itemEnd: 0, itemHash: 0, grade: 0 };
    while (p < whole) {
      this.#line++;
      const lineStart = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      if (bytes[p] === NEWLINE || bytes[p] === HASH_SIGN) {
        while (bytes[p] !== NEWLINE) p++;
        p++;
        continue;
      }
      let nonAscii = 0;
      line.line = this.#line;
      line.queryStart = p;
      while (!isSpace(bytes[p] as number)) nonAscii |= bytes[p++] as number;
      line.queryEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      line.subtopicStart = p;
      while (!isSpace(bytes[p] as number)) nonAscii |= bytes[p++] as number;
      line.subtopicEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      line.itemStart = p;
      let hash = HASH_START;
      while (!isSpace(bytes[p] as number)) {
        nonAscii |= bytes[p] as number;
        hash = (Math.imul(hash, 31) + (bytes[p++] as number)) | 0;
      }
      line.itemEnd = p;
      line.itemHash = mixedHash(hash);
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const gradeStart = p;
      while (!isSpace(bytes[p] as number)) p++;
      const gradeEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const hasMore = bytes[p] !== NEWLINE;
      const next = p;
      while (bytes[p] !== NEWLINE) p++;
      p++;
      if (gradeStart === gradeEnd || hasMore) {
        const fields = new TextDecoder().decode(bytes.subarray(lineStart, p)).trim().split(/\s+/).length;
        this.#problem("QRELS_SYNTAX", lineStart, hasMore ? next : gradeStart, `a line of qrels has 4 fields, got ${fields}; write \`query 0 item grade\``);
        continue;
      }
      line.grade = wholeOf(bytes, gradeStart, gradeEnd);
      if (!Number.isFinite(line.grade)) {
        this.#problem("QRELS_GRADE", lineStart, gradeStart, `grade must be a number, got ${shown(new TextDecoder().decode(bytes.subarray(gradeStart, gradeEnd)))}; use 0 for not relevant`);
        continue;
      }
      if (nonAscii >= 0x80 && !this.#isUtf8(lineStart, line.queryStart, line.itemEnd)) continue;
      this.#onLine(line);
    }
    this.#lines.next = p;
  }

  #isUtf8(lineStart: number, start: number, end: number): boolean {
    try {
      decodedId(this.#lines.bytes, start, end);
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, start, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }
}

/** Grades are nearly always one digit. */
function wholeOf(bytes: Uint8Array, start: number, end: number): number {
  const digit = (bytes[start] as number) - 48;
  return end - start === 1 && digit >= 0 && digit <= 9 ? digit : decimalOf(bytes, start, end);
}
