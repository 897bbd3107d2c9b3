import { quote } from "./errors.js";

const MOST_KEYS = 8;

/** What a value is, without anything that it holds, which may be confidential. */
export function kindInWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** {@link kindInWords}, and of an object its keys, which are where mistakes are. */
export function keysInWords(value: unknown): string {
  const kind = kindInWords(value);
  if (kind !== "an object") return kind;
  const keys = Object.keys(value as object);
  if (keys.length === 0) return "an object without keys";
  const named = keys.slice(0, MOST_KEYS).map(quote).join(", ");
  const more = keys.length > MOST_KEYS ? ", …" : "";
  return `${kind} with the key${keys.length === 1 ? "" : "s"} ${named}${more}`;
}
