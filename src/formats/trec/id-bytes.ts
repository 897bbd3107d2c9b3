/** Ids as bytes in a larger buffer: compared and hashed without making strings of them. */

/** What separates fields: what C calls white space. */
const WHITE_SPACE = [9, 10, 11, 12, 13, 32];

/** 1 for control characters that have no business in a line of text. */
export const CONTROL = new Uint8Array(256).map((_, byte) =>
  byte < 32 && !WHITE_SPACE.includes(byte) ? 1 : 0,
);

/** How the hash of an id begins. */
export const HASH_START = 17;

/**
 * The hash of an id, byte by byte: `hash = (Math.imul(hash, 31) + byte) | 0`, then mixed so that the low bits
 * depend on all.
 */
export function mixHash(hash: number): number {
  const folded = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return folded ^ (folded >>> 12);
}

/** The hash of an id that is not being read from a line. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
  return mixHash(hash);
}

/** Whether two ranges of bytes hold the same id. */
export function sameBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let i = aStart, j = bStart; i < aEnd; i++, j++) if (a[i] !== b[j]) return false;
  return true;
}

/** The order of two ids by their bytes: negative when the first comes first. */
export function compareBytes(
  bytes: Uint8Array,
  aStart: number,
  aEnd: number,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < length; i++) {
    const difference = (bytes[aStart + i] as number) - (bytes[bStart + i] as number);
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/** Ids no longer than this are put together byte by byte: cheaper than calling a decoder. */
const SHORT = 32;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The id in a range of bytes.
 *
 * @throws TypeError when the bytes are not UTF-8.
 */
export function decodeId(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT) {
    let text = "";
    let i = start;
    for (; i < end && (bytes[i] as number) < 0x80; i++) text += String.fromCharCode(bytes[i] as number);
    if (i === end) return text;
  }
  return decoder.decode(bytes.subarray(start, end));
}
