import type { Problem } from "../errors.js";
import { problemsError, shown } from "../errors.js";
import { EXACT_DIGITS, POWERS_OF_TEN, decimalOf } from "./decimal.js";
import { decodedId, HASH_START, mixedHash, sameBytes } from "./id-bytes.js";
import { LineBuffer } from "./line-buffer.js";

/** Consecutive lines of one query, as columns. Valid only while it is being handled. */
export interface RunBlock {
  readonly queryId: string;
  /** How many lines. */
  readonly count: number;
  /** Item ids are ranges of these bytes. */
  readonly bytes: Uint8Array;
  /** Where the item id of each line begins and ends. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The hash of each item id. */
  readonly hashes: Int32Array;
  /** Finite. */
  readonly scores: Float64Array;
}

const MOST_PROBLEMS = 1000;
const NEWLINE = 10;
const SPACE = 32;
const HASH_SIGN = 35;
const NONE = -1;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const NON_ASCII = 0x80;

/** Whether a byte up to 32 separates fields: what C calls white space. */
function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 9 && byte <= 13);
}

/**
 * Reads a TREC run, `query Q0 item rank score tag`, pushed in chunks of any size. Lines of one query that stand together come out
 * as one block; nothing else is kept, so that memory does not grow with the file. The rank is ignored. Empty lines and lines
 * that begin with `#` are skipped.
 */
export class TrecRunScanner {
  readonly #file: string;
  readonly #onBlock: (block: RunBlock) => void;
  readonly #commentSign: number;
  readonly #lines = new LineBuffer();
  readonly #problems: Problem[] = [];
  /** Where the bytes of the block begin; item ids are counted from here, because bytes move. */
  #blockStart = 0;
  #queryStart = 0;
  #queryEnd = 0;
  #count = 0;
  #starts = new Int32Array(1024);
  #ends = new Int32Array(1024);
  #hashes = new Int32Array(1024);
  #scores = new Float64Array(1024);
  #line = 0;
  #tag: string | null = null;
  #tagStart = -1;
  #tagEnd = -1;

  /**
   * @param file what errors call the file.
   * @param comments whether lines that begin with `#` are skipped; trec_eval 9 does not.
   */
  constructor(file: string, onBlock: (block: RunBlock) => void, { comments = true }: { readonly comments?: boolean } = {}) {
    this.#file = file;
    this.#onBlock = onBlock;
    this.#commentSign = comments ? HASH_SIGN : NONE;
  }

  /** The tag of the last line so far: the name of the run. */
  get tag(): string | null {
    return this.#tagStart === -1 ? this.#tag : decodedId(this.#lines.bytes, this.#tagStart, this.#tagEnd);
  }

  /** How many lines were read. */
  get lines(): number {
    return this.#line;
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    this.#tag = this.tag;
    this.#tagStart = -1;
    const keepFrom = this.#count > 0 ? this.#blockStart : this.#lines.next;
    const moved = this.#lines.write(chunk, keepFrom);
    this.#blockStart -= moved;
    this.#queryStart -= moved;
    this.#queryEnd -= moved;
    this.#scan();
  }

  /** @throws InputError with everything that is wrong. */
  end(): void {
    if (this.#lines.hasRest) this.write(Uint8Array.of(NEWLINE));
    this.#flush();
    this.#throw();
  }

  #throw(): void {
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }

  #flush(): void {
    const count = this.#count;
    if (count === 0) return;
    this.#count = 0;
    if (this.#problems.length > 0) return;
    const { bytes } = this.#lines;
    const starts = this.#starts;
    const ends = this.#ends;
    for (let i = 0; i < count; i++) {
      (starts[i] as number) += this.#blockStart;
      (ends[i] as number) += this.#blockStart;
    }
    this.#onBlock({ queryId: decodedId(bytes, this.#queryStart, this.#queryEnd), count, bytes, starts, ends, hashes: this.#hashes, scores: this.#scores });
  }

  #grow(): void {
    const size = 2 * this.#starts.length;
    const grown = <T extends Int32Array | Float64Array>(larger: T, column: T): T => {
      larger.set(column);
      return larger;
    };
    this.#starts = grown(new Int32Array(size), this.#starts);
    this.#ends = grown(new Int32Array(size), this.#ends);
    this.#hashes = grown(new Int32Array(size), this.#hashes);
    this.#scores = grown(new Float64Array(size), this.#scores);
  }

  #problem(code: "RUN_SYNTAX" | "RUN_SCORE" | "FILE_ENCODING", lineStart: number, at: number, message: string): void {
    const column = this.#columnOf(lineStart, at);
    this.#problems.push({ code, where: `${this.#file}:${this.#line}:${column}`, message, line: this.#line, column });
    if (this.#problems.length >= MOST_PROBLEMS) this.#throw();
  }

  #columnOf(lineStart: number, at: number): number {
    return new TextDecoder().decode(this.#lines.bytes.subarray(lineStart, at)).length + 1;
  }

  /** Reads all whole lines. One function, because a call for each field would double its cost. */
  #scan(): void {
    const { bytes, whole } = this.#lines;
    const commentSign = this.#commentSign;
    let p = this.#lines.next;
    while (p < whole) {
      this.#line++;
      const lineStart = p;
      while ((bytes[p] as number) <= SPACE && bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      if (bytes[p] === NEWLINE) {
        p++;
        continue;
      }
      if (bytes[p] === commentSign) {
        while (bytes[p] !== NEWLINE) p++;
        p++;
        continue;
      }
      let nonAscii = 0;
      const queryStart = p;
      while ((bytes[p] as number) > SPACE || !isSpace(bytes[p] as number)) nonAscii |= bytes[p++] as number;
      const queryEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const iterationStart = p;
      while ((bytes[p] as number) > SPACE || !isSpace(bytes[p] as number)) p++;
      const iterationEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const start = p;
      let hash = HASH_START;
      let byte = bytes[p] as number;
      while (byte > SPACE || !isSpace(byte)) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      const end = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const rankStart = p;
      while ((bytes[p] as number) > SPACE || !isSpace(bytes[p] as number)) p++;
      const rankEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const scoreStart = p;
      let isNegative = false;
      if (bytes[p] === MINUS) {
        isNegative = true;
        p++;
      }
      let mantissa = 0;
      let digits = 0;
      let decimals = 0;
      byte = bytes[p] as number;
      while (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        digits++;
        byte = bytes[++p] as number;
      }
      if (byte === POINT) {
        byte = bytes[++p] as number;
        while (byte >= ZERO && byte <= NINE) {
          mantissa = mantissa * 10 + (byte - ZERO);
          digits++;
          decimals++;
          byte = bytes[++p] as number;
        }
      }
      let score: number;
      if (digits > 0 && digits <= EXACT_DIGITS && byte <= SPACE && isSpace(byte)) {
        const magnitude = mantissa / (POWERS_OF_TEN[decimals] as number);
        score = isNegative ? -magnitude : magnitude;
      } else {
        while ((bytes[p] as number) > SPACE || !isSpace(bytes[p] as number)) p++;
        score = decimalOf(bytes, scoreStart, p);
      }
      const scoreEnd = p;
      while (bytes[p] !== NEWLINE && isSpace(bytes[p] as number)) p++;
      const tagStart = p;
      while ((bytes[p] as number) > SPACE || !isSpace(bytes[p] as number)) p++;
      const tagEnd = p;
      while (bytes[p] !== NEWLINE) p++;
      p++;
      if (tagStart === tagEnd) {
        const fields = [queryEnd - queryStart, iterationEnd - iterationStart, end - start, rankEnd - rankStart, scoreEnd - scoreStart].filter((length) => length > 0).length;
        this.#problem("RUN_SYNTAX", lineStart, tagStart, `a line of a TREC run has 6 fields, got ${fields}; write \`query Q0 item rank score tag\``);
        continue;
      }
      if (!Number.isFinite(score)) {
        this.#problem("RUN_SCORE", lineStart, scoreStart, `score must be a finite number, got ${shown(new TextDecoder().decode(bytes.subarray(scoreStart, scoreEnd)))} for query ${shown(new TextDecoder().decode(bytes.subarray(queryStart, queryEnd)))}`);
        continue;
      }
      if (nonAscii >= NON_ASCII && !this.#isUtf8(lineStart, queryStart, end)) continue;
      if (this.#count === 0 || !sameBytes(bytes, queryStart, queryEnd, bytes, this.#queryStart, this.#queryEnd)) {
        this.#flush();
        this.#blockStart = lineStart;
        this.#queryStart = queryStart;
        this.#queryEnd = queryEnd;
      }
      if (this.#count === this.#starts.length) this.#grow();
      const at = this.#count++;
      this.#starts[at] = start - this.#blockStart;
      this.#ends[at] = end - this.#blockStart;
      this.#hashes[at] = mixedHash(hash);
      this.#scores[at] = score;
      this.#tagStart = tagStart;
      this.#tagEnd = tagEnd;
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
