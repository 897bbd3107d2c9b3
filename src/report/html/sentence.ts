import { html, type Markup } from "./markup.js";

/** A sentence of the core: its commands are code, and a negative number has a real minus. */
export function sentence(text: string): Markup {
  const parts = text.replace(/(?<=^|[\s(])-(?=\d)/g, "\u2212").split(/`(rankproof [^`]+)`/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
