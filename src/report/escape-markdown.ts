/** Longer texts are cut in tables; the JSON report has them whole. */
const LONGEST_CELL = 160;
/** Sentences repeat names from the data, which may be of any length. */
const LONGEST_SENTENCE = 2_000;

/**
 * Foreign text for a line or a table cell of Markdown: it shows what it says and can neither end the cell,
 * nor begin markup, nor become HTML, a link, a mention or a formula. Character references, unlike
 * backslashes, mean the same to every renderer.
 */
export function escapeMarkdown(text: string): string {
  return escapedUpTo(text, LONGEST_CELL);
}

/** {@link escapeMarkdown} for a sentence, which has room. */
export function escapeSentence(text: string): string {
  return escapedUpTo(text, LONGEST_SENTENCE);
}

function escapedUpTo(text: string, most: number): string {
  const line = oneLine(text);
  const cut = line.length > most ? `${line.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : line;
  return (
    cut
      .replace(/[&<>|`*[\]~\\$]/g, reference)
      .replace(/(?<![\p{L}\p{N}])@/gu, reference)
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, reference)
      .replace(/(?<!&)#(?=\d)|^#/g, reference)
      .replace(/:\/\//g, ":&#47;&#47;")
      .replace(/\bwww\./gi, (match) => `${match.slice(0, -1)}&#46;`)
      // A space of no width keeps an address from becoming a link to write to.
      .replace(/(?<=[\w.+-])@(?=[\w-]+\.\w)/g, "@&#8203;")
      .replace(/^(?=[-+=]|\d+[.)])/, "&#8203;")
  );
}

function reference(char: string): string {
  return `&#${char.charCodeAt(0)};`;
}

/** Text on one line, without characters that move the cursor or turn the direction of what follows. */
export function oneLine(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      .replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]+/g, " ")
      .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
      .trim()
  );
}
