import type { LabelItem } from "../../records/index.js";

/** Where a text is put. */
export type Place = "start" | "middle" | "end";

/** A text is cut only where it has so many words: of fewer, hardly anything is left. */
const FEWEST_WORDS = 6;

/** An item with a text put into its longest field; undefined where it has no text. */
export function withAdded(item: LabelItem, added: string, place: Place): LabelItem | undefined {
  return changeTexts(item, (text) => {
    if (place === "start") return `${added} ${text}`;
    if (place === "end") return `${text} ${added}`;
    const words = wordsOf(text);
    const at = words[Math.floor(words.length / 2)]?.index ?? 0;
    return `${text.slice(0, at)}${added} ${text.slice(at)}`;
  });
}

/** An item with the first third of the words of its longest field; undefined where these are too few. */
export function cutToThird(item: LabelItem): LabelItem | undefined {
  return changeTexts(item, (text) => {
    const words = wordsOf(text);
    const next = words[Math.floor(words.length / 3)];
    return words.length < FEWEST_WORDS || next === undefined
      ? undefined
      : text.slice(0, next.index).trimEnd();
  });
}

/** Whether an item has a text that can be changed. */
export function hasText({ fields }: LabelItem): boolean {
  return longestField(fields) !== undefined;
}

function changeTexts(item: LabelItem, change: (text: string) => string | undefined): LabelItem | undefined {
  const longest = longestField(item.fields);
  if (longest === undefined) return undefined;
  const [name, before] = longest;
  const text = change(before);
  return text === undefined ? undefined : { ...item, fields: { ...item.fields, [name]: text } };
}

function longestField(fields: LabelItem["fields"]): readonly [string, string] | undefined {
  return Object.entries(fields)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1].trim() !== "")
    .reduce<[string, string] | undefined>(
      (longest, entry) => (longest !== undefined && longest[1].length >= entry[1].length ? longest : entry),
      undefined,
    );
}

function wordsOf(text: string): RegExpExecArray[] {
  return [...text.matchAll(/\S+/g)];
}
