import type { LabelItem } from "../records/index.js";

/** Every text and number below a value, in its order. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Most characters of an item that a reranker gets, where nothing else is said. */
export const RERANK_CHARACTERS = 2000;

/** An item as one text, a line for each text of its fields, cut at a number of characters. */
export function itemText({ fields }: Pick<LabelItem, "fields">, most = RERANK_CHARACTERS): string {
  const text = textsIn(fields).join("\n");
  if (text.length <= most) return text;
  // Half of a character would be no text.
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, isPair ? most - 1 : most);
}

/** A 32-bit hash of a text, FNV-1a over its UTF-16 code units. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
