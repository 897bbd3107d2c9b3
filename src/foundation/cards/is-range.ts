/** Whether these are a lowest and a highest score, each null where there is no bound. */
export function isRange(range: unknown): range is readonly [low: number | null, high: number | null] {
  if (!Array.isArray(range) || range.length !== 2) return false;
  const [low, high] = range as readonly unknown[];
  const isBound = (bound: unknown): boolean => bound === null || Number.isFinite(bound);
  return (
    isBound(low) && isBound(high) && (low === null || high === null || (low as number) < (high as number))
  );
}
