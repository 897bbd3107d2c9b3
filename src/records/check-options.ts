import { InputError, quote } from "../foundation/errors/index.js";
import {
  expectShape,
  optional,
  checkKnownOptions,
  listOf,
  nullish,
  recordOf,
  text,
  type Shape,
} from "../foundation/checks/index.js";

/** Refuses what should be a list of several runs or systems. @throws InputError `ARGUMENT` */
export function checkCompared(value: unknown, what: string): void {
  if (!Array.isArray(value) || value.length === 0)
    throw new InputError("ARGUMENT", `${what} must be a list with the baseline first, got ${quote(value)}`);
  expectShape(value, listOf(recordOf({}, "give an object")), "ARGUMENT", what, what);
}

/** What evaluations, comparisons and reports take: not all of it each. */
export const OPTION_NAMES = [
  "metrics",
  "unit",
  "matching",
  "missingQueries",
  "textMatch",
  "corpus",
  "archive",
  "isIndexed",
  "profile",
  "depth",
  "ties",
  "precision",
  "queries",
  "noRelevant",
  "unjudged",
  "duplicates",
  "grades",
  "means",
  "identicalIds",
  "tieSpread",
  "bounds",
  "shard",
  "onQuery",
  "runId",
  "known",
  "test",
  "seed",
  "permutations",
  "labels",
  "resamples",
  "confidence",
  "alpha",
  "correction",
  "power",
  "tolerance",
  "margin",
  "primary",
  "guards",
  "maxP95Ms",
  "maxFailedShare",
  "slices",
  "strictChunkerVersion",
  "statistics",
  "channels",
  "warnings",
] as const;

/** Of options that code without types may get wrong, and would not notice. */
const oneOf = (...choices: readonly string[]): Shape =>
  optional((value) =>
    choices.includes(value as string)
      ? undefined
      : ["", `must be ${choices.map(quote).join(" or ")}, got ${quote(value)}`],
  );
const aList = optional(listOf());
const options = recordOf(
  {
    unit: oneOf("chunk", "doc"),
    matching: oneOf("exact", "docSpan"),
    missingQueries: oneOf("zero", "skip"),
    textMatch: oneOf("caseSensitive", "caseInsensitive"),
    metrics: aList,
    archive: aList,
    slices: aList,
    guards: aList,
    warnings: aList,
    corpus: optional(
      recordOf(
        { chunks: listOf(recordOf({}, "give an object with `chunk_id` and `doc_id`")) },
        "or leave it out",
      ),
    ),
    shard: nullish(recordOf({}, "or leave it out")),
    primary: nullish(text),
    profile: optional(text),
  },
  "",
);

/**
 * Refuses options that are no object, a misspelt one, a choice that there is not, and values of another kind;
 * `undefined` are the defaults. @throws InputError `ARGUMENT`
 */
export function checkOptions(value: unknown): void {
  if (value === undefined) return;
  const known = checkKnownOptions(value as Readonly<Record<string, unknown>>, OPTION_NAMES);
  expectShape(known, options, "ARGUMENT", "options", "");
}
