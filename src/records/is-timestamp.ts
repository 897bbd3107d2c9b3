/**
 * Whether a text is a time in UTC with milliseconds, `2026-05-01T09:00:00.000Z`. The 31st of February is in no
 * calendar, and would sort as if it were.
 */
export function isTimestamp(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
