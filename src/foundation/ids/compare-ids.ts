/**
 * The order of ids: by code point, which is also the order of their UTF-8 bytes. Plain `<` compares UTF-16
 * code units and puts U+FFFF before U+10000 the wrong way round; locale order differs from machine to
 * machine.
 *
 * @returns negative when `a` comes first, positive when `b` does, 0 when they are the same.
 */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xHalf = x >= 0xd800 && x <= 0xdfff;
    const yHalf = y >= 0xd800 && y <= 0xdfff;
    return xHalf === yHalf ? x - y : xHalf ? 1 : -1;
  }
  return a.length - b.length;
}
