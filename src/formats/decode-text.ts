import { InputError, problemsError, quote } from "../foundation/errors/index.js";

/**
 * Most bytes of what is read as one text, and most characters of a line: the longest string of V8 has 2^29 -
 * 24.
 */
export const MAX_TEXT_BYTES = 2 ** 29 - 24;

/**
 * Bytes of a file as text. A byte order mark is dropped.
 *
 * @param lineOffset lines before these bytes, for messages.
 * @throws InputError `FILE_ENCODING` naming the line of the first byte that is not UTF-8; `FILE_TOO_LARGE`
 * above 512 MiB.
 */
export function decodeText(bytes: Uint8Array, file: string, lineOffset = 0): string {
  checkBytes(bytes, file);
  if (bytes.length > MAX_TEXT_BYTES) throw tooLargeForOneText(file);
  refuseUtf16(bytes, file);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: lineOffset > 0 }).decode(bytes);
  } catch {
    throw notUtf8(file, lineOffset + lineOfFirstInvalidByte(bytes));
  }
}

function notUtf8(file: string, line: number): InputError {
  return problemsError([
    {
      code: "FILE_ENCODING",
      where: `${file}:${line}`,
      message: "is not UTF-8 text; save the file as UTF-8",
      line,
    },
  ]);
}

/** The text of a source that is text already, or the bytes of a file. */
export function textOf(source: string | Uint8Array, file: string): string {
  if (typeof source === "string") return source.replace(/^\ufeff/, "");
  if (source instanceof Uint8Array) return decodeText(source, file);
  throw noText(source, file);
}

function noText(source: unknown, file: string): InputError {
  const got = source instanceof ArrayBuffer ? "a buffer: give `new Uint8Array(buffer)`" : quote(source);
  return new InputError("ARGUMENT", `${file}: must be a text, or the bytes of one, got ${got}`);
}

/** @throws InputError `ARGUMENT` for what is no bytes. */
export function checkBytes(bytes: unknown, file: string): void {
  if (typeof bytes === "string")
    throw new InputError("ARGUMENT", `${file}: must be bytes, got a text: encode it with \`TextEncoder\``);
  if (!(bytes instanceof Uint8Array)) throw noText(bytes, file);
}

/** So much of a file is looked at to find out what it is. */
const HEAD_BYTES = 2 ** 16;

/**
 * The beginning of a source, with its first line whole. Letters that are cut at the end are replaced.
 *
 * @throws InputError `ARGUMENT` for what is neither text nor bytes.
 */
export function headOf(source: string | Uint8Array, file = "input"): string {
  if (typeof source === "string")
    return source.replace(/^\ufeff/, "").slice(0, Math.max(HEAD_BYTES, source.indexOf("\n")));
  if (!(source instanceof Uint8Array)) throw noText(source, file);
  return new TextDecoder().decode(
    source.subarray(0, Math.min(MAX_TEXT_BYTES, Math.max(HEAD_BYTES, source.indexOf(NEWLINE)))),
  );
}

export function tooLargeForOneText(file: string): InputError {
  return new InputError(
    "FILE_TOO_LARGE",
    `${file}: is larger than 512 MiB (${MAX_TEXT_BYTES} bytes), the most that can be read as one ` +
      "document; write it as JSONL, one record a line, which is read line by line",
    { file, limit: MAX_TEXT_BYTES },
  );
}

/** @throws InputError `FILE_ENCODING` */
export function refuseUtf16(bytes: Uint8Array, file: string): void {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw problemsError([
      { code: "FILE_ENCODING", where: file, message: "is UTF-16, not UTF-8; save it as UTF-8" },
    ]);
  }
}

/** Looks at the bytes that are on their way to a parser which would not see that they are not UTF-8. */
export class Utf8Check {
  readonly #file: string;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #lines = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws InputError `FILE_ENCODING` */
  write(chunk: Uint8Array): void {
    if (this.#lines === 0) refuseUtf16(chunk, this.#file);
    try {
      this.#decoder.decode(chunk, { stream: true });
    } catch {
      throw notUtf8(this.#file, this.#lines + lineOfFirstInvalidByte(chunk));
    }
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) this.#lines++;
  }

  /** @throws InputError `FILE_ENCODING` */
  end(): void {
    try {
      this.#decoder.decode();
    } catch {
      throw notUtf8(this.#file, this.#lines + 1);
    }
  }
}

const NEWLINE = 0x0a;

/** Lines are decoded one by one; a line feed is never part of a longer UTF-8 sequence. */
function lineOfFirstInvalidByte(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, start);
    try {
      decoder.decode(bytes.subarray(start, end === -1 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end === -1) break;
    start = end + 1;
  }
  return line;
}
