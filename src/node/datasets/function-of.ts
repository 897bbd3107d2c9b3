import { InputError, messageOf } from "../../foundation/errors/index.js";
import { importFile } from "../import-file.js";

/**
 * A function that a module exports, by itself or in its default export.
 *
 * @param call how it is called, and `returns` what it gives, for messages.
 * @throws InputError `CONFIG`
 */
export async function functionOf<T extends (...given: never[]) => unknown>(
  path: string,
  name: string,
  call: string,
  returns: string,
): Promise<T> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await importFile(path);
  } catch (cause) {
    throw new InputError("CONFIG", `${path}: cannot be imported: ${messageOf(cause)}`, { path }, cause);
  }
  const found =
    exported[name] ?? (exported["default"] as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (typeof found !== "function")
    throw new InputError("CONFIG", `${path}: must export a function \`${call}\` that returns ${returns}`, {
      path,
    });
  return found as T;
}
