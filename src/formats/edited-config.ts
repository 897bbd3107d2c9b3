import { InputError } from "../foundation/errors/index.js";
import { Document, isMap, parseDocument } from "yaml";

/**
 * A configuration with one key set, as text. Comments, the order of keys and values from the environment
 * (`${NAME}`) stay as they are.
 *
 * @param text of the file; empty for a new one.
 * @param file its name; its extension says what it is written in.
 * @throws InputError `CONFIG` for what is no mapping in YAML or JSON.
 */
export function editedConfig(text: string, file: string, key: string, value: unknown): string {
  if (/\.json$/i.test(file)) return editedJson(text, file, key, value);
  const document = text.trim() === "" ? new Document({}) : parseDocument(text);
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw noMapping(file);
  document.set(key, document.createNode(value));
  return document.toString({ lineWidth: 0 });
}

function editedJson(text: string, file: string, key: string, value: unknown): string {
  let config: unknown;
  try {
    config = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw noMapping(file);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw noMapping(file);
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  return `${JSON.stringify({ ...config, [key]: value }, null, indent)}\n`;
}

function noMapping(file: string): InputError {
  return new InputError("CONFIG", `${file}: must be a mapping of settings; mend it, and try again`);
}
