const PLAIN = /^[ -~]*$/;
/** Two columns wide in terminals, roughly as Unicode's annex 11 has it. */
const SCRIPTS = String.raw`\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}`;
const WIDE = new RegExp(
  String.raw`^(?![\uff61-\uffdc])[${SCRIPTS}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uffe6]`,
  "u",
);
const EMOJI = "\ufe0f";
let segmenter: Intl.Segmenter | undefined;

/** Columns that a line takes in a terminal: letters of Chinese, Japanese and Korean, and emoji, take two. */
export function terminalWidth(line: string): number {
  if (PLAIN.test(line)) return line.length;
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let width = 0;
  for (const { segment } of segmenter.segment(line))
    width += WIDE.test(segment) || segment.includes(EMOJI) ? 2 : 1;
  return width;
}
