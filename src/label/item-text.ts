import { clip } from "../foundation/errors/index.js";
import type { LabelItem } from "../records/index.js";
import { firstCharacters } from "./visible-text.js";

/** Every text and number below a value, in its order. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const TITLES = ["title", "name", "headline", "label"];
const LONGEST_TITLE = 160;

/** What an item is called: a field with a title's name, else its first text; null without any. */
export function itemTitle({ fields }: Pick<LabelItem, "fields">): string | null {
  const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
  const named = TITLES.filter((name) => Object.hasOwn(fields, name)).map((name) => fields[name]);
  const title = [...named, ...Object.values(fields)].find(isText);
  return title === undefined ? null : firstCharacters(title.trim().replace(/\s+/g, " "), LONGEST_TITLE);
}

/** Most characters of an item that a reranker gets, where nothing else is said. */
const RERANK_CHARACTERS = 2000;

/** An item as one text, a line for each text of its fields, cut at a number of UTF-16 code units. */
export function itemText({ fields }: Pick<LabelItem, "fields">, most = RERANK_CHARACTERS): string {
  return clip(textsIn(fields).join("\n"), most, "");
}

/** A 32-bit hash of a text, FNV-1a over its UTF-16 code units. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
