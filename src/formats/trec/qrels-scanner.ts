import { problemsError, shown, type Problem } from "../../errors.js";
import { decimalOf } from "./decimal.js";
import { CONTROL, decodedId, HASH_START, mixedHash } from "./id-bytes.js";
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
const RUN_FIELDS = 6;
const NEWLINE = 10;
const SPACE = 32;
const HASH_SIGN = 35;
const ZERO = 48;
const NON_ASCII = 0x80;

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

  #throw(): void {
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }

  #problem(code: Problem["code"], lineStart: number, at: number, message: string): void {
    const column = this.#text(lineStart, at).length + 1;
    this.#problems.push({ code, where: `${this.#file}:${this.#line}:${column}`, message, line: this.#line, column });
    if (this.#problems.length >= MOST_PROBLEMS) this.#throw();
  }

  #text(start: number, end: number): string {
    return new TextDecoder().decode(this.#lines.bytes.subarray(start, end));
  }

  #scan(): void {
    const { bytes, whole } = this.#lines;
    let { next: p } = this.#lines;
    const line: QrelsLine = { bytes, line: 0, queryStart: 0, queryEnd: 0, subtopicStart: 0, subtopicEnd: 0, itemStart: 0, itemEnd: 0, itemHash: 0, grade: 0 };
    while (p < whole) {
      this.#line++;
      const lineStart = p;
      let byte = bytes[p] as number;
      let control = 0;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      if ((byte === NEWLINE && control === 0) || byte === HASH_SIGN) {
        p = bytes.indexOf(NEWLINE, p) + 1;
        continue;
      }
      let nonAscii = 0;
      line.line = this.#line;
      line.queryStart = p;
      while (byte > SPACE) {
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      line.queryEnd = p;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      line.subtopicStart = p;
      while (byte > SPACE) {
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      line.subtopicEnd = p;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      line.itemStart = p;
      let hash = HASH_START;
      while (byte > SPACE) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      line.itemEnd = p;
      line.itemHash = mixedHash(hash);
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
      line.grade = gradeEnd - gradeStart === 1 && digit >= 0 && digit <= 9 ? digit : decimalOf(bytes, gradeStart, gradeEnd);
      if (control === 1 || hasMore || gradeStart === gradeEnd || nonAscii >= NON_ASCII || line.grade - line.grade !== 0) {
        if (!this.#isRight(line, lineStart, gradeStart, gradeEnd, hasMore ? next : -1, p - 1)) continue;
      }
      this.#onLine(line);
    }
    this.#lines.next = p;
  }

  /** Looks again at a line that is not plainly right; false when it is wrong. */
  #isRight(line: QrelsLine, lineStart: number, gradeStart: number, gradeEnd: number, moreAt: number, lineEnd: number): boolean {
    const control = line.bytes.subarray(lineStart, lineEnd).findIndex((byte) => CONTROL[byte] === 1);
    if (control !== -1) {
      this.#problem("QRELS_SYNTAX", lineStart, lineStart + control, `there is a control character (byte ${line.bytes[lineStart + control] as number}) in the line; is this a text file?`);
      return false;
    }
    if (moreAt !== -1 || gradeStart === gradeEnd) {
      const fields = this.#text(lineStart, lineEnd).trim().split(/[ \t\v\f\r]+/).length;
      this.#problem("QRELS_SYNTAX", lineStart, moreAt === -1 ? lineEnd : moreAt, `a line of qrels has 4 fields, got ${fields}; write \`query 0 item grade\`${fields === RUN_FIELDS ? " (is this a run? judgments come first)" : ""}`);
      return false;
    }
    if (!Number.isFinite(line.grade)) {
      this.#problem("QRELS_GRADE", lineStart, gradeStart, `grade must be a number, got ${shown(this.#text(gradeStart, gradeEnd))}; use 0 for not relevant`);
      return false;
    }
    try {
      decodedId(line.bytes, line.queryStart, line.itemEnd);
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, line.queryStart, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }
}
