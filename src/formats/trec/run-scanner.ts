import { quote, type Problem } from "../../foundation/errors/index.js";
import { EXACT_DIGITS, INTEGER_DIGITS, POWERS_OF_TEN, decimalOf } from "./decimal.js";
import { areUnclear, cutFields, UNCLEAR_FIELDS } from "./cut-fields.js";
import { growColumn } from "../../foundation/columns/index.js";
import { CONTROL, decodeId, HASH_START, hashOf, mixHash, sameBytes } from "./id-bytes.js";
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
  /** Whether comments, which begin with `#`, are skipped, as trec_eval 9 does not; true unless given. */
  readonly comments?: boolean;
}

/**
 * So many lines are read in one call. A function that stays in its loop for long is compiled in the middle of
 * it, and once more for its next call; one that returns often is compiled once.
 */
const MOST_LINES = 32;
/**
 * Until here each call reads the beginning of a line anew. What the engine has not met it compiles as never
 * to be met, and once more when it is met: here with the second query.
 */
const FIRST_LINES = 4 * MOST_LINES;
/**
 * Few queries have more lines. Columns that grow are fields that change, and code that took them for
 * constants is compiled again.
 */
const USUAL_LINES = 4096;
/** What lines of other files have, by the number of their fields. */
const OTHER_FILES = new Map([
  [4, " (are these judgments? they come first)"],
  [3, ", or `query item rank` with ranks that rise from 1"],
]);
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

/** What ended the reading of plain lines: there were enough of them, or no more. */
const ENOUGH = 0;
const OTHER_QUERY = 1;
/** A line that is blank, a comment, wrong, or written in an unusual way. */
const ODD_LINE = 2;
type Stop = typeof ENOUGH | typeof OTHER_QUERY | typeof ODD_LINE;

/**
 * Reads a TREC run, `query Q0 item rank score tag`, pushed in chunks of any size. Lines of one query that
 * stand together come out as one block; nothing else is kept, so that memory does not grow with the file. The
 * rank is ignored. Empty lines are skipped, and lines that begin with `#` and are no hit of a query `#…`.
 */
export class TrecRunScanner {
  readonly #onBlock: (block: RunBlock) => void;
  readonly #commentSign: number;
  readonly #lines: LineBuffer;
  readonly #problems: LineProblems;
  /** Where the bytes of the block begin. */
  #blockStart = 0;
  #queryStart = 0;
  #queryEnd = 0;
  /** Where the last plain line begins, and how long its first two fields are; 0 where it is of no use. */
  #previousStart = 0;
  #prefixLength = 0;
  #count = 0;
  #isAscii = true;
  #starts = new Int32Array(USUAL_LINES);
  #ends = new Int32Array(USUAL_LINES);
  #hashes = new Int32Array(USUAL_LINES);
  #scores = new Float64Array(USUAL_LINES);
  #line = 0;
  #tagStart = 0;
  #tagEnd = 0;
  #tag: string | null = null;
  #hasLines = false;

  /** @param file what errors call the file. */
  constructor(file: string, onBlock: (block: RunBlock) => void, { comments = true }: RunScannerOptions = {}) {
    this.#lines = new LineBuffer(file);
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
    while (this.#lines.next < this.#lines.whole) {
      if (this.#count + MOST_LINES > this.#starts.length) this.#grow();
      if (this.#line < FIRST_LINES) this.#prefixLength = 0;
      const stop = this.#scan();
      if (stop === OTHER_QUERY) this.#flush();
      else if (stop === ODD_LINE) this.#readOddLine();
    }
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
    this.#hasLines = true;
    const isAscii = this.#isAscii;
    this.#count = 0;
    this.#prefixLength = 0;
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
    this.#previousStart -= moved;
    this.#queryStart -= moved;
    this.#queryEnd -= moved;
    for (let i = 0; i < this.#count; i++) {
      (this.#starts[i] as number) -= moved;
      (this.#ends[i] as number) -= moved;
    }
  }

  #grow(): void {
    const size = 2 * this.#starts.length;
    this.#starts = growColumn(new Int32Array(size), this.#starts);
    this.#ends = growColumn(new Int32Array(size), this.#ends);
    this.#hashes = growColumn(new Int32Array(size), this.#hashes);
    this.#scores = growColumn(new Float64Array(size), this.#scores);
  }

  #problem(code: Problem["code"], lineStart: number, at: number, message: string): void {
    this.#problems.add(code, this.#line, this.#lines.text(lineStart, at), message);
  }

  /**
   * Reads lines of one query whose six fields stand between single blanks, in ASCII. One long function over
   * local variables, because calls and fields would double its cost; what is seldom met stands elsewhere,
   * because it would have to be compiled, too. What is wrong with a line is added up and looked at once.
   */
  // eslint-disable-next-line max-lines-per-function -- one loop over the bytes, which calls would slow down
  #scan(): Stop {
    const { bytes, view, whole, next } = this.#lines;
    const starts = this.#starts;
    const ends = this.#ends;
    const hashes = this.#hashes;
    const scores = this.#scores;
    const first = this.#count;
    const most = first + MOST_LINES;
    let count = first;
    let lineStart = next;
    let previousStart = this.#previousStart;
    let prefixLength = this.#prefixLength;
    let tagStart = this.#tagStart;
    let tagEnd = this.#tagEnd;
    let stop: Stop = ENOUGH;
    while (lineStart < whole && count < most) {
      // Most lines begin as the line before, up to the item.
      if (prefixLength === 0 || !isRepeated(view, lineStart, previousStart, prefixLength, whole)) {
        stop = this.#readPrefix(lineStart, count);
        if (stop !== ENOUGH) break;
        prefixLength = this.#prefixLength;
      }
      const start = lineStart + prefixLength;
      const separator = bytes[start - 1] as number;
      let p = start;
      let byte = bytes[p] as number;
      let hash = HASH_START;
      let nonAscii = 0;
      while (byte > SPACE) {
        hash = (Math.imul(hash, 31) + byte) | 0;
        nonAscii |= byte;
        byte = bytes[++p] as number;
      }
      const end = p;
      /** Not 0 where a field does not end as it should; the lengths are negative where one is empty. */
      let wrong = byte ^ separator;
      let lengths = end - start - 1;
      const rankStart = ++p;
      byte = bytes[p] as number;
      while (byte > SPACE) byte = bytes[++p] as number;
      wrong |= byte ^ separator;
      lengths |= p - rankStart - 1;
      const scoreStart = ++p;
      byte = bytes[p] as number;
      const isNegative = byte === MINUS;
      if (isNegative) byte = bytes[++p] as number;
      let integer = 0;
      let fraction = 0;
      const integerStart = p;
      while (byte >= ZERO && byte <= NINE) {
        integer = (Math.imul(integer, 10) + byte - ZERO) | 0;
        byte = bytes[++p] as number;
      }
      const digits = p - integerStart;
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
        digits <= INTEGER_DIGITS &&
        decimals <= INTEGER_DIGITS &&
        digits + decimals > 0 &&
        digits + decimals <= EXACT_DIGITS
      ) {
        const power = POWERS_OF_TEN[decimals] as number;
        score = (integer * power + fraction) / power;
        if (isNegative) score = -score;
      } else {
        while (byte > SPACE) byte = bytes[++p] as number;
        score = decimalOf(bytes, scoreStart, p);
      }
      wrong |= byte ^ separator;
      const lastStart = ++p;
      byte = bytes[p] as number;
      while (byte > SPACE) byte = bytes[++p] as number;
      const lastEnd = p;
      lengths |= lastEnd - lastStart - 1;
      if (byte === CARRIAGE_RETURN) byte = bytes[++p] as number;
      wrong |= byte ^ NEWLINE;
      if (wrong !== 0 || lengths < 0 || nonAscii >= NON_ASCII || score - score !== 0) {
        stop = ODD_LINE;
        break;
      }
      starts[count] = start;
      ends[count] = end;
      hashes[count] = mixHash(hash);
      scores[count] = score;
      count++;
      tagStart = lastStart;
      tagEnd = lastEnd;
      previousStart = lineStart;
      lineStart = p + 1;
    }
    this.#lines.next = lineStart;
    this.#previousStart = previousStart;
    this.#count = count;
    this.#line += count - first;
    this.#tagStart = tagStart;
    this.#tagEnd = tagEnd;
    return stop;
  }

  /**
   * Reads the first two fields of a line, which may begin a block, and remembers their length with the blanks
   * behind them.
   */
  #readPrefix(lineStart: number, count: number): Stop {
    const { bytes } = this.#lines;
    let p = lineStart;
    let byte = bytes[p] as number;
    let nonAscii = 0;
    while (byte > SPACE) {
      nonAscii |= byte;
      byte = bytes[++p] as number;
    }
    const queryEnd = p;
    const separator = byte;
    if (
      queryEnd === lineStart ||
      bytes[lineStart] === this.#commentSign ||
      (separator !== SPACE && separator !== TAB)
    )
      return ODD_LINE;
    if (count > 0 && !sameBytes(bytes, lineStart, queryEnd, bytes, this.#queryStart, this.#queryEnd))
      return OTHER_QUERY;
    const secondStart = ++p;
    byte = bytes[p] as number;
    while (byte > SPACE) byte = bytes[++p] as number;
    if (byte !== separator || p === secondStart || nonAscii >= NON_ASCII) return ODD_LINE;
    if (count === 0) this.#begin(lineStart, queryEnd);
    this.#prefixLength = p + 1 - lineStart;
    return ENOUGH;
  }

  /** Begins a block, whose first line may turn out to be an odd one that is read again. */
  #begin(queryStart: number, queryEnd: number): void {
    this.#blockStart = queryStart;
    this.#queryStart = queryStart;
    this.#queryEnd = queryEnd;
  }

  /** Reads one line, whatever it looks like; where it is one of another query, those before it come out. */
  #readOddLine(): void {
    const { bytes, next: lineStart } = this.#lines;
    const lineEnd = bytes.indexOf(NEWLINE, lineStart);
    const fields = cutFields(bytes, lineStart, lineEnd, FIELDS) as Fields;
    const [queryStart, queryEnd, , , start, end, , , scoreStart, scoreEnd, tagStart, tagEnd] = fields;
    const isBlank = queryStart === queryEnd;
    const score = decimalOf(bytes, scoreStart, scoreEnd);
    // An id may begin with the sign of a comment, and whole lines of others are lines to trec_eval, too.
    const isData =
      bytes[queryStart] !== this.#commentSign ||
      (queryEnd - queryStart > 1 && tagStart < tagEnd && Number.isFinite(score));
    if (!isBlank && isData) {
      if (this.#count > 0 && !sameBytes(bytes, queryStart, queryEnd, bytes, this.#queryStart, this.#queryEnd))
        this.#flush();
      this.#line++;
      const isUnclear = areUnclear(bytes, fields);
      if (isUnclear) this.#problem("RUN_SYNTAX", lineStart, queryStart, UNCLEAR_FIELDS);
      const isRight =
        !isUnclear &&
        this.#isRight(
          lineStart,
          lineEnd,
          queryStart,
          end,
          scoreStart,
          scoreEnd,
          tagEnd,
          score,
          tagStart === tagEnd,
        );
      if (isRight) {
        if (this.#count === 0) this.#begin(queryStart, queryEnd);
        this.#starts[this.#count] = start;
        this.#ends[this.#count] = end;
        this.#hashes[this.#count] = hashOf(bytes, start, end);
        this.#scores[this.#count] = score;
        this.#count++;
        this.#tagStart = tagStart;
        this.#tagEnd = tagEnd;
      }
    } else {
      this.#line++;
      if (isBlank) this.#hasControl(lineStart, lineEnd, lineEnd);
    }
    this.#prefixLength = 0;
    this.#lines.next = lineEnd + 1;
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
          `tag\`${OTHER_FILES.get(fields) ?? ""}`,
      );
      return false;
    }
    if (!Number.isFinite(score)) {
      this.#problem(
        "RUN_SCORE",
        lineStart,
        scoreStart,
        `score must be a finite number, got ${quote(this.#lines.text(scoreStart, scoreEnd))}`,
      );
      return false;
    }
    // The rest of a line belongs to the tag, but where an id with a blank has moved all fields behind it.
    if (!isWhite(bytes, tagEnd, lineEnd) && this.#isMoved(itemEnd, scoreStart, scoreEnd, tagEnd)) {
      this.#problem(
        "RUN_SYNTAX",
        lineStart,
        itemEnd + 1,
        "a line of a TREC run has 6 fields, this one has more, and rank and score are not where they " +
          "belong; ids with blanks go into CSV or JSON",
      );
      return false;
    }
    if (!bytes.subarray(queryStart, itemEnd).some((byte) => byte >= NON_ASCII)) return true;
    try {
      decodeId(bytes, queryStart, itemEnd);
      this.#isAscii = false;
      return true;
    } catch {
      this.#problem("FILE_ENCODING", lineStart, queryStart, "an id is not UTF-8; convert the file to UTF-8");
      return false;
    }
  }

  /** Whether the rank is no number, or the tag is one. */
  #isMoved(itemEnd: number, scoreStart: number, scoreEnd: number, tagEnd: number): boolean {
    const isNumber = (from: number, to: number): boolean =>
      Number.isFinite(Number(this.#lines.text(from, to)));
    return !isNumber(itemEnd, scoreStart) || isNumber(scoreEnd, tagEnd);
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
      if (byte === CARRIAGE_RETURN && i < lineEnd - 1 && !isWhite(bytes, i, lineEnd)) {
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

/** Whether nothing but white space stands in a range of bytes. */
function isWhite(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) > SPACE) return false;
  return true;
}
