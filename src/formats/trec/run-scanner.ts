import { problemsError, shown, type Problem } from "../../errors.js";
import { EXACT_DIGITS, POWERS_OF_TEN, decimalOf } from "./decimal.js";
import { CONTROL, decodedId, HASH_START, mixedHash } from "./id-bytes.js";
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
  /** Whether all ids are ASCII. */
  readonly isAscii: boolean;
}

/** How a {@link TrecRunScanner} reads. */
export interface RunScannerOptions {
  /** Whether lines that begin with `#` are skipped, which trec_eval 9 does not do; true unless given. */
  readonly comments?: boolean;
}

const MOST_PROBLEMS = 1000;
/** Until here a call reads few lines. */
const FIRST_LINES = 64;
const FEW_LINES = 16;
const QRELS_FIELDS = 4;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH_SIGN = 35;
const NO_SIGN = -1;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const NON_ASCII = 0x80;
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
  #isAscii = true;
  #starts = new Int32Array(1024);
  #ends = new Int32Array(1024);
  #hashes = new Int32Array(1024);
  #scores = new Float64Array(1024);
  #line = 0;
  #tag: string | null = null;
  #hasLines = false;

  /** @param file what errors call the file. */
  constructor(file: string, onBlock: (block: RunBlock) => void, { comments = true }: RunScannerOptions = {}) {
    this.#file = file;
    this.#onBlock = onBlock;
    this.#commentSign = comments ? HASH_SIGN : NO_SIGN;
  }

  /** The tag of the last line so far: the name of the run. */
  get tag(): string | null {
    return this.#tag;
  }

  /** Whether there was any line that is a hit. */
  get hasLines(): boolean {
    return this.#hasLines;
  }

  /** @throws InputError with everything that is wrong, once there is too much of it. */
  write(chunk: Uint8Array): void {
    const keepFrom = this.#count > 0 ? this.#blockStart : this.#lines.next;
    const moved = this.#lines.write(chunk, keepFrom);
    this.#blockStart -= moved;
    this.#queryStart -= moved;
    this.#queryEnd -= moved;
    while (this.#lines.next < this.#lines.whole) if (this.#scan()) this.#flush();
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
    const isAscii = this.#isAscii;
    this.#count = 0;
    this.#isAscii = true;
    if (this.#problems.length > 0) return;
    const { bytes } = this.#lines;
    const starts = this.#starts;
    const ends = this.#ends;
    const from = this.#blockStart;
    for (let i = 0; i < count; i++) {
      (starts[i] as number) += from;
      (ends[i] as number) += from;
    }
    this.#onBlock({ queryId: decodedId(bytes, this.#queryStart, this.#queryEnd), count, bytes, starts, ends, hashes: this.#hashes, scores: this.#scores, isAscii });
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

  #problem(code: Problem["code"], lineStart: number, at: number, message: string): void {
    const column = this.#text(lineStart, at).length + 1;
    this.#problems.push({ code, where: `${this.#file}:${this.#line}:${column}`, message, line: this.#line, column });
    if (this.#problems.length >= MOST_PROBLEMS) this.#throw();
  }

  #text(start: number, end: number): string {
    return new TextDecoder().decode(this.#lines.bytes.subarray(start, end));
  }

  /**
   * Reads whole lines until those of another query begin, and says whether they do. One long function over local variables,
   * because calls and fields would double its cost. The first calls read few lines: a loop that is compiled while it runs for
   * the first time is compiled without what was not yet met in it, and again for each of those.
   */
  #scan(): boolean {
    const { bytes, whole } = this.#lines;
    const commentSign = this.#commentSign;
    const most = this.#line < FIRST_LINES ? this.#line + FEW_LINES : Infinity;
    let { next: p } = this.#lines;
    let starts = this.#starts;
    let ends = this.#ends;
    let hashes = this.#hashes;
    let scores = this.#scores;
    let count = this.#count;
    let blockStart = this.#blockStart;
    let ownStart = this.#queryStart;
    let ownLength = this.#queryEnd - this.#queryStart;
    let line = this.#line;
    let tagStart = -1;
    let tagEnd = -1;
    let isOther = false;
    while (p < whole && line < most) {
      const lineStart = p;
      let byte = bytes[p] as number;
      let control = 0;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      if (byte === NEWLINE) {
        p++;
        line++;
        if (control === 1) {
          this.#line = line;
          this.#hasControl(lineStart, p - 1);
        }
        continue;
      }
      if (byte === commentSign) {
        line++;
        p = bytes.indexOf(NEWLINE, p) + 1;
        continue;
      }
      let nonAscii = 0;
      const queryStart = p;
      while (byte > SPACE) {
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      const queryEnd = p;
      let isSame = queryEnd - queryStart === ownLength;
      for (let i = 0; isSame && i < ownLength; i++) isSame = bytes[queryStart + i] === bytes[ownStart + i];
      if (count > 0 && !isSame) {
        p = lineStart;
        isOther = true;
        break;
      }
      line++;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      while (byte > SPACE) byte = bytes[++p] as number;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      const start = p;
      let hash = HASH_START;
      while (byte > SPACE) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      const end = p;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      while (byte > SPACE) byte = bytes[++p] as number;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      const scoreStart = p;
      const isNegative = byte === MINUS;
      if (isNegative) byte = bytes[++p] as number;
      let mantissa = 0;
      const digitsStart = p;
      while (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        byte = bytes[++p] as number;
      }
      let digits = p - digitsStart;
      let decimals = 0;
      if (byte === POINT) {
        const decimalsStart = p + 1;
        byte = bytes[++p] as number;
        while (byte >= ZERO && byte <= NINE) {
          mantissa = mantissa * 10 + (byte - ZERO);
          byte = bytes[++p] as number;
        }
        decimals = p - decimalsStart;
        digits += decimals;
      }
      let score: number;
      if (digits > 0 && digits <= EXACT_DIGITS && byte <= SPACE) {
        score = mantissa / (POWERS_OF_TEN[decimals] as number);
        if (isNegative) score = -score;
      } else {
        while (byte > SPACE) byte = bytes[++p] as number;
        score = decimalOf(bytes, scoreStart, p);
      }
      const scoreEnd = p;
      if (byte === SPACE) byte = bytes[++p] as number;
      while (byte <= SPACE && byte !== NEWLINE) {
        control |= CONTROL[byte] as number;
        byte = bytes[++p] as number;
      }
      tagStart = p;
      while (byte > SPACE) byte = bytes[++p] as number;
      tagEnd = p;
      if (byte !== NEWLINE) {
        p = bytes.indexOf(NEWLINE, p);
        // More fields than six are nobody's business, but a file whose lines end with CR alone would be one line.
        const carriageReturn = bytes.indexOf(CARRIAGE_RETURN, tagEnd);
        if (carriageReturn !== -1 && carriageReturn < p - 1) control = 1;
      }
      p++;
      if (tagStart === tagEnd || control === 1 || score - score !== 0 || nonAscii >= NON_ASCII || scoreStart === scoreEnd) {
        this.#line = line;
        if (!this.#isRight(lineStart, queryStart, end, scoreStart, scoreEnd, tagStart === tagEnd, score, p - 1)) continue;
      }
      if (count === 0) {
        blockStart = this.#blockStart = lineStart;
        ownStart = this.#queryStart = queryStart;
        this.#queryEnd = queryEnd;
        ownLength = queryEnd - queryStart;
      }
      if (count === starts.length) {
        this.#grow();
        starts = this.#starts;
        ends = this.#ends;
        hashes = this.#hashes;
        scores = this.#scores;
      }
      starts[count] = start - blockStart;
      ends[count] = end - blockStart;
      hashes[count] = mixedHash(hash);
      scores[count] = score;
      count++;
    }
    this.#line = line;
    this.#count = count;
    this.#lines.next = p;
    if (count > 0) this.#hasLines = true;
    if (tagEnd > tagStart) this.#tag = this.#text(tagStart, tagEnd);
    return isOther;
  }

  /** Looks again at a line that is not plainly right; false when it is wrong. */
  #isRight(lineStart: number, queryStart: number, itemEnd: number, scoreStart: number, scoreEnd: number, hasNoTag: boolean, score: number, lineEnd: number): boolean {
    if (this.#hasControl(lineStart, lineEnd)) return false;
    if (hasNoTag) {
      const fields = this.#text(lineStart, lineEnd).trim().split(/[ \t\v\f\r]+/).length;
      this.#problem("RUN_SYNTAX", lineStart, lineEnd, `a line of a TREC run has 6 fields, got ${fields}; write \`query Q0 item rank score tag\`${fields === QRELS_FIELDS ? " (are these judgments? they come first)" : ""}`);
      return false;
    }
    if (!Number.isFinite(score)) {
      this.#problem("RUN_SCORE", lineStart, scoreStart, `score must be a finite number, got ${shown(this.#text(scoreStart, scoreEnd))}`);
      return false;
    }
    try {
      decodedId(this.#lines.bytes, queryStart, itemEnd);
      this.#isAscii = false;
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, queryStart, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }

  /** Reports a byte that has no business in a line of text. */
  #hasControl(lineStart: number, lineEnd: number): boolean {
    const { bytes } = this.#lines;
    for (let i = lineStart; i < lineEnd; i++) {
      const byte = bytes[i] as number;
      if (CONTROL[byte] === 1) {
        this.#problem("RUN_SYNTAX", lineStart, i, `there is a control character (byte ${byte}) in the line; is this a text file?`);
        return true;
      }
      if (byte === CARRIAGE_RETURN && i < lineEnd - 1 && !isBlank(bytes, i, lineEnd)) {
        this.#problem("RUN_SYNTAX", lineStart, i, "there is a carriage return in the line; end lines with LF or CR LF");
        return true;
      }
    }
    return false;
  }
}

/** Whether nothing but white space stands in a range of bytes. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) > SPACE) return false;
  return true;
}
