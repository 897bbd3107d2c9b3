import { InputError, quote } from "../foundation/errors/index.js";
import { ownValue } from "../foundation/checks/index.js";

/** Refuses what is no record of a kind, from code without types. @throws InputError `ARGUMENT` */
export function checkKind(record: unknown, kind: string, maker: string): void {
  const given =
    typeof record === "object" && record !== null ? ownValue(record as { kind?: unknown }, "kind") : null;
  if (given !== kind)
    throw new InputError("ARGUMENT", `the renderer takes what ${maker} returned, got ${quote(record)}`);
}
