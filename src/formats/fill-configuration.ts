import { problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { nearestHint } from "../foundation/ids/index.js";
import { valueText } from "../foundation/text/index.js";
import type { Experiment } from "./experiments-file.js";
import { asProblem } from "./jsonl.js";
import { locateJson } from "./located-json.js";
import { locateYaml } from "./located-yaml.js";
import { positionFinder, SyntaxProblem } from "./located.js";

/** `{{name}}`, blanks allowed. */
const NAME = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** A template of a configuration file. */
export interface ConfigurationTemplate {
  readonly text: string;
  /** Its name, for messages. */
  readonly file: string;
  /** The file that is made of it; what its extension says must come out. */
  readonly target: string;
}

/**
 * A configuration with the values of an experiment for `{{name}}`. In JSON a text is written as JSON has it
 * between its quotes, so that no value can break out of them; lists and mappings are written as JSON.
 *
 * @throws InputError `EXPERIMENTS` for a name without a value, a value that nothing takes, and where what
 * comes out is no JSON or YAML although the file is called so.
 */
export function fillConfiguration(template: ConfigurationTemplate, experiment: Experiment): string {
  const { text, file, target } = template;
  const { name, parameters, where } = experiment;
  throwProblems(misfits(template, experiment));
  const isJson = /\.json$/i.test(target);
  const filled = fillNames(text, parameters, (value) =>
    isJson && typeof value === "string" ? JSON.stringify(value).slice(1, -1) : valueText(value),
  );
  try {
    if (isJson) locateJson(filled);
    else if (/\.ya?ml$/i.test(target)) locateYaml(filled);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { message, where: place } = asProblem(error, file, "EXPERIMENTS");
    throw problemsError([
      {
        code: "EXPERIMENTS",
        where,
        message: `${quote(name)} makes no ${isJson ? "JSON" : "YAML"} of ${place}: ${message}`,
      },
    ]);
  }
  return filled;
}

/** The names in double braces of a text. */
export function namesTaken(text: string): string[] {
  return [...text.matchAll(NAME)].map(([, name = ""]) => name);
}

/** A text with the values of parameters for `{{name}}`; names without one stay. */
export function fillNames(
  text: string,
  parameters: Readonly<Record<string, unknown>>,
  written: (value: unknown) => string = valueText,
): string {
  return text.replace(NAME, (whole, name: string) =>
    Object.hasOwn(parameters, name) ? written(parameters[name]) : whole,
  );
}

function misfits({ text, file }: ConfigurationTemplate, { name, parameters, where }: Experiment): Problem[] {
  const position = positionFinder(text);
  const taken = new Map(
    [...text.matchAll(NAME)].map((match) => [match[1] as string, position(match.index).line]),
  );
  const missing = [...taken].filter(([parameter]) => !Object.hasOwn(parameters, parameter));
  const unused = Object.keys(parameters).filter((parameter) => !taken.has(parameter));
  return [
    ...missing.map(([parameter, line]): Problem => ({
      code: "EXPERIMENTS",
      where,
      message:
        `${quote(name)} has no value for ${quote(parameter)}, which ${file}:${line} takes; give ` +
        `one there or under \`defaults\``,
    })),
    ...unused.map((parameter): Problem => ({
      code: "EXPERIMENTS",
      where,
      message:
        `nothing in ${file} takes ${quote(parameter)} of ` +
        `${quote(name)}${nearestHint(parameter, taken.keys())}`,
    })),
  ];
}
