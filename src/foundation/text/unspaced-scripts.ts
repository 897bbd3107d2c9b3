/** Scripts that put no spaces between words, as a regular expression names them between brackets. */
export const UNSPACED_SCRIPTS: string = /*#__PURE__*/ [
  "Han",
  "Hira",
  "Kana",
  "Hang",
  "Thai",
  "Lao",
  "Khmr",
  "Mymr",
]
  .map((script) => String.raw`\p{sc=${script}}`)
  .join("");
