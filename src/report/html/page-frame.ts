import { html, Markup, nothing } from "./markup.js";
import { embeddedJson, type PageData } from "./page-data.js";
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from "./page-source.js";
import { counted } from "./printed-numbers.js";
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
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${pageScriptHash}'; style-src '${pageStyleHash}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="rankproof">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<nav aria-label="Sections"><div>${links}</div><span class="needs-script"><button type="button" id="theme" aria-label="Light or dark">◐</button><button type="button" id="help" aria-label="Keys">?</button></span></nav>
<header><h1>${heading}</h1><p class="quiet">${facts.join(" · ")}${generatedAt === undefined ? "" : ` · ${generatedAt}`}${warnings === 0 ? nothing : html` · <a href="#warnings">${counted(warnings, "warning", "warnings")}</a>`}</p></header>
<main id="main">
${sections.map(([, , section]) => section)}
</main>
<footer class="quiet small">Made by rankproof.</footer>
${dialogs()}
<script type="application/json" id="data">${new Markup(embeddedJson(data))}</script>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`;
  return page.text;
}
