import { quote } from "../errors/index.js";
import { nearestIds } from "./nearest-ids.js";

/** The question whether one of these names was meant; null where there are none. */
export function didYouMean(near: readonly string[]): string | null {
  return near.length === 0 ? null : `did you mean ${near.map(quote).join(" or ")}?`;
}

/**
 * The question whether the nearest of some names was meant, to stand behind a message; empty where none is
 * near.
 */
export function nearestHint(name: string, known: Iterable<string>): string {
  const question = didYouMean(nearestIds(name, known, 1));
  return question === null ? "" : `; ${question}`;
}
