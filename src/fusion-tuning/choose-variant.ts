import type { FusionTuning, HeldOutGain, SearchTest, TuningVerdict } from "../records/index.js";
import { checkKnownOptions } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { exactMean, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import { maxT } from "../stats/index.js";
import { checkTuneOptions } from "./tune-fusion-options.js";
import { holdOutParts, usualValidation, type HoldOutOptions } from "./folds.js";
import { byGroup, groupNumbers, scoreHeldOut, type Scoring } from "./score-held-out.js";
import { tuningVerdict } from "./tuning-verdict.js";

/** A setting that was measured. */
export interface MeasuredVariant {
  readonly name: string;
  /** By query its score: the higher, the better. */
  readonly scores: ReadonlyMap<string, number>;
}

/** How {@link chooseVariant} holds queries out and tests. */
export interface ChooseVariantOptions extends HoldOutOptions {
  /** The metric that was measured, for the sentence of the verdict. Default `the metric`. */
  readonly metric?: string | undefined;
}

/** What {@link chooseVariant} found. */
export interface ChosenVariant {
  readonly verdict: TuningVerdict;
  /** The name of the highest mean: that of what is there where nothing is higher. */
  readonly chosen: string;
  /** What the choice is worth for queries that had no say in it; null for fewer than two. */
  readonly heldOut:
    (HeldOutGain & { readonly chosen: readonly { readonly name: string; readonly times: number }[] }) | null;
  /** One p value for the whole search. */
  readonly test: SearchTest;
  /** What is there, then every variant. */
  readonly variants: readonly VariantResult[];
  /** By query, in the order of ids. */
  readonly perQuery: readonly Pick<
    FusionTuning["per_query"][number],
    "query_id" | "current" | "chosen" | "held_out"
  >[];
}

/** A variant beside what is there. */
export interface VariantResult {
  readonly name: string;
  /** At 4 decimals. */
  readonly mean: number;
  /** That minus the mean of what is there, at 4 decimals. */
  readonly difference: number;
  /** How often the best of all would seem so much better by chance; null for what is there. */
  readonly p: number | null;
  readonly improved: number;
  readonly equal: number;
  readonly worse: number;
}

const OPTIONS: readonly (keyof ChooseVariantOptions)[] = [
  "metric",
  "validation",
  "groups",
  "margin",
  "confidence",
  "seed",
];
const CONFIDENCE = 0.95;
const [FEWEST_FLIPS, FLIPS, MOST_ADDITIONS] = [999, 10_000, 1_000_000_000];

/**
 * Which of several measured settings is the best, and does it beat what is there on queries that had no say
 * in the choice? Each part of the queries is scored by what the others chose; one p value is for the whole
 * search (max-T over the same sign flips of all variants), and better is only what both say.
 *
 * @param current what is there, and is chosen where nothing has a higher mean.
 * @param variants scored on the same queries.
 * @throws InputError `ARGUMENT` for other queries, duplicated names, and options that are not possible.
 */
export function chooseVariant(
  current: MeasuredVariant,
  variants: readonly MeasuredVariant[],
  options: ChooseVariantOptions = {},
): ChosenVariant {
  checkKnownOptions(options, OPTIONS);
  checkTuneOptions(options);
  const { metric = "the metric", margin = 0, confidence = CONFIDENCE, seed = 1 } = options;
  const all = [current, ...variants];
  checkVariants(all);
  const ids = [...current.scores.keys()].sort(compareIds);
  const columns = all.map(({ scores }) => ids.map((id) => scores.get(id) as number));
  const differences = columns.map((column) =>
    column.map((score, query) => scoreDifference(score, columns[0]?.[query] as number)),
  );
  const nameOf = ({ variant }: { readonly variant: number }): string =>
    (all[variant] as MeasuredVariant).name;
  const everyQuery = ids.map((_, query) => query);
  const groups = ids.map((id) => options.groups?.get(id) ?? id);
  const numbers = groupNumbers(groups);
  const validation = options.validation ?? usualValidation([], new Set(groups).size, seed);
  const chosen = best(columns, everyQuery);
  const held = scoreHeldOut({
    parts: holdOutParts(ids, groups, validation),
    validation,
    groups: numbers,
    current: columns[0] ?? [],
    choose: (training) => best(columns, training),
    confidence,
    margin,
    seed,
  });
  const { p, pEach, isExact, flips } = maxT(
    differences.slice(1).map((column) => byGroup(column, numbers)),
    { statistic: "t", alternative: "greater", seed, permutations: flipsFor(variants.length * ids.length) },
  );
  return {
    verdict: tuningVerdict(held?.record ?? null, p, {
      queries: ids.length,
      metric,
      gain: meanOf(differences[chosen.variant] ?? [], everyQuery),
    }),
    chosen: nameOf(chosen),
    heldOut: held && { ...held.record, chosen: timesOf(held.byPart.map(nameOf)) },
    test: { p, is_exact: isExact, flips, variants: variants.length },
    variants: all.map(({ name }, at) => ({
      name,
      mean: roundTo4(meanOf(columns[at] ?? [], everyQuery)),
      difference: roundTo4(meanOf(differences[at] ?? [], everyQuery)),
      p: at === 0 ? null : (pEach[at - 1] as number),
      improved: count(differences[at], (difference) => difference > 0),
      equal: count(differences[at], (difference) => difference === 0),
      worse: count(differences[at], (difference) => difference < 0),
    })),
    perQuery: ids.map((query_id, query) => ({
      query_id,
      current: columns[0]?.[query] as number,
      chosen: chosen.score(query),
      held_out: held?.scores[query] ?? null,
    })),
  };
}

function checkVariants(variants: readonly MeasuredVariant[]): void {
  const [{ scores: first }] = variants as readonly [MeasuredVariant];
  if (first.size === 0) throw new InputError("ARGUMENT", "there are no queries; measure some");
  const names = new Set<string>();
  for (const { name, scores } of variants) {
    if (names.has(name))
      throw new InputError("ARGUMENT", `two variants are called ${quote(name)}; rename one`);
    names.add(name);
    const other = [...first.keys()].find((id) => !Number.isFinite(scores.get(id)));
    if (other !== undefined || scores.size !== first.size)
      throw new InputError(
        "ARGUMENT",
        `${quote(name)} must have a score for each of the same ${first.size} queries` +
          (other === undefined
            ? `, got ${scores.size}`
            : `, got ${String(scores.get(other))} for ${quote(other)}`),
      );
  }
}

/** As many sign flips as take about a second. */
function flipsFor(scores: number): number {
  return Math.max(FEWEST_FLIPS, Math.min(FLIPS, Math.floor(MOST_ADDITIONS / Math.max(1, scores))));
}

/** The variant with the highest mean over some queries, the first of equal ones. */
function best(
  columns: readonly (readonly number[])[],
  queries: readonly number[],
): Scoring & { variant: number } {
  let variant = 0;
  let highest = -Infinity;
  columns.forEach((column, at) => {
    const mean = meanOf(column, queries);
    if (mean > highest) [variant, highest] = [at, mean];
  });
  return { variant, score: (query) => columns[variant]?.[query] as number };
}

function meanOf(scores: readonly number[], queries: readonly number[]): number {
  return exactMean(queries.map((query) => scores[query] as number));
}

function timesOf(names: readonly string[]): { name: string; times: number }[] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].map(([name, of]) => ({ name, times: of })).sort((a, b) => b.times - a.times);
}

function count(differences: readonly number[] = [], counts: (difference: number) => boolean): number {
  return differences.filter(counts).length;
}
