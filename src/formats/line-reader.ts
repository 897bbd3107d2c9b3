import { decodeText, MAX_TEXT_BYTES } from "./decode-text.js";
import { problemsError } from "../foundation/errors/index.js";
import { LineBuffer } from "./trec/line-buffer.js";

/**
 * A source that is read at once is cut into chunks of this size: no text longer than that is made, unless a
 * line is longer.
 */
const CHUNK_BYTES = 2 ** 18;

/**
 * Text in lines, out of bytes that come in chunks, however they are cut. A chunk may be overwritten after
 * `write`.
 */
export class LineReader {
  readonly #file: string;
  readonly #take: (line: string, lineOffset: number) => void;
  readonly #buffer = new LineBuffer();
  #lineOffset = 0;

  /** @param take is given each line without its line feed, and how many lines stand before it. */
  constructor(file: string, take: (line: string, lineOffset: number) => void) {
    this.#file = file;
    this.#take = take;
  }

  /** @throws InputError `FILE_ENCODING`; `FILE_TOO_LARGE` for a line above 512 MiB. */
  write(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
      this.#writeChunk(bytes.subarray(start, start + CHUNK_BYTES));
  }

  end(): void {
    if (this.#buffer.hasRest) this.#writeChunk(NEWLINE);
  }

  #writeChunk(chunk: Uint8Array): void {
    const buffer = this.#buffer;
    buffer.write(chunk, buffer.next);
    if (buffer.whole > buffer.next) {
      const text = decodeText(buffer.bytes.subarray(buffer.next, buffer.whole), this.#file, this.#lineOffset);
      buffer.next = buffer.whole;
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        this.#take(text.slice(start, end), this.#lineOffset++);
        start = end + 1;
      }
    }
    if (buffer.restLength > MAX_TEXT_BYTES) {
      const line = this.#lineOffset + 1;
      throw problemsError([
        {
          code: "FILE_TOO_LARGE",
          where: `${this.#file}:${line}`,
          message: `is a line of more than ${MAX_TEXT_BYTES} bytes (512 MiB), the most that can be read`,
          line,
        },
      ]);
    }
  }
}

const NEWLINE = Uint8Array.of(0x0a);
