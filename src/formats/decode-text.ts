import { problemsError } from "../errors.js";

/**
 * Bytes of a file as text. A byte order mark is dropped.
 *
 * @throws InputError `FILE_ENCODING` naming the line of the first byte that is not UTF-8.
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw problemsError([{ code: "FILE_ENCODING", where: file, message: "is UTF-16, not UTF-8; save it as UTF-8" }]);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const line = lineOfFirstInvalidByte(bytes);
    throw problemsError([{ code: "FILE_ENCODING", where: `${file}:${line}`, message: "is not UTF-8 text; save the file as UTF-8", line }]);
  }
}

/** The text of a source that is text already, or the bytes of a file. */
export function textOf(source: string | Uint8Array, file: string): string {
  return typeof source === "string" ? source.replace(/^\ufeff/, "") : decodeText(source, file);
}

/** Lines are decoded one by one; a line feed is never part of a longer UTF-8 sequence. */
function lineOfFirstInvalidByte(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
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
