import { countOf } from "../../foundation/numbers/index.js";
import { html, Markup, nothing } from "./markup.js";
import { escapeForScript } from "./page-data.js";
import type { PageData } from "./page-model.js";
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from "./page-source.js";
import { dialogs } from "./queries-section.js";

/**
 * A part of a page: the id that links lead to, its name among them, and what it says. One that says nothing
 * is left out.
 */
export type PageSection = readonly [id: string, name: string, content: Markup];

/** What stands in a page. */
export interface FramedPage {
  /** Of the window. */
  readonly title: string;
  readonly heading: Markup;
  /** Below the heading, in a line. */
  readonly facts: readonly string[];
  /** When the report was made, as it is to be printed. Without it no time is. */
  readonly generatedAt: string | undefined;
  /** How many of them the section `warnings` has. */
  readonly warnings: number;
  readonly sections: readonly PageSection[];
  /** What the script reads. */
  readonly data: PageData;
}

/**
 * A whole HTML file around its sections: head, links, the dialogs, style, script and its data, and a policy
 * that allows nothing else.
 */
export function pageFrame({
  title,
  heading,
  facts,
  generatedAt,
  warnings,
  sections,
  data,
}: FramedPage): string {
  const links = sections
    .filter(([, , section]) => section.text !== "")
    .map(([id, name]) => html`<a href="#${id}">${name}</a>`);
  const policy =
    `default-src 'none'; script-src '${pageScriptHash}'; style-src '${pageStyleHash}'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'";
  const lines = [
    html`<!doctype html>`,
    html`<html lang="en">`,
    html`<head>`,
    html`<meta charset="utf-8">`,
    html`<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">`,
    html`<meta name="viewport" content="width=device-width, initial-scale=1">`,
    html`<meta name="color-scheme" content="light dark">`,
    html`<meta name="referrer" content="no-referrer">`,
    html`<meta name="generator" content="rankproof">`,
    html`<title>${title}</title>`,
    html`<link rel="icon" href="data:,">`,
    html`<style>${new Markup(pageStyle)}</style>`,
    html`</head>`,
    html`<body>`,
    html`<a class="skip" href="#main">Skip to the report</a>`,
    html`
      <nav aria-label="Sections">
        <div>${links}</div>
        <span class="needs-script">
          <button type="button" id="theme" aria-label="Light or dark">◐</button>
          <button type="button" id="help" aria-label="Keys">?</button>
        </span>
      </nav>
    `,
    html`
      <header>
        <h1>${heading}</h1>
        <p class="quiet">
          ${facts.join(" · ")}${generatedAt === undefined ? "" : ` · ${generatedAt}`}
          ${warnings === 0 ? nothing : html` · <a href="#warnings">${countOf(warnings, "warning")}</a>`}
        </p>
      </header>
    `,
    html`<main id="main">`,
    html`${sections.map(([, , section]) => section)}`,
    html`</main>`,
    html`<footer class="quiet small">Made by rankproof.</footer>`,
    dialogs(),
    // No template of `html`: bundlers take those with the end of a script in them for dangerous.
    new Markup(`<script type="application/json" id="data">${escapeForScript(data)}</script>`),
    new Markup(`<script>${pageScript}</script>`),
    html`</body>`,
    html`</html>`,
  ];
  return `${lines.map(({ text }) => text).join("\n")}\n`;
}
