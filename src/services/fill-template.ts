import { InputError, quote } from "../foundation/errors/index.js";

/** What names in braces stand for; undefined for one that has no value at the moment. */
export type TemplateValues = Readonly<Record<string, string | number | undefined>>;

const NAME = /\{(\w+)\}/g;
/** Halves of characters, which no address can have. */
const HALVES = /\p{Surrogate}/gu;
const WHOLE = /^\{(\w+)\}$/;

/**
 * A template with its names in braces filled in. A text that is nothing but a name becomes the value itself,
 * a number as a number; where that has no value, the member or element is left out.
 */
export function fillTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === "string") {
    const whole = WHOLE.exec(template)?.[1];
    return whole === undefined ? fillText(template, values) : values[whole];
  }
  if (Array.isArray(template))
    return template.map((each) => fillTemplate(each, values)).filter((each) => each !== undefined);
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, each]) => [name, fillTemplate(each, values)] as const)
      .filter(([, each]) => each !== undefined),
  );
}

/** A text with its names in braces filled in. */
export function fillText(
  template: string,
  values: TemplateValues,
  written: (value: string) => string = (value) => value,
): string {
  return template.replace(NAME, (_, name: string) =>
    written(String(values[name] ?? "").replace(HALVES, "\ufffd")),
  );
}

/** What stands between the names in braces of a text. */
export function literalParts(template: string): string[] {
  return template.split(/\{\w+\}/);
}

/** Every name in braces of a template. */
export function namesIn(template: unknown): string[] {
  if (typeof template === "string") return [...template.matchAll(NAME)].map(([, name]) => name as string);
  return typeof template === "object" && template !== null ? Object.values(template).flatMap(namesIn) : [];
}

/**
 * Refuses a template with names that nothing is known of.
 *
 * @throws InputError `CONFIG`
 */
export function checkNames(template: unknown, known: readonly string[], where: string): void {
  const unknown = namesIn(template).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InputError(
      "CONFIG",
      `${where}: ${quote(`{${unknown}}`)} stands for nothing; known are ${known.join(", ")}; give others ` +
        "under `variables`",
    );
}
