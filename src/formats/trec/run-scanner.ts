import { shown, type Problem } from "../../foundation/errors/index.js";
import { EXACT_DIGITS, INTEGER_DIGITS, POWERS_OF_TEN, decimalOf } from "./decimal.js";
import { grown } from "../../foundation/columns/index.js";
import { CONTROL, decodedId, HASH_START, hashOf, mixedHash, rawHashOf, sameBytes } from "./id-bytes.js";
import { isRepeated } from "./is-repeated.js";
import { LineBuffer } from "./line-buffer.js";
import { LineProblems } from "./line-problems.js";

/** Hits of one query, as columns. */
export interface RunHits {
  readonly count: number;
  /** Ids are ranges of these bytes. */
  readonly bytes: Uint8Array;
  /** Where the item id of each hit begins and ends. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The hash of each item id. */
  readonly hashes: Int32Array;
  /** Finite. */
  readonly scores: Float64Array;
  /** Whether all ids are ASCII. */
  readonly isAscii: boolean;
}

/** The hits on consecutive lines of one query. Valid only while they are being handled. */
export interface RunBlock extends RunHits {
  /** Where the id of the query begins and ends, and its hash. */
  readonly queryStart: number;
  readonly queryEnd: number;
  readonly queryHash: number;
}

/** How a {@link TrecRunScanner} reads. */
export interface RunScannerOptions {
  /** Whether lines that begin with `#` are skipped, which trec_eval 9 does not do; true unless given. */
  readonly comments?: boolean;
}

/** Until here a call reads few lines. */
const FIRST_LINES = 64;
const FEW_LINES = 16;
const QRELS_FIELDS = 4;
const TAB = 9;
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
 * Reads a TREC run, `query Q0 item rank score tag`, pushed in chunks of any size. Lines of one query that
 * stand together come out as one block; nothing else is kept, so that memory does not grow with the file. The
 * rank is ignored. Empty lines and lines that begin with `#` are skipped.
 */
export class TrecRunScanner {
  readonly #onBlock: (block: RunBlock) => void;
  readonly #commentSign: number;
  readonly #lines = new LineBuffer();
  readonly #problems: LineProblems;
  /** Where the bytes of the block begin. */
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
  #tagStart = 0;
  #tagEnd = 0;
  #tag: string | null = null;
  #hasLines = false;

  /** @param file what errors call the file. */
  constructor(file: string, onBlock: (block: RunBlock) => void, { comments = true }: RunScannerOptions = {}) {
    this.#problems = new LineProblems(file);
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
    if (moved > 0) this.#follow(moved);
    this.#tagEnd = this.#tagStart;
    while (this.#lines.next < this.#lines.whole) if (this.#scan()) this.#flush();
    if (this.#tagEnd > this.#tagStart) this.#tag = this.#lines.text(this.#tagStart, this.#tagEnd);
  }

  /** @throws InputError with everything that is wrong. */
  end(): void {
    if (this.#lines.hasRest) this.write(Uint8Array.of(NEWLINE));
    this.#flush();
    this.#problems.throw();
  }

  #flush(): void {
    const count = this.#count;
    if (count === 0) return;
    const isAscii = this.#isAscii;
    this.#count = 0;
    this.#isAscii = true;
    if (!this.#problems.isEmpty) return;
    const { bytes } = this.#lines;
    const [queryStart, queryEnd] = [this.#queryStart, this.#queryEnd];
    this.#onBlock({
      count,
      bytes,
      queryStart,
      queryEnd,
      queryHash: hashOf(bytes, queryStart, queryEnd),
      starts: this.#starts,
      ends: this.#ends,
      hashes: this.#hashes,
      scores: this.#scores,
      isAscii,
    });
  }

  /** The bytes of the block have moved to the front. */
  #follow(moved: number): void {
    this.#blockStart -= moved;
    this.#queryStart -= moved;
    this.#queryEnd -= moved;
    for (let i = 0; i < this.#count; i++) {
      (this.#starts[i] as number) -= moved;
      (this.#ends[i] as number) -= moved;
    }
  }

  #grow(): void {
    const size = 2 * this.#starts.length;
    this.#starts = grown(new Int32Array(size), this.#starts);
    this.#ends = grown(new Int32Array(size), this.#ends);
    this.#hashes = grown(new Int32Array(size), this.#hashes);
    this.#scores = grown(new Float64Array(size), this.#scores);
  }

  #problem(code: Problem["code"], lineStart: number, at: number, message: string): void {
    this.#problems.add(code, this.#line, this.#lines.text(lineStart, at), message);
  }

  /**
   * Reads whole lines until those of another query begin, and says whether they do. One long function over
   * local variables, because calls and fields would double its cost. The first calls read few lines: a loop
   * that is compiled while it runs for the first time is compiled without what was not yet met in it, and
   * again for each of those.
   */
  #scan(): boolean {
    const { bytes, view, whole: limit } = this.#lines;
    const commentSign = this.#commentSign;
    const most = this.#line < FIRST_LINES ? this.#line + FEW_LINES : Infinity;
    let { next: p } = this.#lines;
    let starts = this.#starts;
    let ends = this.#ends;
    let hashes = this.#hashes;
    let scores = this.#scores;
    let count = this.#count;
    let ownStart = this.#queryStart;
    let ownLength = count === 0 ? 0 : this.#queryEnd - ownStart;
    let line = this.#line;
    let tagStart = this.#tagStart;
    let tagEnd = this.#tagEnd;
    let isOther = false;
    let separator = SPACE;
    let previousStart = 0;
    let prefixLength = 0;
    while (p < limit && line < most) {
      const lineStart = p;
      let queryStart = p;
      let queryEnd = p + ownLength;
      let isSame = true;
      let isRegular = true;
      let nonAscii = 0;
      let byte: number;
      // Most lines begin as the line before, up to the item.
      if (prefixLength > 0 && isRepeated(view, p, previousStart, prefixLength, limit)) p += prefixLength;
      else {
        while (p - lineStart < ownLength && bytes[p] === bytes[ownStart + p - lineStart]) p++;
        isSame = p - lineStart === ownLength;
        byte = bytes[p] as number;
        while (byte > SPACE) {
          isSame = false;
          nonAscii |= byte;
          byte = bytes[++p] as number;
        }
        queryEnd = p;
        if (count > 0 && !isSame && queryEnd > queryStart && bytes[queryStart] !== commentSign) {
          p = lineStart;
          isOther = true;
          break;
        }
        separator = byte;
        byte = bytes[++p] as number;
        const secondStart = p;
        while (byte > SPACE) byte = bytes[++p] as number;
        isRegular =
          (separator === SPACE || separator === TAB) &&
          byte === separator &&
          p > secondStart &&
          queryEnd > queryStart &&
          bytes[queryStart] !== commentSign;
        p++;
      }
      let start = p;
      byte = bytes[p] as number;
      let hash = HASH_START;
      while (byte > SPACE) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      let end = p;
      isRegular &&= byte === separator && end > start;
      const rankStart = ++p;
      byte = bytes[p] as number;
      while (byte > SPACE) byte = bytes[++p] as number;
      isRegular &&= byte === separator && p > rankStart;
      let scoreStart = ++p;
      byte = bytes[p] as number;
      const isNegative = byte === MINUS;
      if (isNegative) byte = bytes[++p] as number;
      let whole = 0;
      let fraction = 0;
      const wholeStart = p;
      while (byte >= ZERO && byte <= NINE) {
        whole = (Math.imul(whole, 10) + byte - ZERO) | 0;
        byte = bytes[++p] as number;
      }
      const wholeDigits = p - wholeStart;
      let decimals = 0;
      if (byte === POINT) {
        const decimalsStart = p + 1;
        byte = bytes[++p] as number;
        while (byte >= ZERO && byte <= NINE) {
          fraction = (Math.imul(fraction, 10) + byte - ZERO) | 0;
          byte = bytes[++p] as number;
        }
        decimals = p - decimalsStart;
      }
      let score: number;
      if (
        byte <= SPACE &&
        wholeDigits <= INTEGER_DIGITS &&
        decimals <= INTEGER_DIGITS &&
        wholeDigits + decimals > 0 &&
        wholeDigits + decimals <= EXACT_DIGITS
      ) {
        const power = POWERS_OF_TEN[decimals] as number;
        score = (whole * power + fraction) / power;
        if (isNegative) score = -score;
      } else {
        while (byte > SPACE) byte = bytes[++p] as number;
        score = decimalOf(bytes, scoreStart, p);
      }
      let scoreEnd = p;
      isRegular &&= byte === separator && p > scoreStart;
      let lastStart = ++p;
      byte = bytes[p] as number;
      while (byte > SPACE) byte = bytes[++p] as number;
      let lastEnd = p;
      if (byte === CARRIAGE_RETURN) byte = bytes[++p] as number;
      isRegular &&= byte === NEWLINE && lastEnd > lastStart;
      if (!isRegular) {
        p = bytes.indexOf(NEWLINE, lineStart);
        const fields = cutFields(bytes, lineStart, p);
        [queryStart, queryEnd, , , start, end, , , scoreStart, scoreEnd, lastStart, lastEnd] =
          fields as Fields;
        if (queryStart === queryEnd || bytes[queryStart] === commentSign) {
          this.#line = ++line;
          if (queryStart === queryEnd) this.#hasControl(lineStart, p, p);
          p++;
          continue;
        }
        isSame = sameBytes(bytes, queryStart, queryEnd, bytes, ownStart, ownStart + ownLength);
        hash = rawHashOf(bytes, start, end);
        score = decimalOf(bytes, scoreStart, scoreEnd);
      }
      if (count > 0 && !isSame) {
        p = lineStart;
        isOther = true;
        break;
      }
      line++;
      p++;
      if (!isRegular || score - score !== 0 || nonAscii >= NON_ASCII) {
        this.#line = line;
        if (
          !this.#isRight(
            lineStart,
            p - 1,
            queryStart,
            end,
            scoreStart,
            scoreEnd,
            lastEnd,
            score,
            lastStart === lastEnd,
          )
        )
          continue;
      }
      if (count === 0) {
        this.#blockStart = lineStart;
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
      starts[count] = start;
      ends[count] = end;
      hashes[count] = mixedHash(hash);
      scores[count] = score;
      count++;
      tagStart = lastStart;
      tagEnd = lastEnd;
      previousStart = lineStart;
      prefixLength = isRegular ? start - lineStart : 0;
    }
    this.#line = line;
    this.#count = count;
    this.#lines.next = p;
    if (count > 0) this.#hasLines = true;
    this.#tagStart = tagStart;
    this.#tagEnd = tagEnd;
    return isOther;
  }
  /** Looks again at a line that is not plainly right; false when it is wrong. */
  #isRight(
    lineStart: number,
    lineEnd: number,
    queryStart: number,
    itemEnd: number,
    scoreStart: number,
    scoreEnd: number,
    tagEnd: number,
    score: number,
    hasNoTag: boolean,
  ): boolean {
    const { bytes } = this.#lines;
    if (this.#hasControl(lineStart, tagEnd, lineEnd)) return false;
    if (hasNoTag) {
      const fields = this.#lines
        .text(lineStart, lineEnd)
        .trim()
        .split(/[ \t\v\f\r]+/).length;
      this.#problem(
        "RUN_SYNTAX",
        lineStart,
        lineEnd,
        `a line of a TREC run has 6 fields, got ${fields}; write \`query Q0 item rank score ` +
          `tag\`${fields === QRELS_FIELDS ? " (are these judgments? they come first)" : ""}`,
      );
      return false;
    }
    if (!Number.isFinite(score)) {
      this.#problem(
        "RUN_SCORE",
        lineStart,
        scoreStart,
        `score must be a finite number, got ${shown(this.#lines.text(scoreStart, scoreEnd))}`,
      );
      return false;
    }
    if (!bytes.subarray(queryStart, itemEnd).some((byte) => byte >= NON_ASCII)) return true;
    try {
      decodedId(bytes, queryStart, itemEnd);
      this.#isAscii = false;
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, queryStart, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }

  /**
   * Reports a byte that is not allowed in a line of text: up to the tag, and a line feed that is missing
   * after it.
   */
  #hasControl(lineStart: number, tagEnd: number, lineEnd: number): boolean {
    const { bytes } = this.#lines;
    for (let i = lineStart; i < lineEnd; i++) {
      const byte = bytes[i] as number;
      if (i < tagEnd && CONTROL[byte] === 1) {
        this.#problem(
          "RUN_SYNTAX",
          lineStart,
          i,
          `there is a control character (byte ${byte}) in the line; is this a text file?`,
        );
        return true;
      }
      if (byte === CARRIAGE_RETURN && i < lineEnd - 1 && !isBlank(bytes, i, lineEnd)) {
        this.#problem(
          "RUN_SYNTAX",
          lineStart,
          i,
          "there is a carriage return in the line; end lines with LF or CR LF",
        );
        return true;
      }
    }
    return false;
  }
}

const FIELDS = 6;

/** Where each of the six fields of a line begins and ends. */
type Fields = [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** The fields of a line with any white space between them; those that are missing are empty, at its end. */
function cutFields(bytes: Uint8Array, lineStart: number, lineEnd: number): number[] {
  const fields: number[] = [];
  let p = lineStart;
  for (let field = 0; field < FIELDS; field++) {
    while (p < lineEnd && (bytes[p] as number) <= SPACE) p++;
    fields.push(p);
    while (p < lineEnd && (bytes[p] as number) > SPACE) p++;
    fields.push(p);
  }
  return fields;
}

/** Whether nothing but white space stands in a range of bytes. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) > SPACE) return false;
  return true;
}
