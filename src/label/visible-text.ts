/**
 * Characters that are not seen, or that change how others are read: controls, zero-width and directional
 * ones, fillers, tags, variation selectors, private use.
 */
const UNSEEN = new RegExp(
  String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\u034f\u115f\u1160` +
    String.raw`\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  "gu",
);

/** A text in which everything can be seen: `\u{200b}` stands for a character that cannot. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The first characters of a text, never half of one. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let at = 0;
  for (let counted = 0; counted < count && at < text.length; counted++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, at);
}
