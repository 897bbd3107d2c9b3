import type { JSX } from "preact";
import { UNSPACED_SCRIPTS } from "../../foundation/text/index.js";

/** Words that nearly every text has, in English and German: as marks they would hide the others. */
const EVERYWHERE = new Set(
  (
    "an and are as at be by do does for from has have how in into is it of on or that the this to was were " +
    "what when which who why with am auf aus bei das dem den der des die ein eine einen einer für im ist " +
    "mit oder ohne und von vom wie zu zum zur"
  ).split(" "),
);

/** Words of a query that are worth marking in an item. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
  const rare = words.filter((word) => !EVERYWHERE.has(word));
  return rare.length === 0 ? words : rare;
}

/** Shorter words are marked where they stand alone: "den" is no part of "garden". */
const FEWEST_LETTERS = 4;
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");

/** A text with the query's words marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }): JSX.Element {
  if (words.length === 0) return <>{text}</>;
  const parts = words.map((word) =>
    word.length < FEWEST_LETTERS && !UNSPACED.test(word)
      ? `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`
      : word,
  );
  const any = new RegExp(`(${parts.join("|")})`, "giu");
  return <>{text.split(any).map((part, at) => (at % 2 === 1 ? <mark>{part}</mark> : part))}</>;
}
