import { quote } from "../foundation/errors/index.js";
import { isEscaped, parseJson } from "../foundation/text/index.js";
import type { Path } from "../records/index.js";
import { DEEPEST_NESTING, positionFinder, SyntaxProblem, type LocatedDocument } from "./located.js";

/** A JSON value with the offset where it begins; containers have their parts. */
interface Node {
  readonly offset: number;
  readonly value: unknown;
  readonly items?: readonly Node[];
  readonly members?: ReadonlyMap<string, { readonly keyOffset: number; readonly node: Node }>;
}

const LITERALS = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[^\s,:{}[\]"]+/y;

/**
 * Parses JSON and knows where every value stands.
 *
 * @throws SyntaxProblem
 */
export function locateJson(text: string): LocatedDocument {
  return locateValue(readJson(text), text);
}

/** Where the parts of a value stand in the text that it was read from: looked for when it is asked. */
export function locateValue(value: unknown, text: string): LocatedDocument {
  let root: Node | undefined;
  const at = positionFinder(text);
  const find = (path: Path): Node => {
    let node = (root ??= new JsonReader(text).document());
    for (const step of path) {
      const next: Node | undefined =
        typeof step === "number" ? node.items?.[step] : node.members?.get(String(step))?.node;
      if (next === undefined) break;
      node = next;
    }
    return node;
  };
  return {
    value,
    positionOf: (path) => at(find(path).offset),
    positionOfKey: (path, key) => {
      const node = find(path);
      return at(node.members?.get(key)?.keyOffset ?? node.offset);
    },
  };
}

/**
 * Parses JSON. `JSON.parse` says neither the line of an error in all engines, nor that a key is duplicated:
 * it reads what it loses nothing of.
 *
 * @throws SyntaxProblem
 */
export function readJson(text: string): unknown {
  try {
    const value: unknown = parseJson(text);
    if (countKeys(value, 0) === countWrittenKeys(text)) return value;
  } catch {
    // What is wrong is found below.
  }
  return new JsonReader(text).document().value;
}

/** How many keys a value has at all depths; NaN for numbers that became infinite and for deep nesting. */
function countKeys(value: unknown, depth: number): number {
  if (typeof value === "number") return Number.isFinite(value) ? 0 : NaN;
  if (typeof value !== "object" || value === null) return 0;
  if (depth === DEEPEST_NESTING) return NaN;
  let keys = 0;
  if (Array.isArray(value)) for (const part of value) keys += countKeys(part, depth + 1);
  // As a value of JSON it has no keys but its own; a list of them would take five times as long.
  else for (const key in value) keys += 1 + countKeys((value as Record<string, unknown>)[key], depth + 1);
  return keys;
}

/** How many keys a well-formed text has: strings that a colon follows. Jumps from quote to quote. */
function countWrittenKeys(text: string): number {
  let keys = 0;
  let at = text.indexOf('"');
  while (at !== -1) {
    do at = text.indexOf('"', at + 1);
    while (isEscaped(text, at));
    do at++;
    while (text.charCodeAt(at) <= 0x20);
    if (text.charCodeAt(at) === 0x3a) keys++;
    at = text.indexOf('"', at);
  }
  return keys;
}

class JsonReader {
  readonly #text: string;
  #offset = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Node {
    const node = this.#value();
    this.#skipSpace();
    if (this.#offset < this.#text.length) throw this.#problemAt("the end of the text");
    return node;
  }

  #value(): Node {
    this.#skipSpace();
    const offset = this.#offset;
    const char = this.#text[offset];
    if (char === "{") return this.#readNested(() => this.#object(offset));
    if (char === "[") return this.#readNested(() => this.#array(offset));
    if (char === '"') return { offset, value: this.#string() };
    NUMBER.lastIndex = offset;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number !== undefined) {
      const value = Number(number);
      if (!Number.isFinite(value))
        throw this.#problem(`number ${quote(number)} is larger than any number can be here`);
      this.#offset += number.length;
      return { offset, value };
    }
    const word = this.#word();
    if (!LITERALS.has(word)) throw this.#problemAt("a value");
    this.#offset += word.length;
    return { offset, value: LITERALS.get(word) };
  }

  #readNested(read: () => Node): Node {
    if (++this.#depth > DEEPEST_NESTING)
      throw this.#problem(`is nested deeper than ${DEEPEST_NESTING} levels`);
    const node = read();
    this.#depth--;
    return node;
  }

  #object(offset: number): Node {
    const members = new Map<string, { keyOffset: number; node: Node }>();
    this.#offset++;
    if (!this.#took("}")) {
      do {
        this.#skipSpace();
        const keyOffset = this.#offset;
        if (this.#text[keyOffset] !== '"') throw this.#problemAt("a key in double quotes");
        const key = this.#string();
        if (members.has(key)) throw this.#problem(`key ${quote(key)} is duplicated`, keyOffset);
        if (!this.#took(":")) throw this.#problemAt("`:`");
        members.set(key, { keyOffset, node: this.#value() });
      } while (this.#took(","));
      if (!this.#took("}")) throw this.#problemAt("`,` or `}`");
    }
    // Object.fromEntries defines own properties, so `__proto__` is a key like any other.
    return {
      offset,
      value: Object.fromEntries([...members].map(([key, { node }]) => [key, node.value])),
      members,
    };
  }

  #array(offset: number): Node {
    const items: Node[] = [];
    this.#offset++;
    if (!this.#took("]")) {
      do items.push(this.#value());
      while (this.#took(","));
      if (!this.#took("]")) throw this.#problemAt("`,` or `]`");
    }
    return { offset, value: items.map(({ value }) => value), items };
  }

  #string(): string {
    const start = this.#offset;
    for (let i = start + 1; i < this.#text.length; i++) {
      const code = this.#text.charCodeAt(i);
      if (code === 0x5c) i++;
      else if (code < 0x20)
        throw this.#problem(
          "has a line break or control character inside a string; write it as an escape such as `\\n`",
          i,
        );
      else if (code === 0x22) {
        this.#offset = i + 1;
        try {
          return JSON.parse(this.#text.slice(start, i + 1)) as string;
        } catch {
          throw this.#problem("has a string with an escape that JSON does not have", start);
        }
      }
    }
    throw this.#problem("has a string that does not end", start);
  }

  #took(char: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#offset] !== char) return false;
    this.#offset++;
    return true;
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#offset] ?? "x")) this.#offset++;
  }

  #word(): string {
    WORD.lastIndex = this.#offset;
    return WORD.exec(this.#text)?.[0] ?? "";
  }

  #problemAt(wanted: string): SyntaxProblem {
    const found = this.#word() || this.#text[this.#offset];
    return this.#problem(
      `expected ${wanted}, got ${found === undefined ? "the end of the text" : quote(found)}`,
    );
  }

  #problem(message: string, offset = this.#offset): SyntaxProblem {
    return new SyntaxProblem(message, positionFinder(this.#text)(offset));
  }
}
