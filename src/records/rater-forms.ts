import { raterId } from "./rater-id.js";
import type { Rater } from "./types/index.js";

/** What an endpoint took is kept in a rater's parameters, beside those that were set. */
const FORM = ["response_format", "without"];

/** Whether two raters are one labeler whose endpoint took its requests in another form. */
export function differInForm(a: Rater, b: Rater): boolean {
  const left = [...FORM, ...listRefused(a), ...listRefused(b)];
  return raterId(a) !== raterId(b) && settingsOf(a, left) === settingsOf(b, left);
}

/** Names of parameters that the endpoint refused. */
function listRefused({ parameters }: Rater): string[] {
  const { without } = parameters ?? {};
  return Array.isArray(without) ? without.map(String) : [];
}

function settingsOf({ parameters, ...rater }: Rater, left: readonly string[]): string {
  const kept = Object.entries(parameters ?? {}).filter(([name]) => !left.includes(name));
  return raterId({ ...rater, parameters: Object.fromEntries(kept) });
}
