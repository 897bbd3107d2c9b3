/** A text as one word of a command line that can be copied into a shell. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // Within double quotes a shell still reads these.
  return text.includes("'") && !/["$`\\!]/.test(text)
    ? `"${text}"`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
