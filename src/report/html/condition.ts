import { html, nothing, type Markup } from "./markup.js";

/** A line of a list of conditions: its name, whether it held (null where it does not apply), and why. */
export function condition(name: Markup, isHeld: boolean | null, text: Markup): Markup {
  const mark =
    isHeld === null
      ? nothing
      : isHeld
        ? html`<span class="mark better"><span aria-hidden="true">✓</span> held</span> `
        : html`<span class="mark worse"><span aria-hidden="true">✗</span> not held</span> `;
  return html`<div><dt>${name}</dt><dd>${mark}${text}</dd></div>`;
}
