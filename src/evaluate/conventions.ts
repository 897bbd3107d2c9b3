import { ownValue } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { nearestHint } from "../foundation/ids/index.js";
import { metricCatalog, withDefaults, type MetricFactory, type MetricParameters } from "../metrics/index.js";
import type { Conventions } from "../records/index.js";

/** What tools decide differently without saying so. Each is recorded in the result. */
type Settings = Omit<Conventions, "profile" | "depth">;

const usual: Settings = {
  ties: "trec",
  precision: "double",
  queries: "judged",
  noRelevant: "zero",
  unjudged: "irrelevant",
  duplicates: "first",
  grades: "as given",
  means: "exact",
  identicalIds: "keep",
};

interface Profile {
  readonly settings: Settings;
  /** Parameters that metrics named without them get. */
  readonly parameters: Readonly<Record<string, MetricParameters>>;
}

const trecEval: Settings = {
  ...usual,
  precision: "single",
  queries: "intersection",
  duplicates: "error",
  grades: "cut",
  means: "in order",
};

/** Whole sets of conventions, by the name of the tool that has them. */
const profiles = {
  default: { settings: usual, parameters: {} },
  trec_eval: { settings: trecEval, parameters: {} },
  "trec_eval-10": {
    settings: { ...trecEval, precision: "double" },
    parameters: { IPrec: { round: "nearest" }, IPrecAvg: { round: "nearest" } },
  },
  ir_measures: { settings: { ...usual, means: "in order" }, parameters: {} },
  ranx: { settings: { ...usual, ties: "input", means: "in order" }, parameters: {} },
  beir: { settings: { ...trecEval, identicalIds: "drop" }, parameters: {} },
  elasticsearch: {
    settings: { ...usual, ties: "input", queries: "intersection", means: "in order" },
    parameters: { nDCG: { dcg: "exp-log2" }, DCG: { dcg: "exp-log2" } },
  },
  paperbot: {
    settings: { ...usual, noRelevant: "one", duplicates: "count", means: "in order" },
    parameters: { nDCG: { dcg: "exp-log2" } },
  },
} as const satisfies Record<string, Profile>;

/** The name of a set of conventions. */
export type ProfileName = keyof typeof profiles;

/** The names of all sets of conventions. */
export const profileNames = Object.keys(profiles) as ProfileName[];

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Conventions as a caller gives them: a profile, and what is to differ from it. */
export interface ConventionOptions extends Given<Settings> {
  readonly profile?: ProfileName | undefined;
  /** Hits that are looked at, from the top; all unless given. trec_eval's `-M`. */
  readonly depth?: number | undefined;
}

function profileOf(name: string): Profile {
  const profile = ownValue<Profile>(profiles, name);
  if (profile !== undefined) return profile;
  throw new InputError(
    "ARGUMENT",
    `profile must be one of ${profileNames.map(quote).join(", ")}, got ` +
      `${quote(name)}${nearestHint(name, profileNames)}`,
  );
}

const choices: { readonly [K in keyof Settings]: readonly Settings[K][] } = {
  ties: ["trec", "expected", "input"],
  precision: ["double", "single"],
  queries: ["judged", "intersection"],
  noRelevant: ["zero", "skip", "one"],
  unjudged: ["irrelevant", "remove"],
  duplicates: ["first", "error", "count"],
  grades: ["as given", "cut"],
  means: ["exact", "in order"],
  identicalIds: ["keep", "drop"],
};

/**
 * All conventions, settled.
 *
 * @throws InputError `ARGUMENT` for a value that is not one of the known ones.
 */
export function resolveConventions(options: ConventionOptions): Conventions {
  const { profile = "default", depth } = options;
  const { settings } = profileOf(profile);
  if (depth !== undefined && (!Number.isSafeInteger(depth) || depth < 1))
    throw new InputError("ARGUMENT", `depth must be a whole number from 1, got ${quote(depth)}`);
  const chosen = Object.fromEntries(
    (Object.keys(choices) as (keyof Settings)[]).map((key) => {
      const value = options[key] ?? settings[key];
      if (!(choices[key] as readonly unknown[]).includes(value))
        throw new InputError(
          "ARGUMENT",
          `${key} must be one of ${choices[key].map(quote).join(", ")}, got ${quote(value)}`,
        );
      return [key, value];
    }),
  ) as unknown as Settings;
  return { profile, ...chosen, depth: depth ?? null };
}

/** The catalogue of metrics with the parameters that they have under a profile when none are given. */
export function profileCatalog(profile: string): MetricFactory[] {
  const defaults = profileOf(profile).parameters;
  return metricCatalog.map((factory) => {
    const given = ownValue(defaults, factory.definition.name);
    return given === undefined ? factory : withDefaults(factory, given);
  });
}
