import { isAlias, isCollection, isScalar, visit, type Document, type ErrorCode, type Node } from "yaml";
import { quote } from "../foundation/errors/index.js";
import { SyntaxProblem, type Position } from "./located.js";

/** What to do about it, where the parser's words alone do not say. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: "indent with spaces",
  MULTILINE_IMPLICIT_KEY: "put a space after the colon of a key, as in `id: q1`",
  BLOCK_AS_IMPLICIT_KEY: "put a text that holds `: ` in quotes, and keys of one mapping in one column",
  UNEXPECTED_TOKEN: "put the whole text in quotes of a kind that it does not hold",
  BAD_SCALAR_START: "put the text in quotes",
  BAD_DQ_ESCAPE: "double the backslash, or put the text in single quotes",
  BAD_INDENT: "close the bracket, and indent what stands within it",
};

/** {@link ADVICE} for the errors of one code that are of several kinds. */
const ADVICE_BY_WORDS: readonly (readonly [words: RegExp, advice: string])[] = [
  [/closing ["']quote/, "the text that begins here never ends"],
  [/without - indicator/, "indent the line as the ones of its mapping"],
  [/followed by map values/, "put a colon and a space after a key"],
];

const REPEATED = "is not valid YAML: map keys must be unique";
const NO_TEXT = "has a date or bytes as a key; put it in quotes";
const GROUPED = "has a list or a mapping as a key; put a text that begins with `{` or `[` in quotes";

/** Texts that a comment cuts short: `what is issue #12`. Words after `# ` are meant as a comment. */
const CUT_OFF = /^[ \t]+(#[\p{L}\p{N}]\S*)/u;
/** Without these a document is not walked through. */
const [ALIAS, COMMENT] = [/\*\S/, /[ \t]#[\p{L}\p{N}]/u];

/**
 * What is wrong with a YAML document, in the parser's words and with what to do; undefined for nothing.
 *
 * @param at finds the place of an offset.
 * @param isProse whether values are texts of people, which a `#` may cut short.
 */
export function yamlProblem(
  document: Document,
  at: (offset: number | undefined) => Position,
  text: string,
  isProse: boolean,
): SyntaxProblem | undefined {
  const [error] = document.errors;
  if (error !== undefined) {
    const isOpen = /closing ["']quote/.test(error.message);
    const offset = isOpen ? (lastQuoted(document)?.range?.[0] ?? error.pos[0]) : error.pos[0];
    const isTab = /(?:^|\n) *\t[^\n]*$/.test(text.slice(0, offset));
    const advice = isTab
      ? ADVICE.TAB_AS_INDENT
      : (ADVICE_BY_WORDS.find(([words]) => words.test(error.message))?.[1] ?? ADVICE[error.code] ?? null);
    return new SyntaxProblem(asClause(error.message) + (advice === null ? "" : `; ${advice}`), at(offset));
  }
  const [warning] = document.warnings.filter(({ code }) => code === "TAG_RESOLVE_FAILED");
  if (warning !== undefined)
    return new SyntaxProblem(`${asClause(warning.message)}; put the text in quotes`, at(warning.pos[0]));
  const bad = findBadKey(document);
  if (bad !== undefined) return new SyntaxProblem(bad.problem, at(bad.key.range?.[0]));
  const alias = ALIAS.test(text) ? findUnknownAlias(document) : undefined;
  if (alias !== undefined)
    return new SyntaxProblem(
      `is not valid YAML: there is no anchor for the alias ${quote(alias.source)}; put a text that begins ` +
        "with `*` in quotes",
      at(alias.range?.[0]),
    );
  return isProse && COMMENT.test(text) ? cutShort(document, at, text) : undefined;
}

/** The parser's sentences in the grammar of our messages: lower case, no full stop, one line. */
export function asClause(message: string): string {
  if (message === "several documents") return "has several YAML documents; keep one, without a second `---`";
  if (message.includes("circular")) return "is not valid YAML: an alias stands inside its own anchor";
  const [first = ""] = message.split("\n");
  return `is not valid YAML: ${first.charAt(0).toLowerCase()}${first.slice(1).replace(/\.$/, "")}`;
}

function lastQuoted(document: Document): Node | undefined {
  let last: Node | undefined;
  visit(document, {
    Scalar(_, node) {
      if (node.type?.startsWith("QUOTE") === true) last = node;
    },
  });
  return last;
}

/**
 * The first key that is duplicated in its mapping, or is no text: `{{ name }}` has a mapping as a key. The
 * parser's own check compares each key with all before it: 20,000 keys take 6 s.
 */
function findBadKey(document: Document): { readonly key: Node; readonly problem: string } | undefined {
  let bad: { readonly key: Node; readonly problem: string } | undefined;
  const problemOf = (given: unknown, seen: Set<unknown>): string | undefined => {
    const key = isAlias(given) ? given.resolve(document) : given;
    if (isCollection(key)) return GROUPED;
    if (!isScalar(key)) return undefined;
    if (typeof key.value === "object" && key.value !== null) return NO_TEXT;
    return isScalar(given) && seen.size === seen.add(key.value).size ? REPEATED : undefined;
  };
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const problem = problemOf(key, seen);
        if (problem === undefined) continue;
        bad = { key: key as Node, problem };
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return bad;
}

/** The first alias whose anchor does not stand before it. */
function findUnknownAlias(
  document: Document,
): { readonly source: string; readonly range?: Node["range"] } | undefined {
  const anchors = new Set<string>();
  let unknown: { readonly source: string; readonly range?: Node["range"] } | undefined;
  visit(document, {
    Node(_, node) {
      if ("anchor" in node && typeof node.anchor === "string") anchors.add(node.anchor);
    },
    Alias(_, node) {
      if (anchors.has(node.source)) return;
      unknown = node;
      return visit.BREAK;
    },
  });
  return unknown;
}

function cutShort(
  document: Document,
  at: (offset: number | undefined) => Position,
  text: string,
): SyntaxProblem | undefined {
  let problem: SyntaxProblem | undefined;
  visit(document, {
    Scalar(_, { type, value, range }) {
      if (type !== "PLAIN" || typeof value !== "string" || range == null) return;
      const [all = "", comment] = CUT_OFF.exec(text.slice(range[1], range[2])) ?? [];
      if (comment === undefined) return;
      problem = new SyntaxProblem(
        `${quote(comment)} begins a comment, and the text would end before it; put the text in quotes, or ` +
          "a space after the `#` of a comment",
        at(range[1] + all.length - comment.length),
      );
      return visit.BREAK;
    },
  });
  return problem;
}
