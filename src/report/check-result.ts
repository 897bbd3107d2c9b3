import { InputError, quote } from "../foundation/errors/index.js";
import { resultKind, type ResultKind } from "../records/index.js";

/** As {@link checkResult}, for what has this field. */
export function checkHas(value: unknown, field: string, what: string): void {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, field))
    throw new InputError("ARGUMENT", `the renderer takes ${what}, got ${quote(value)}`);
}

/** Refuses what a renderer is not for, from code without types. @throws InputError `ARGUMENT` */
export function checkResult(result: unknown, kinds: readonly ResultKind[], what: string): void {
  const kind = resultKind(result);
  if (kind === null || !kinds.includes(kind))
    throw new InputError("ARGUMENT", `the renderer takes ${what}, got ${quote(result)}`);
}
