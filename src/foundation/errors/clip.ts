/** A text cut to a number of UTF-16 code units, without half of a character, and marked where it was. */
export function clip(text: string, most: number, mark = "…"): string {
  return text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, "") + mark : text;
}
