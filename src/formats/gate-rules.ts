import { InputError, problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { textOf } from "./decode-text.js";
import { asProblem } from "./jsonl.js";
import { locateYaml } from "./located-yaml.js";
import { placeIn, SyntaxProblem, type LocatedDocument } from "./located.js";

/** A gate's rule as it is written, and where. */
export interface GateRuleLine {
  readonly text: string;
  /** `file:line`, or `file:line:column`, for messages. */
  readonly where: string;
  /** 1-based. */
  readonly line: number;
}

/** What follows a `#` at the beginning of a line, or after a blank, is a comment. */
const COMMENT = /(?:^|\s)#.*$/;

/**
 * Reads the rules of a gate, which are understood by `gate`: a text with a rule on each line and `#`
 * comments, or a YAML or JSON document with a list `gates`, or that is such a list. Other keys of the
 * document are ignored.
 *
 * @param source the text, or the bytes of the file.
 * @param file its name, for messages and, by its extension, for the format; without a known one a line
 * `gates:` means YAML.
 * @throws InputError `GATE_RULE` with every problem, also when there is no rule.
 */
export function parseGateRules(source: string | Uint8Array, file = "gate rules"): GateRuleLine[] {
  const text = textOf(source, file);
  const isYaml =
    /\.(?:ya?ml|json)(?:\.gz)?$/i.test(file) || (!/\.txt(?:\.gz)?$/i.test(file) && /^gates\s*:/m.test(text));
  const rules = isYaml ? fromDocument(text, file) : fromLines(text, file);
  if (rules.length === 0)
    throw new InputError(
      "GATE_RULE",
      `${file}: has no rules, and a gate without rules would pass everything; write one a line, ` +
        "such as `nDCG@10 >= 0.45`",
      { file },
    );
  return rules;
}

function fromLines(text: string, file: string): GateRuleLine[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const rule = line.replace(COMMENT, "").trim();
    return rule === "" ? [] : [{ text: rule, where: `${file}:${index + 1}`, line: index + 1 }];
  });
}

function fromDocument(text: string, file: string): GateRuleLine[] {
  let document: LocatedDocument;
  try {
    document = locateYaml(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, "GATE_RULE")]);
    throw error;
  }
  const { value } = document;
  const base = Array.isArray(value) ? [] : ["gates"];
  const list: unknown = Array.isArray(value)
    ? value
    : typeof value === "object" && value !== null && Object.hasOwn(value, "gates")
      ? (value as { gates: unknown }).gates
      : undefined;
  const problem = (path: readonly PropertyKey[], message: string): Problem => ({
    code: "GATE_RULE",
    ...placeIn(file, document.positionOf(path)),
    message,
  });
  if (list === undefined)
    throw problemsError([
      { code: "GATE_RULE", where: file, message: "has no `gates`; write a list of rules there" },
    ]);
  if (!Array.isArray(list))
    throw problemsError([
      problem(base, `gates must be a list of rules, got ${quote(list)}; begin each with \`-\``),
    ]);
  const rules = list as unknown[];
  throwProblems(
    rules.flatMap((rule, index) =>
      typeof rule === "string"
        ? []
        : [
            problem(
              [...base, index],
              `gates[${index}] must be a rule, got ${quote(rule)}; write it in quotes`,
            ),
          ],
    ),
  );
  return rules.map((rule, index) => {
    const { where, line } = placeIn(file, document.positionOf([...base, index]));
    return { text: rule as string, where, line: line as number };
  });
}
