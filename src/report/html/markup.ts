import { oneLine } from "../../foundation/text/index.js";

/** HTML that is safe to put into a document as it is. Only `html` makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text, which is escaped; numbers; markup; lists of these. */
export type Part = string | number | Markup | readonly Part[];

/** Nothing. */
export const nothing = new Markup("");

/** Sentences of a report are cut here: they repeat names from the data, which may be of any length. */
const LONGEST_TEXT = 2_000;
/** Ids and names are cut here. */
export const LONGEST_NAME = 160;

/**
 * A template of HTML: what is put into it is escaped unless it is markup itself, so that no text from data
 * becomes an element or ends an attribute. A line break within text is a space; beside a tag, or what is put
 * in, it is nothing, so that a template may be written on several lines.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let texts = unbroken.get(strings);
  if (texts === undefined) {
    texts = strings.map((text) =>
      text.replace(/([^\s>]?)\s*\n\s*([^\s<]?)/g, (_, before: string, after: string) =>
        before === "" || after === "" ? before + after : `${before} ${after}`,
      ),
    );
    unbroken.set(strings, texts);
  }
  return new Markup(texts.map((text, index) => text + partText(parts[index] ?? "")).join(""));
}

/** The texts of each template without line breaks. */
const unbroken = new WeakMap<TemplateStringsArray, readonly string[]>();

function partText(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(partText).join("");
  if (typeof part === "number") return String(part);
  // A space at the edge parts words; only within text is white space drawn together.
  const [before, after] = [part.startsWith(" "), part.length > 1 && part.endsWith(" ")];
  return `${before ? " " : ""}${escapeHtml(clipMarkup(part, LONGEST_TEXT))}${after ? " " : ""}`;
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => REFERENCES[char] ?? char);
}

/** A name from the data, on its own: its direction of writing does not reach what stands beside it. */
export function bdi(name: string): Markup {
  return html`<bdi>${clipMarkup(name, LONGEST_NAME)}</bdi>`;
}

/**
 * Text on one line, without invisible characters that do something, well-formed, and not longer than it may
 * be.
 */
export function clipMarkup(text: string, most: number): string {
  // White space is drawn together afterwards, so more than is needed is looked at, but never all of a
  // megabyte.
  const line = oneLine(text.slice(0, 2 * most)).replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    "\ufffd",
  );
  const isCut = line.length > most || text.length > 2 * most;
  return isCut ? `${line.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…` : line;
}
