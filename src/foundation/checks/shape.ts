import { InputError, quote, type ErrorCode } from "../errors/index.js";

/** What is wrong in a value, and where: `[".results[0].error", "must be a string, got `5`"]`. */
export type Misfit = readonly [path: string, message: string];

/** Looks at a value that may be anything. @returns the first problem */
export type Shape = (value: unknown) => Misfit | undefined;

/** A value that passes a test; `wanted` names it in the message. */
export function isA(wanted: string, test: (value: unknown) => boolean): Shape {
  return (value) => (test(value) ? undefined : ["", `must be ${wanted}, got ${showValue(value)}`]);
}

/** A text that should be none has its quotation marks. */
function showValue(value: unknown): string {
  return quote(typeof value === "string" ? JSON.stringify(value) : value);
}

/** Any text. */
export const text = isA("a string", (value) => typeof value === "string");

/** Null or undefined, or of a shape. */
export function nullish(shape: Shape): Shape {
  return (value) => (value == null ? undefined : shape(value));
}

/** Undefined, or of a shape. */
export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

const within = (place: string, [path, message]: Misfit): Misfit => [`${place}${path}`, message];

/** A list, each item of a shape. */
export function listOf(shape: Shape = () => undefined): Shape {
  return (value) => {
    if (!Array.isArray(value))
      return ["", `must be a list, got ${quote(value)}; write \`[]\` when there is nothing`];
    for (let index = 0; index < value.length; index++) {
      const problem = shape(value[index]);
      if (problem !== undefined) return within(`[${index}]`, problem);
    }
    return undefined;
  };
}

/** A record with fields of shapes, and any others; `advice` says what to give. */
export function recordOf(fields: Readonly<Record<string, Shape>>, advice: string): Shape {
  const shapes = Object.entries(fields);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return ["", `must be an object, got ${quote(value)}; ${advice}`];
    for (let at = 0; at < shapes.length; at++) {
      const [name, shape] = shapes[at] as (typeof shapes)[number];
      const problem = shape((value as Readonly<Record<string, unknown>>)[name]);
      if (problem !== undefined) return within(`.${name}`, problem);
    }
    return undefined;
  };
}

/**
 * Refuses what has not a shape.
 *
 * @param what names the value: `a run`.
 * @param prefix stands before the place of what is wrong in it: "run `a`: ".
 */
export function expectShape(
  value: unknown,
  shape: Shape,
  code: ErrorCode,
  what: string,
  prefix = `${what}: `,
): void {
  const [path, message] = shape(value) ?? [];
  if (path !== undefined && message !== undefined)
    throw new InputError(code, `${path === "" ? what : prefix + path.replace(/^\./, "")} ${message}`);
}
