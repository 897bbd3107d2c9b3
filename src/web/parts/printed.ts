/** Numbers and times for people, the same everywhere on the page. */

/** A score at 4 decimals; a dash for none. */
export function printScore(score: number | null): string {
  return score === null ? "—" : score.toFixed(4);
}

/** A difference with its sign. */
export function printDifference(difference: number | null): string {
  if (difference === null) return "—";
  const size = Math.abs(difference).toFixed(4);
  return Number(size) === 0 ? size : `${difference > 0 ? "+" : "−"}${size}`;
}

/** A sentence of the core, as the page says it: metrics by their names in words, and a real minus. */
export function inWords(text: string): string {
  return text
    .replace(/((?:same|worst) )?\bPrimary_Metric_Score\b/g, (_, before: string | undefined, at: number) =>
      before !== undefined ? `${before}primary score` : at === 0 ? "The primary score" : "the primary score",
    )
    .replace("the unjudged hits", "the hits that neither people nor the model have judged")
    .replace(/(?<=^|[\s(])-(?=\d)/g, "−");
}

/** A time in the reader's zone, which is named. */
export function localTime(utc: string): string {
  const date = new Date(utc);
  if (Number.isNaN(date.getTime())) return utc;
  return date.toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

/** The zone of {@link localTime}. */
export function zone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Seconds as people say them. */
export function printSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
