import { canonicalJson } from "../foundation/text/index.js";
import type { Rater } from "./types/index.js";

/**
 * The identity of a rater as a text: raters of one identity are one rater. With another model, prompt or
 * parameter it is another one. Which model an answer names is not part of it: that is not known beforehand.
 */
export function raterId({ kind, name, model, prompt, prompt_version, parameters }: Rater): string {
  return canonicalJson([kind, name, model ?? null, prompt ?? null, prompt_version ?? null, parameters ?? {}]);
}

/** {@link raterId} for many assessments, which have few records as raters. */
export function raterIds(): (rater: Rater) => string {
  const known = new Map<Rater, string>();
  return (rater) => {
    const id = known.get(rater) ?? raterId(rater);
    known.set(rater, id);
    return id;
  };
}
