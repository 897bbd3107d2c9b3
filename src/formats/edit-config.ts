import { isMap, isScalar, parse, parseDocument, stringify, type Document, type YAMLMap } from "yaml";
import { InputError } from "../foundation/errors/index.js";
import { canonicalJson, parseJson } from "../foundation/text/index.js";

/** Settings below one key. */
type Settings = Readonly<Record<string, string>>;
type Config = Readonly<Record<string, object | undefined>>;

/** A text in place of what stands from one offset to another. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A configuration with the settings below one key changed, as text. Everything else stays as it is written:
 * comments, order, line ends, numbers, values from the environment (`${NAME}`). What is written in a way that
 * no line can be put into, as with anchors, is written anew.
 *
 * @param text of the file; empty for a new one.
 * @param file its name; its extension says what it is written in.
 * @throws InputError `CONFIG` for what is no mapping in YAML or JSON.
 */
export function editConfig(text: string, file: string, key: string, settings: Settings): string {
  const isJson = /\.json$/i.test(file);
  const read = isJson ? (json: string): unknown => parseJson(json.replace(/^\ufeff/, "")) : parse;
  const document = parseDocument(text, { intAsBigInt: true, uniqueKeys: !isJson });
  const before = readMapping(text, file, read);
  const changed = { ...before, [key]: { ...before[key], ...settings } };
  const wanted = canonicalJson(changed);
  const source = new ConfigSource(text, document, isJson);
  const edited = [source.change(key, settings), source.add(key, settings)].find(
    (candidate) => candidate !== null && isSame(candidate, read, wanted),
  );
  return edited ?? (isJson ? writeJson(text, changed) : writeYaml(text, document, key, settings));
}

/** @throws InputError `CONFIG` */
function readMapping(text: string, file: string, read: (text: string) => unknown): Config {
  let config: unknown;
  try {
    config = text.trim() === "" ? {} : (read(text) ?? {});
  } catch (error) {
    const [why] = error instanceof Error ? error.message.split("\n") : [];
    throw new InputError("CONFIG", `${file}: cannot be read: ${why ?? ""}`, {}, error);
  }
  if (typeof config !== "object" || Array.isArray(config))
    throw new InputError("CONFIG", `${file}: must be a mapping of settings; fix it, and try again`);
  return config as Config;
}

function isSame(edited: string, read: (text: string) => unknown, wanted: string): boolean {
  try {
    return canonicalJson(read(edited)) === wanted;
  } catch {
    return false;
  }
}

/** The text of a configuration with what a parser says of its places; JSON is YAML of flow mappings. */
class ConfigSource {
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #isJson: boolean;
  readonly #end: string;

  constructor(text: string, document: Document.Parsed, isJson: boolean) {
    this.#text = text;
    this.#document = document;
    this.#isJson = isJson;
    this.#end = text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** With the settings below a key that is there; null where they cannot be put in their places. */
  change(key: string, settings: Settings): string | null {
    const below: unknown = this.#document.get(key, true);
    if (isScalar(below) && below.value === null && below.range != null) {
      const [from, to] = below.range;
      const lines = this.#blockLines(settings, "  ");
      return this.#applyEdits([{ from, to, text: "" }, this.#afterLine(to, lines)]);
    }
    if (!isMap(below)) return null;
    const isFlow = below.flow === true;
    const edits: Edit[] = [];
    const missing: Record<string, string> = {};
    for (const [name, value] of Object.entries(settings)) {
      const node: unknown = below.get(name, true);
      if (node === undefined) missing[name] = value;
      else if (isScalar(node) && node.range != null)
        edits.push({ from: node.range[0], to: node.range[1], text: this.#scalar(value, isFlow) });
      else return null;
    }
    if (Object.keys(missing).length > 0) {
      const added = isFlow ? this.#intoFlow(below, missing) : this.#intoBlock(below, missing);
      if (added === null) return null;
      edits.push(added);
    }
    return this.#applyEdits(edits);
  }

  /** With the key and its settings at the end of all; null where the key is there. */
  add(key: string, settings: Settings): string | null {
    const { contents } = this.#document;
    if (this.#document.has(key)) return null;
    if (isMap(contents) && contents.flow === true) {
      const edit = this.#intoFlow(contents, { [key]: settings });
      return edit === null ? null : this.#applyEdits([edit]);
    }
    if (this.#isJson) return null;
    const lines = stringify({ [key]: settings }).replaceAll("\n", this.#end);
    const isOpen = this.#text !== "" && !this.#text.endsWith("\n");
    return `${this.#text}${isOpen ? this.#end : ""}${lines}`;
  }

  /** Behind the last entry, in the manner of the entries that are there. */
  #intoFlow(map: YAMLMap, entries: Readonly<Record<string, string | Settings>>): Edit | null {
    if (map.items.length === 0 && map.range != null) {
      const text = JSON.stringify(entries).slice(1, -1);
      return { from: map.range[0] + 1, to: map.range[0] + 1, text };
    }
    const [first, last] = [map.items[0], map.items.at(-1)];
    const [key, value, end] = [first?.key, first?.value, last?.value].map(
      (node) => (node as { range?: readonly [number, number, number] | null } | null | undefined)?.range,
    );
    if (map.range == null || key == null || value == null || end == null) return null;
    const gap = this.#text.slice(map.range[0] + 1, key[0]);
    if (gap.trim() !== "") return null;
    const colon =
      this.#text.slice(key[1], value[0]).trim() === ":" ? this.#text.slice(key[1], value[0]) : ": ";
    const unit = /[\r\n]([ \t]+)$/.exec(gap)?.[1] ?? "";
    const write = (name: string, entry: string | Settings, before: string): string => {
      const head = `${this.#isJson ? JSON.stringify(name) : name}${colon}`;
      if (typeof entry === "string") return `${before}${head}${this.#scalar(entry, true)}`;
      const inner = Object.entries(entry).map(([below, text]) => write(below, text, `${gap}${unit}`));
      return `${before}${head}{${inner.join(",")}${gap}}`;
    };
    const before = gap === "" && !this.#isJson ? " " : gap;
    const text = Object.entries(entries).map(([name, entry]) => `,${write(name, entry, before)}`);
    return { from: end[1], to: end[1], text: text.join("") };
  }

  /** Below the line of the last entry. */
  #intoBlock(map: YAMLMap, entries: Settings): Edit | null {
    const [first, last] = [map.items[0]?.key, map.items.at(-1)?.value];
    if (!isScalar(first) || first.range == null || !isScalar(last) || last.range == null) return null;
    const line = this.#text.slice(0, first.range[0]).split("\n").at(-1) ?? "";
    return this.#afterLine(last.range[1], this.#blockLines(entries, line));
  }

  #blockLines(entries: Settings, indent: string): string {
    const lines = Object.entries(entries).map(([name, value]) => `${indent}${name}: ${this.#scalar(value)}`);
    return lines.map((line) => `${line}${this.#end}`).join("");
  }

  /** Lines below the one that an offset lies in. */
  #afterLine(offset: number, lines: string): Edit {
    const at = this.#text.indexOf("\n", offset);
    return at < 0
      ? { from: this.#text.length, to: this.#text.length, text: `${this.#end}${lines}` }
      : { from: at + 1, to: at + 1, text: lines };
  }

  #scalar(value: string, isFlow = false): string {
    if (this.#isJson || (isFlow && /[,[\]{}]/.test(value))) return JSON.stringify(value);
    return stringify(value).trimEnd();
  }

  #applyEdits(edits: readonly Edit[]): string {
    return [...edits]
      .sort((a, b) => b.from - a.from)
      .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), this.#text);
  }
}

function writeYaml(text: string, document: Document.Parsed, key: string, settings: Settings): string {
  const below: unknown = document.get(key, true);
  if (isMap(below)) for (const [name, value] of Object.entries(settings)) document.setIn([key, name], value);
  else if (isMap(document.contents))
    document.set(key, document.createNode({ ...(document.toJS() as Config)[key], ...settings }));
  // Comments alone.
  else document.contents = document.createNode({ [key]: settings }) as never;
  const written = document.toString({ lineWidth: 0 });
  return text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written;
}

function writeJson(text: string, config: object): string {
  const indent = text.includes("\n") || text === "" ? (/^([ \t]+)"/m.exec(text)?.[1] ?? "  ") : "";
  const written = JSON.stringify(config, null, indent);
  return text.includes("\r\n") ? `${written.replaceAll("\n", "\r\n")}\r\n` : `${written}\n`;
}
