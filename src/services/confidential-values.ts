import { isSecretKey, isSecretText } from "../foundation/text/index.js";
import { namesIn } from "./fill-template.js";

/** The parts of a search's settings that values are sent in. */
export interface SentSettings {
  readonly params?: unknown;
  readonly body?: unknown;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** By this name presets have a field to sort by. */
const SORTED_BY = "key";

/**
 * Values that a search sends in confidence beside parameters that are written out: those that stand under the
 * name of a secret, or look like one, in what is sent and in its variables.
 */
export function confidentialValues({ params, body, variables = {} }: SentSettings): string[] {
  const found: string[] = [];
  const take = (value: unknown, key: string): void => {
    if (Array.isArray(value)) for (const each of value) take(each, key);
    else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) take(each, name);
    if (typeof value !== "string") return;
    const names = namesIn(value);
    if (names.length === 0 && (isSecretKey(key) || isSecretText(value, key))) found.push(value);
    if (!isSecretKey(key)) return;
    for (const name of names) if (typeof variables[name] === "string") found.push(variables[name]);
  };
  for (const sent of [params, body]) take(sent, "");
  for (const [name, value] of Object.entries(variables)) if (name !== SORTED_BY) take(value, name);
  return found;
}
