import { isMap, isScalar, parse, parseDocument, stringify, type Document } from "yaml";
import { InputError } from "../foundation/errors/index.js";
import { canonicalJson, parseJson } from "../foundation/text/index.js";

/** Settings below one key. */
type Settings = Readonly<Record<string, string | undefined>>;

/**
 * A configuration with the settings below one key changed, as text. Everything else stays as it is written:
 * comments, order, line ends, values from the environment (`${NAME}`).
 *
 * @param text of the file; empty for a new one.
 * @param file its name; its extension says what it is written in.
 * @throws InputError `CONFIG` for what is no mapping in YAML or JSON.
 */
export function editConfig(text: string, file: string, key: string, settings: Settings): string {
  if (/\.json$/i.test(file)) return editJson(text, file, key, settings);
  const document = parseDocument(text);
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw noMapping(file);
  const before = (document.toJS() ?? {}) as Record<string, object | undefined>;
  const wanted = canonicalJson({ ...before, [key]: { ...before[key], ...settings } });
  const edited = [
    replaceEntry(text, document, key, settings),
    appendEntry(text, document, key, settings),
  ].find((candidate) => candidate !== null && isSame(candidate, wanted));
  if (edited != null) return edited;
  // Anchors, flow or documents that end: written anew.
  if (isMap(document.get(key, true)))
    for (const [name, value] of Object.entries(settings)) document.setIn([key, name], value);
  else document.set(key, document.createNode({ ...before[key], ...settings }));
  return document.toString({ lineWidth: 0 });
}

function isSame(yaml: string, wanted: string): boolean {
  try {
    return canonicalJson(parse(yaml)) === wanted;
  } catch {
    return false;
  }
}

/** With the values that are there replaced in their places; null where one is not. */
function replaceEntry(
  text: string,
  document: Document.Parsed,
  key: string,
  settings: Settings,
): string | null {
  const places = Object.entries(settings).map(([name, value]) => {
    const node = document.getIn([key, name], true);
    return isScalar(node) && node.range != null ? { value, from: node.range[0], to: node.range[1] } : null;
  });
  if (!places.every((place) => place !== null)) return null;
  return places
    .sort((a, b) => b.from - a.from)
    .reduce(
      (edited, { value, from, to }) => edited.slice(0, from) + stringify(value).trimEnd() + edited.slice(to),
      text,
    );
}

/** With the key and its settings at the end; null where the key is there. */
function appendEntry(
  text: string,
  document: Document.Parsed,
  key: string,
  settings: Settings,
): string | null {
  if (document.has(key)) return null;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = stringify({ [key]: settings }).replaceAll("\n", end);
  return text + (text === "" || text.endsWith("\n") ? "" : end) + lines;
}

function editJson(text: string, file: string, key: string, settings: Settings): string {
  let config: unknown;
  try {
    config = text.trim() === "" ? {} : parseJson(text.replace(/^\ufeff/, ""));
  } catch {
    throw noMapping(file);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) throw noMapping(file);
  const indent = text.includes("\n") || text === "" ? (/^([ \t]+)"/m.exec(text)?.[1] ?? "  ") : "";
  const before = (config as Record<string, object | undefined>)[key];
  const edited = JSON.stringify({ ...config, [key]: { ...before, ...settings } }, null, indent);
  return text.includes("\r\n") ? `${edited.replaceAll("\n", "\r\n")}\r\n` : `${edited}\n`;
}

function noMapping(file: string): InputError {
  return new InputError("CONFIG", `${file}: must be a mapping of settings; mend it, and try again`);
}
