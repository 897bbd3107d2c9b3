import { InputError, quote } from "../errors/index.js";
import { wholeNumber } from "./whole-number.js";

/** @throws InputError `ARGUMENT` for a limit that is no whole number from 1. */
export function checkLimit(limit: number): number {
  return wholeNumber("limit", limit);
}

/** Refuses the options of a search that are none. @throws InputError `ARGUMENT` */
export function searchOptions<T extends { readonly limit: number }>(options: T): T {
  if (typeof options === "object" && (options as T | null) !== null) return options;
  throw new InputError("ARGUMENT", `search takes a question and \`{ limit }\`, got ${quote(options)}`);
}
