import { itemTitle, textsIn } from "../label/index.js";
import type { LabelItem, WorkbenchItem } from "../records/index.js";

/** Most characters of a field; the whole item is in the corpus. */
const MOST_CHARACTERS = 2000;
const MOST_FIELDS = 30;

/** An item as a person is shown it: its title, and its fields as texts. */
export function itemShown({ id, fields }: LabelItem, showsImages: boolean): WorkbenchItem {
  const title = itemTitle({ fields });
  const shown = Object.entries(fields)
    .map(([name, value]) => [name, textsIn(value).join(", ")] as const)
    .filter(([, text]) => text.trim() !== "" && text.trim().replace(/\s+/g, " ") !== title);
  return {
    id,
    title,
    fields: shown.slice(0, MOST_FIELDS).map(([name, text]) => [name, cut(text)]),
    image: showsImages ? (shown.map(([, text]) => text).find(isPicture) ?? null) : null,
  };
}

function cut(text: string): string {
  const characters = [...text.slice(0, 2 * MOST_CHARACTERS)];
  return characters.length <= MOST_CHARACTERS && text.length <= 2 * MOST_CHARACTERS
    ? text
    : `${characters.slice(0, MOST_CHARACTERS).join("")}…`;
}

function isPicture(text: string): boolean {
  return /^https?:\/\/\S+\.(?:png|jpe?g|webp|gif|avif)(?:\?\S*)?$/i.test(text.trim());
}
