import { moreRows } from "../more-rows.js";
import { html, nothing, type Markup } from "./markup.js";

/** What stands below a table or list that does not show all; nothing where it does. */
export function moreNote(hidden: number): Markup {
  return hidden > 0 ? html`<p class="quiet">${moreRows(hidden)}</p>` : nothing;
}
