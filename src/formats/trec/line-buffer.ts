import { InputError, quote } from "../../foundation/errors/index.js";

const NEWLINE = 10;
/** No line of a run or of judgments comes near it; one without an end would fill the memory. */
const LONGEST_LINE = 2 ** 26;
/**
 * Room for two chunks of a file, so that it need not grow: code that has read from a field that nobody has
 * changed yet is thrown away, and compiled again, once the field changes.
 */
const FIRST_CAPACITY = 1 << 19;

/**
 * Bytes on their way to a parser: chunks go in, whole lines come out. What the parser still needs stays in
 * place.
 */
export class LineBuffer {
  /** Valid until the next `write`. */
  bytes = new Uint8Array(FIRST_CAPACITY);
  /** The same bytes. */
  view = new DataView(this.bytes.buffer);
  /** Where the parser goes on. */
  next = 0;
  /** Up to here there are whole lines. */
  whole = 0;
  readonly #file: string | undefined;
  #filled = 0;
  #hasStarted = false;

  /** @param file what errors call a file of short lines; without it lines have no limit. */
  constructor(file?: string) {
    this.#file = file;
  }

  /**
   * @param keepFrom the first byte that is still needed.
   * @returns by how many bytes everything has moved to the front.
   */
  write(chunk: Uint8Array, keepFrom: number): number {
    // Of bytes by themselves, in place of a list of them, each would be a chunk without a length.
    if (!(chunk instanceof Uint8Array))
      throw new InputError("ARGUMENT", `bytes must come in chunks, as in \`[bytes]\`, got ${quote(chunk)}`);
    let moved = 0;
    if (this.#filled + chunk.length > this.bytes.length) {
      moved = keepFrom;
      const kept = this.#filled - keepFrom;
      const needed = kept + chunk.length;
      if (needed > this.bytes.length) {
        const larger = new Uint8Array(Math.max(2 * this.bytes.length, needed));
        larger.set(this.bytes.subarray(keepFrom, this.#filled));
        this.bytes = larger;
        this.view = new DataView(larger.buffer);
      } else this.bytes.copyWithin(0, keepFrom, this.#filled);
      this.#filled = kept;
      this.next -= moved;
      this.whole -= moved;
    }
    this.bytes.set(chunk, this.#filled);
    const scanned = this.#filled;
    this.#filled += chunk.length;
    this.#skipByteOrderMark();
    const lastNewline = this.bytes.subarray(scanned, this.#filled).lastIndexOf(NEWLINE);
    if (lastNewline !== -1) this.whole = scanned + lastNewline + 1;
    if (this.#file !== undefined && this.restLength > LONGEST_LINE)
      throw new InputError(
        "FILE_TOO_LARGE",
        `${this.#file}: has a line of more than ${LONGEST_LINE / 2 ** 20} MiB; is it a file of lines?`,
      );
    return moved;
  }

  #skipByteOrderMark(): void {
    if (this.#hasStarted || this.#filled < 3) return;
    this.#hasStarted = true;
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.next = 3;
  }

  /** How many bytes there are of a line that has no newline yet. */
  get restLength(): number {
    return this.#filled - Math.max(this.whole, this.next);
  }

  /** The text of a range of bytes. */
  text(start: number, end: number): string {
    return new TextDecoder().decode(this.bytes.subarray(start, end));
  }

  /** Whether a last line without a newline is left. */
  get hasRest(): boolean {
    return this.#filled > this.whole;
  }
}
