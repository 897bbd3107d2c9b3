/** A time in UTC with milliseconds. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Whether a text is a time in UTC with milliseconds, `2026-05-01T09:00:00.000Z`. The 31st of February is
 * none: it would sort as if it were in the calendar.
 */
export function isTimestamp(text: string): boolean {
  const time = new Date(TIMESTAMP.test(text) ? text : NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
