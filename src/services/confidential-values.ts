import { isSecretKey, isSecretText } from "../foundation/text/index.js";
import { literalParts, namesIn } from "./fill-template.js";

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
  const take = (value: unknown, key: string, isWithin = false): void => {
    const isSecret = isWithin || (key !== SORTED_BY && isSecretKey(key));
    if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value))
        take(each, Array.isArray(value) ? key : name, isSecret);
    if (typeof value === "number" && isSecret) found.push(String(value));
    if (typeof value !== "string") return;
    if (isSecret || isSecretText(value, key)) found.push(value, ...literalParts(value));
    if (!isSecret && !isSecretKey(key)) return;
    for (const name of namesIn(value)) {
      const given = variables[name];
      if (typeof given === "string" || typeof given === "number") found.push(String(given));
    }
  };
  for (const sent of [params, body]) take(sent, "");
  take(variables, "");
  return found.filter((value) => value.trim() !== "");
}
