const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

/**
 * The 32-bit FNV-1a hash of a text's UTF-8 bytes, from 0 to 2^32 - 1, as other programs compute it, too.
 *
 * @see http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function fnv1a(text: string): number {
  let hash = OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}
