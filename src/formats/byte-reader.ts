import { decodeText, headOf, MAX_TEXT_BYTES, tooLargeForOneText } from "./decode-text.js";

/**
 * What bytes are written to as they come, and what says at the end what they were. A chunk may be overwritten
 * after `write`.
 */
export interface ByteReader<T> {
  /** Takes the next bytes. */
  write(chunk: Uint8Array): void;
  /** What all bytes together are. Called once, after the last `write`. */
  end(): T;
}

/** What a reader makes of bytes that are there already. */
export function readAtOnce<T>(reader: ByteReader<T>, bytes: Uint8Array): T {
  reader.write(bytes);
  return reader.end();
}

/** Collects everything as one text. */
export function wholeTextReader<T>(file: string, read: (text: string) => T): ByteReader<T> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    write(chunk) {
      length += chunk.length;
      if (length > MAX_TEXT_BYTES) throw tooLargeForOneText(file);
      chunks.push(chunk.slice());
    },
    end: () => read(decodeText(joinBytes(chunks), file)),
  };
}

const NEWLINE = 0x0a;
/** A first line that is longer is judged by this much of it. */
const LONGEST_HEAD_BYTES = 2 ** 24;

/**
 * Collects the first lines, lets `choose` say by them what reads the bytes, and hands everything on to that.
 */
export function sniffingReader<T>(choose: (head: string) => ByteReader<T>): ByteReader<T> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let hasLine = false;
  let chosen: ByteReader<T> | undefined;
  const decide = (): ByteReader<T> => {
    const bytes = joinBytes(chunks);
    chunks = [];
    const reader = choose(headOf(bytes));
    reader.write(bytes);
    return (chosen = reader);
  };
  return {
    write(chunk) {
      if (chosen !== undefined) return chosen.write(chunk);
      chunks.push(chunk.slice());
      length += chunk.length;
      // A line feed at the very beginning ends no line that says anything.
      hasLine ||= chunk.lastIndexOf(NEWLINE) > 0;
      if ((hasLine && length >= SHORTEST_HEAD_BYTES) || length >= LONGEST_HEAD_BYTES) decide();
    },
    end: () => (chosen ?? decide()).end(),
  };
}

const SHORTEST_HEAD_BYTES = 2 ** 16;

function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
