import { InputError, problemsError, throwProblems, shown } from "../foundation/errors/index.js";
import { shapeProblems, type Locate } from "../records/index.js";
import { configSchema, type Config } from "../records/schema/index.js";
import { textOf } from "./decode-text.js";
import { asProblem } from "./jsonl.js";
import { locateIn, SyntaxProblem, type LocatedDocument } from "./located.js";
import { locatedJson } from "./located-json.js";
import { locatedYaml } from "./located-yaml.js";

/** The values of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a configuration in YAML or JSON. `${NAME}` is the value that the environment has.
 *
 * @param source the text, or the bytes of the file.
 * @param file its name, for messages and, by its extension, for the format.
 * @throws InputError `CONFIG` with every problem, each with line and column.
 */
export function parseConfig(
  source: string | Uint8Array,
  file = "configuration",
  environment: Environment = {},
): Config {
  const text = textOf(source, file);
  let document: LocatedDocument;
  try {
    document = /\.json$/i.test(file) ? locatedJson(text) : locatedYaml(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, "CONFIG")]);
    throw error;
  }
  return checkedConfig(document.value ?? {}, file, environment, locateIn(document, file));
}

/**
 * Checks a configuration that a module exports, as {@link parseConfig} checks a file.
 *
 * @throws InputError `CONFIG` with every problem.
 */
export function checkedConfig(
  value: unknown,
  file: string,
  environment: Environment = {},
  locate: Locate = () => ({ where: file }),
): Config {
  const known = Object.keys(configSchema.shape);
  throwProblems(
    shapeProblems(configSchema, value, { code: "CONFIG", locate, knownKeys: () => known }).map((problem) => ({
      ...problem,
      message: problem.message.replace("free-form data goes under `meta`", `known are ${known.join(", ")}`),
    })),
  );
  return filled(value, file, environment) as Config;
}

/** Every text with the environment's values in it. */
function filled(value: unknown, file: string, environment: Environment): unknown {
  if (typeof value === "string")
    return value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found === undefined)
        throw new InputError(
          "CONFIG",
          `${file}: the environment has no ${shown(name)}; set it, or write the value`,
          { name },
        );
      return found;
    });
  if (Array.isArray(value)) return value.map((each) => filled(each, file, environment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, filled(each, file, environment)]),
  );
}
