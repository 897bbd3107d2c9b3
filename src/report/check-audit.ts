import { InputError, shown } from "../foundation/errors/index.js";
import { ownValue } from "../foundation/checks/index.js";

/** Refuses what is no audit, from code without types. @throws InputError `ARGUMENT` */
export function checkAudit(audit: unknown): void {
  const kind =
    typeof audit === "object" && audit !== null ? ownValue(audit as { kind?: unknown }, "kind") : null;
  if (kind !== "label_audit")
    throw new InputError("ARGUMENT", `the renderer takes what auditLabels returned, got ${shown(audit)}`);
}
