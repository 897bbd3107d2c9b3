import type { JSX } from "preact";

/** Words of a query that are worth marking in an item. */
export function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
}

/** A text with the query's words marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }): JSX.Element {
  if (words.length === 0) return <>{text}</>;
  const any = new RegExp(
    `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
    "giu",
  );
  return <>{text.split(any).map((part, at) => (at % 2 === 1 ? <mark>{part}</mark> : part))}</>;
}
