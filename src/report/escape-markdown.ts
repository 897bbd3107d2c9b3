import { clip } from "../foundation/errors/index.js";
import { oneLine } from "../foundation/text/index.js";

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
  return escapeUpTo(text, LONGEST_CELL);
}

/** {@link escapeMarkdown} for a sentence, which has room. */
export function escapeSentence(text: string): string {
  return escapeUpTo(text, LONGEST_SENTENCE);
}

function escapeUpTo(text: string, most: number): string {
  return (
    clip(oneLine(text), most)
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
