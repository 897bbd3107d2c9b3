import { formatCount } from "../foundation/numbers/index.js";

/** What stands below a table that does not show all; nothing where it does. */
export function moreRows(hidden: number): string {
  return hidden > 0 ? `and ${formatCount(hidden)} more, all in the JSON report` : "";
}
