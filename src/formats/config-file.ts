import type * as z from "zod";
import { ownValue } from "../foundation/checks/index.js";
import { InputError, problemsError, throwProblems, quote } from "../foundation/errors/index.js";
import { type Config, type Locate, shapeProblems } from "../records/index.js";
import {
  backendConfigSchema,
  configSchema,
  datasetConfigSchema,
  healthConfigSchema,
  hitConfigSchema,
  itemListConfigSchema,
  listedItemConfigSchema,
  labelerConfigSchema,
  rerankerConfigSchema,
  settingsRequestConfigSchema,
  tokenPriceSchema,
  tuningConfigSchema,
} from "../records/schema/index.js";
import { textOf } from "./decode-text.js";
import { asProblem } from "./jsonl.js";
import { locateIn, SyntaxProblem, type LocatedDocument } from "./located.js";
import { locateJson } from "./located-json.js";
import { locateYaml } from "./located-yaml.js";

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
    document = /\.json$/i.test(file) ? locateJson(text) : locateYaml(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, "CONFIG")]);
    throw error;
  }
  return checkConfig(document.value ?? {}, file, environment, locateIn(document, file));
}

/**
 * Checks a configuration that a module exports, as {@link parseConfig} checks a file.
 *
 * @throws InputError `CONFIG` with every problem.
 */
export function checkConfig(
  value: unknown,
  file: string,
  environment: Environment = {},
  locate: Locate = () => ({ where: file }),
): Config {
  throwProblems(
    shapeProblems(configSchema, value, {
      code: "CONFIG",
      locate,
      knownKeys: (path) => listKnownKeys(value, path),
      unknownAdvice: (path) => `known are ${listKnownKeys(value, path).join(", ")}`,
    }),
  );
  return fillValue(value, [], environment, locate) as Config;
}

/** What may stand at a place of a configuration. */
function listKnownKeys(value: unknown, path: readonly PropertyKey[]): readonly string[] {
  const [section, name] = path;
  const { kind } = (path.length > 1 ? memberOf(memberOf(value, section), name) : {}) as { kind?: unknown };
  const ofKind = (options: readonly { readonly shape: object }[]): readonly string[] =>
    Object.keys(options.find(({ shape }) => hasKind(shape, kind))?.shape ?? {});
  if (section === undefined) return Object.keys(configSchema.shape);
  if (section === "backends" && path.length > 2) return Object.keys(PARTS[String(path.at(-1))]?.shape ?? {});
  if (path.at(-1) === "price") return Object.keys(tokenPriceSchema.shape);
  if (section === "tuning")
    return Object.keys((path.at(-1) === "health" ? healthConfigSchema : tuningConfigSchema).shape);
  if (section === "datasets") return Object.keys(datasetConfigSchema.shape);
  if (section === "labelers") return ofKind(labelerConfigSchema.options);
  return ofKind(section === "rerankers" ? rerankerConfigSchema.options : backendConfigSchema.options);
}

/** What a backend is made of. */
const PARTS: Readonly<Record<string, { readonly shape: object } | undefined>> = {
  list: itemListConfigSchema,
  item: listedItemConfigSchema,
  hit: hitConfigSchema,
  configuration: settingsRequestConfigSchema,
};

function hasKind(shape: object, kind: unknown): boolean {
  return (shape as { readonly kind: z.ZodType }).kind.safeParse(kind).success;
}

function memberOf(value: unknown, key: PropertyKey | undefined): object {
  const members = typeof value === "object" && value !== null ? value : {};
  const member: unknown = Object.hasOwn(members, key ?? "")
    ? (members as Record<PropertyKey, unknown>)[key ?? ""]
    : {};
  return typeof member === "object" && member !== null ? member : {};
}

/** Every text with the environment's values in it. */
function fillValue(
  value: unknown,
  path: readonly PropertyKey[],
  environment: Environment,
  locate: Locate,
): unknown {
  if (typeof value === "string")
    return value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = ownValue(environment, name);
      if (found === undefined)
        throw new InputError(
          "CONFIG",
          `${locate(path).where}: the environment has no ${quote(name)}; set it, or write the value`,
          { name },
        );
      return found;
    });
  const fill = (each: unknown, key: PropertyKey): unknown =>
    fillValue(each, [...path, key], environment, locate);
  if (Array.isArray(value)) return value.map(fill);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, key)]));
}
