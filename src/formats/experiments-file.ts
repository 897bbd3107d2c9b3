import { InputError, problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { canonicalJson, valueText } from "../foundation/text/index.js";
import { shapeProblems, type Experiments, type ParameterValues } from "../records/index.js";
import { experimentsSchema } from "../records/schema/index.js";
import { textOf } from "./decode-text.js";
import { asProblem } from "./jsonl.js";
import { locateJson } from "./located-json.js";
import { locateYaml } from "./located-yaml.js";
import { locateIn, SyntaxProblem, type LocatedDocument } from "./located.js";

/** A setting of a live search that is tried. */
export interface Experiment {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `file:line:column`, for messages. */
  readonly where: string;
}

/** The name of the original configuration, which no experiment can have. */
export const CURRENT = "current";

/** More restarts would take days, and a space grows fast. */
const MOST_EXPERIMENTS = 1_000;
/** Digits of values between two numbers: 0.3, not 0.30000000000000004. */
const DIGITS = 12;

/**
 * Reads the experiments of a tuning, in JSON or YAML: those that are listed, then every combination of the
 * values of a space.
 *
 * @param source the text, or the bytes of the file.
 * @param file its name, for messages and, by its extension, for the format.
 * @throws InputError `EXPERIMENTS` with every problem, each with line and column.
 */
export function parseExperiments(source: string | Uint8Array, file = "experiments"): Experiment[] {
  const document = documentOf(textOf(source, file), file);
  const locate = locateIn(document, file);
  throwProblems(
    shapeProblems(experimentsSchema, document.value, {
      code: "EXPERIMENTS",
      locate,
      knownKeys: (path) =>
        path.length === 0 ? Object.keys(experimentsSchema.shape) : ["name", "parameters"],
      unknownAdvice: (path) =>
        path.length === 0
          ? `known are ${Object.keys(experimentsSchema.shape).join(", ")}`
          : "values of parameters go under `parameters`",
    }),
  );
  const { experiments = [], space = {}, defaults = {} } = document.value as Experiments;
  const listed = experiments.map(({ name, parameters }, at): Experiment => ({
    name,
    parameters: { ...defaults, ...parameters },
    where: locate(["experiments", at]).where,
  }));
  const known = new Set(listed.map(({ parameters }) => canonicalJson(parameters)));
  const combined = combinations(space, locate(["space"]).where)
    .map((parameters) => ({ ...defaults, ...parameters }))
    .filter((parameters) => !known.has(canonicalJson(parameters)))
    .map((parameters): Experiment => ({
      name: Object.keys(space)
        .map((name) => `${name}=${valueText(parameters[name])}`)
        .join(", "),
      parameters,
      where: locate(["space"]).where,
    }));
  const all = [...listed, ...combined];
  if (all.length === 0)
    throw new InputError(
      "EXPERIMENTS",
      `${file}: has no experiments; list some under \`experiments\`, or give a \`space\``,
    );
  throwProblems(nameProblems(all));
  return all;
}

function documentOf(text: string, file: string): LocatedDocument {
  try {
    return /\.json$/i.test(file) ? locateJson(text) : locateYaml(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, "EXPERIMENTS")]);
    throw error;
  }
}

function nameProblems(experiments: readonly Experiment[]): Problem[] {
  const names = new Set<string>();
  return experiments.flatMap(({ name, where }): Problem[] => {
    if (name === CURRENT)
      return [
        {
          code: "EXPERIMENTS",
          where,
          message: `${quote(CURRENT)} is the original configuration; choose another name`,
        },
      ];
    const isTwice = names.has(name);
    names.add(name);
    return isTwice
      ? [{ code: "EXPERIMENTS", where, message: `two experiments are called ${quote(name)}; rename one` }]
      : [];
  });
}

/** Every combination of values, the last name's values fastest. */
function combinations(
  space: Readonly<Record<string, ParameterValues>>,
  where: string,
): Record<string, unknown>[] {
  const names = Object.keys(space);
  if (names.length === 0) return [];
  const values = names.map((name) => valuesOf(space[name] as ParameterValues));
  const count = values.reduce((product, each) => product * each.length, 1);
  if (count > MOST_EXPERIMENTS)
    throw new InputError(
      "EXPERIMENTS",
      `${where}: the space has ${count} combinations, more than ${MOST_EXPERIMENTS}, and each restarts the ` +
        "search; give fewer values",
    );
  return values
    .reduce<[string, unknown][][]>(
      (made, each, at) =>
        made.flatMap((before) =>
          each.map((value): [string, unknown][] => [...before, [names[at] as string, value]]),
        ),
      [[]],
    )
    .map((entries) => Object.fromEntries(entries));
}

function valuesOf(values: ParameterValues): readonly unknown[] {
  if (!("steps" in values)) return values;
  const { min, max, steps } = values;
  return Array.from({ length: steps }, (_, at) =>
    Number((min + ((max - min) * at) / (steps - 1)).toPrecision(DIGITS)),
  );
}
