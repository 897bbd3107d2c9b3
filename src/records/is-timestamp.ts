/**
 * Whether a text is a time in UTC with milliseconds, `2026-05-01T09:00:00.000Z`. The 31st of February is
 * none: it would sort as if it were in the calendar.
 */
export function isTimestamp(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
