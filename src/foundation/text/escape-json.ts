/** JSON in which some characters stand as escapes, which is the same JSON to whoever reads it. */
export function escapeJson(value: unknown, characters: RegExp): string {
  return JSON.stringify(value).replace(
    characters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
