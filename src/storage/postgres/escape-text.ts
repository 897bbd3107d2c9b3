import { createHash } from "node:crypto";

/**
 * A text as PostgreSQL takes it: null characters and halves of surrogate pairs, which it refuses, stand as a
 * backslash and four hexadecimal digits, and so does the backslash itself.
 */
export function escapeText(text: string): string {
  return text.replace(
    /[\0\\\ud800-\udfff]/gu,
    (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The text that {@link escapeText} was made of. */
export function unescapeText(stored: unknown): string {
  return String(stored).replace(/\\(.{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** 128 bits for texts of any length, as an index needs them, as a UUID is written. */
export function keyOf(...texts: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(texts))
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(....)(....)(....)/, "$1-$2-$3-$4-");
}
