import {
  Composer,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  YAMLParseError,
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
import { asClause, yamlProblem } from "./yaml-problem.js";
import { nestingOfTokens } from "./yaml-nesting.js";

/**
 * Parses YAML 1.2 and remembers where every value stands.
 *
 * @param isProse whether values are texts of people, so that one that a `#` cuts short is an error, too.
 * @throws SyntaxProblem for the first error; keys that are duplicated are errors.
 */
export function locateYaml(text: string, { isProse = false } = {}): LocatedDocument {
  const lineCounter = new LineCounter();
  const document = parseYaml(text, lineCounter);
  const at = (offset: number | undefined): Position => {
    const { line, col } = lineCounter.linePos(offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = yamlProblem(document, at, text, isProse);
  if (problem !== undefined) throw problem;
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
 * As the library's `parseDocument`, but nothing that is nested too deeply reaches its parser.
 *
 * @throws SyntaxProblem for that alone.
 */
function parseYaml(text: string, lineCounter: LineCounter): Document {
  const parser = new Parser(lineCounter.addNewLine);
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: "error" });
  function* tokens(): ReturnType<Parser["next"]> {
    const nestingAt = nestingOfTokens();
    lineCounter.addNewLine(0);
    for (const token of new Lexer().lex(text)) {
      if (nestingAt(token) > DEEPEST_NESTING)
        throw new SyntaxProblem(
          `is nested deeper than ${DEEPEST_NESTING} levels`,
          positionFinder(text)(parser.offset),
        );
      yield* parser.next(token);
    }
    yield* parser.end();
  }
  const documents = composer.compose(tokens(), true, text.length);
  // Where the text has no document, the composer makes one.
  const document = documents.next().value as Document.Parsed;
  const another = documents.next().value;
  if (another !== undefined)
    document.errors.push(
      new YAMLParseError([another.range[0], another.range[1]], "MULTIPLE_DOCS", "several documents"),
    );
  return document;
}
