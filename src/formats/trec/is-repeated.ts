const WORD = 4;

/** Whether bytes stand there again, all of them before `limit`; compared by words. */
export function isRepeated(
  view: DataView,
  at: number,
  before: number,
  length: number,
  limit: number,
): boolean {
  if (at + length > limit) return false;
  let i = 0;
  for (; i + WORD <= length; i += WORD)
    if (view.getInt32(at + i, true) !== view.getInt32(before + i, true)) return false;
  for (; i < length; i++) if (view.getUint8(at + i) !== view.getUint8(before + i)) return false;
  return true;
}
