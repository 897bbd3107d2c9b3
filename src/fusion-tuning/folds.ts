import { groupBy } from "../foundation/columns/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { Family } from "./family.js";
import { seededRandom, shuffle } from "../foundation/numbers/index.js";

/** How queries are held out. */
export type Validation =
  /** Each query (or group of queries) by itself. */
  | { readonly kind: "leave_one_out" }
  /** In so many parts, drawn anew so many times. */
  | {
      readonly kind: "folds";
      readonly folds?: number | undefined;
      readonly repeats?: number | undefined;
      readonly seed?: number | undefined;
    }
  /** In parts that are given: for each query the name of its part. */
  | { readonly kind: "given"; readonly folds: ReadonlyMap<string, string> };

/** How a choice is held against queries that had no say in it. */
export interface HoldOutOptions {
  /**
   * How queries are held out; default each by itself, above 500 in ten parts, five times; where the weights
   * of three runs or more are searched, in ten parts, once.
   */
  readonly validation?: Validation | undefined;
  /** Queries that are never apart, such as paraphrases: query id to the name of its group. */
  readonly groups?: ReadonlyMap<string, string> | undefined;
  /** What the held-out gain must exceed, in the metric's own unit. Default 0. */
  readonly margin?: number | undefined;
  /** Share of the interval. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Of everything that is drawn. Default 1. */
  readonly seed?: number | undefined;
}

const FOLDS = 10;
const REPEATS = 5;

/** Up to so many groups each is held out by itself: more take long, and ten parts then say as much. */
const MOST_LEFT_OUT = 500;

/** How queries are held out unless it is said: searches along many lines take their time for every part. */
export function usualValidation(families: readonly Family[], groups: number, seed: number): Validation {
  if (families.some(({ axes }) => axes > 1)) return { kind: "folds", repeats: 1, seed };
  return groups <= MOST_LEFT_OUT ? { kind: "leave_one_out" } : { kind: "folds", seed };
}

/**
 * Which queries are held out together, for every repeat: lists of positions. Queries of a group are never
 * apart, since one would tell of the other.
 *
 * @param groups by query: the name of its group.
 * @throws InputError `ARGUMENT` for fewer than two parts, and for queries without a given part.
 */
export function holdOutParts(
  queryIds: readonly string[],
  groups: readonly string[],
  validation: Validation,
): number[][][] {
  const members = groupBy([...groups.keys()], (query) => groups[query] as string);
  if (validation.kind === "leave_one_out") return [[...members.values()]];
  if (validation.kind === "given") {
    const unplaced = queryIds.find((queryId) => !validation.folds.has(queryId));
    if (unplaced !== undefined)
      throw new InputError("ARGUMENT", `query ${quote(unplaced)} is in no fold; name one for each query`);
    const parts = groupBy([...queryIds.keys()], (query) => validation.folds.get(queryIds[query] as string));
    const torn = [...members].find(
      ([, queries]) =>
        new Set(queries.map((query) => validation.folds.get(queryIds[query] as string))).size > 1,
    );
    if (torn !== undefined)
      throw new InputError(
        "ARGUMENT",
        `the queries of group ${quote(torn[0])} are in several folds; keep them in one`,
      );
    if (parts.size < 2) throw new InputError("ARGUMENT", "there must be two folds or more, got one");
    return [[...parts.values()]];
  }
  const { folds = FOLDS, repeats = REPEATS, seed = 1 } = validation;
  for (const [name, value, least] of [
    ["folds", folds, 2],
    ["repeats", repeats, 1],
  ] as const)
    if (!Number.isSafeInteger(value) || value < least)
      throw new InputError("ARGUMENT", `${name} must be a whole number from ${least}, got ${quote(value)}`);
  const random = seededRandom(seed);
  return Array.from({ length: repeats }, () => {
    const dealt = shuffle([...members.values()], random);
    const count = Math.min(folds, members.size);
    return Array.from({ length: count }, (_, part) => dealt.filter((__, at) => at % count === part).flat());
  });
}
