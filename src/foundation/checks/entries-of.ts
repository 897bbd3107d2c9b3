import { InputError, quote } from "../errors/index.js";
import { kindOfObject } from "./kind-of-object.js";

/** Whether a value is a Map, also one of another realm, such as a frame or a worker's sandbox. */
export function isMap(value: unknown): value is ReadonlyMap<string, unknown> {
  return value instanceof Map || Object.prototype.toString.call(value) === "[object Map]";
}

/**
 * The entries of a Map or of a plain object.
 *
 * @param what names the value in the message.
 * @throws InputError `ARGUMENT` for anything else.
 */
export function entriesOf<T>(value: unknown, what: string): Iterable<readonly [string, T]> {
  if (isMap(value)) return value as ReadonlyMap<string, T>;
  if (typeof value === "object" && value !== null) {
    if ("then" in value && typeof value.then === "function")
      throw new InputError("ARGUMENT", `${what}: is a promise; \`await\` it`);
    if (Symbol.asyncIterator in value)
      throw new InputError("ARGUMENT", `${what}: comes piece by piece; collect it in a list or a Map first`);
    const entries = Symbol.iterator in value ? [] : Object.entries(value as Readonly<Record<string, T>>);
    // Of a date or a stream nothing would be found.
    if (entries.length > 0 || kindOfObject(value) === "Object") return entries;
  }
  throw new InputError("ARGUMENT", `${what}: must be a Map or an object, got ${quote(value)}`);
}
