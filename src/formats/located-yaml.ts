import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from "yaml";
import type { Path } from "../records/index.js";
import {
  DEEPEST_NESTING,
  positionFinder,
  SyntaxProblem,
  type LocatedDocument,
  type Position,
} from "./located.js";
import { tooDeepYaml } from "./yaml-nesting.js";

/**
 * Parses YAML 1.2 and remembers where every value stands.
 *
 * @throws SyntaxProblem for the first error; keys that are duplicated are errors.
 */
export function locateYaml(text: string): LocatedDocument {
  const tooDeep = tooDeepYaml(text, DEEPEST_NESTING);
  if (tooDeep !== undefined)
    throw new SyntaxProblem(`is nested deeper than ${DEEPEST_NESTING} levels`, positionFinder(text)(tooDeep));
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: "error",
  });
  const at = (offset: number | undefined): Position => {
    const { line, col } = lineCounter.linePos(offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const [error] = document.errors;
  if (error !== undefined) throw new SyntaxProblem(asClause(error.message), at(error.pos[0]));
  const repeated = findRepeatedKey(document);
  if (repeated !== undefined)
    throw new SyntaxProblem("is not valid YAML: map keys must be unique", at(repeated.range?.[0]));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
    // An alias inside its own anchor makes a value that contains itself.
    JSON.stringify(value);
  } catch (cause) {
    throw new SyntaxProblem(asClause(cause instanceof Error ? cause.message : String(cause)), at(0));
  }
  const find = (path: Path): Node | null => {
    let node: unknown = document.contents;
    for (const step of path) {
      const next: unknown =
        typeof node === "object" && node !== null && "get" in node
          ? (node as { get(key: unknown, keep: boolean): unknown }).get(step, true)
          : undefined;
      if (!isNode(next)) break;
      node = next;
    }
    return isNode(node) ? node : null;
  };
  // Kept, for mappings of which thousands of keys are wrong.
  const keys = new Map<YAMLMap, ReadonlyMap<string, Scalar>>();
  const keysOf = (node: YAMLMap): ReadonlyMap<string, Scalar> => {
    const known =
      keys.get(node) ??
      new Map(node.items.flatMap(({ key }) => (isScalar(key) ? [[String(key.value), key] as const] : [])));
    keys.set(node, known);
    return known;
  };
  return {
    value,
    positionOf: (path) => at(find(path)?.range?.[0]),
    positionOfKey: (path, key) => {
      const node = find(path);
      return at((isMap(node) ? keysOf(node).get(key) : node)?.range?.[0] ?? node?.range?.[0]);
    },
  };
}

/**
 * The first key that is duplicated in its mapping. The parser's own check compares each key with all before
 * it: 20,000 keys take 6 s.
 */
function findRepeatedKey(document: Document): Scalar | undefined {
  let repeated: Scalar | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      repeated = items
        .map(({ key }) => key)
        .filter((key) => isScalar(key))
        .find(({ value }) => seen.size === seen.add(value).size);
      return repeated && visit.BREAK;
    },
  });
  return repeated;
}

/** The parser's sentences in the grammar of our messages: lower case, no full stop, one line. */
function asClause(message: string): string {
  if (message.includes("parseAllDocuments"))
    return "has several YAML documents; keep one, without a second `---`";
  if (message.includes("circular")) return "is not valid YAML: an alias stands inside its own anchor";
  const [first = ""] = message.split("\n");
  return `is not valid YAML: ${first.charAt(0).toLowerCase()}${first.slice(1).replace(/\.$/, "")}`;
}
