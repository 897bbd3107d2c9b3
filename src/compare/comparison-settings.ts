import { checkSeed, ownValue, wholeNumber } from "../foundation/checks/index.js";
import type { ComparisonSettings, CorrectionName, PairedTestName } from "../records/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { nearestHint } from "../foundation/ids/index.js";
import { corrections, pairedTests } from "../stats/index.js";
import type { ScoredMetric } from "./score-table.js";

/** How runs are compared. Everything has a default, and is recorded in the result. */
export interface StatisticsOptions {
  /** Default `randomization`. */
  readonly test?: PairedTestName | undefined;
  /** Of sign flips and resamples. The same seed gives the same bytes on every platform. Default 1. */
  readonly seed?: number | undefined;
  /**
   * Sign flips where there are too many to count all. Default 100,000; fewer above 50,000 queries, in
   * proportion.
   */
  readonly permutations?: number | undefined;
  /** Resamples of the bootstrap. Default 10,000; fewer above 50,000 queries, in proportion. */
  readonly resamples?: number | undefined;
  /** Share of the intervals. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Significance level. Default 0.05. */
  readonly alpha?: number | undefined;
  /** How p values of several tests are adjusted. Default `holm`. */
  readonly correction?: CorrectionName | undefined;
  /** Default 0.8. */
  readonly power?: number | undefined;
  /** A query whose scores differ by no more is equal. Default 0. */
  readonly tolerance?: number | undefined;
  /** Mean differences within it do not matter, as a share of the metric's range. Default 0.01. */
  readonly margin?: number | undefined;
  /** The metric that decides, by its printed name. Default the first; null for none. */
  readonly primary?: string | null | undefined;
  /** Metrics that must not fall: their printed names, or pairs with the loss that is allowed. */
  readonly guards?:
    readonly (string | { readonly metric: string; readonly allowedLoss: number })[] | undefined;
  /** Highest 95th percentile of milliseconds that is accepted. */
  readonly maxP95Ms?: number | undefined;
  /**
   * Highest share of failed results with which a run is compared; with more the verdict is `not_comparable`.
   * Default 0.2.
   */
  readonly maxFailedShare?: number | undefined;
  /** Labels that queries are sliced by; all unless given. */
  readonly slices?: readonly string[] | undefined;
}

type Defaulted =
  | "test"
  | "seed"
  | "permutations"
  | "resamples"
  | "confidence"
  | "alpha"
  | "correction"
  | "power"
  | "tolerance"
  | "margin";

/** What a comparison does where nothing else is asked for. */
export const comparisonDefaults: Pick<ComparisonSettings, Defaulted> = {
  test: "randomization",
  seed: 1,
  permutations: 100_000,
  resamples: 10_000,
  confidence: 0.95,
  alpha: 0.05,
  correction: "holm",
  power: 0.8,
  tolerance: 0,
  margin: 0.01,
};
const OF_STATISTICS: readonly string[] = [
  ...Object.keys(comparisonDefaults),
  "primary",
  "guards",
  "maxP95Ms",
  "maxFailedShare",
  "slices",
];

/** Options of `statistics` that would do nothing. @throws InputError `ARGUMENT` */
export function checkStatistics(options: object, statistics: object = {}): void {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const misplaced = OF_STATISTICS.find(
    (name) => ownValue(given, name) != null && !Object.hasOwn(statistics, name),
  );
  if (misplaced !== undefined)
    throw new InputError(
      "ARGUMENT",
      `${quote(misplaced)} is one of \`statistics\`: write \`{ statistics: { ${misplaced}: … } }\``,
    );
  const unknown = Object.keys(statistics).find((name) => !OF_STATISTICS.includes(name));
  if (unknown !== undefined)
    throw new InputError(
      "ARGUMENT",
      `there is no option ${quote(unknown)} in \`statistics\`, which has ${OF_STATISTICS.join(", ")}`,
    );
}

/** Of the results of a run, as a share. */
export const MOST_FAILED = 0.2;
export const MOST_DRAWS = 100_000_000;
/**
 * Above it the usual draws become fewer: they would take minutes, and means of so many queries are as good as
 * normal.
 */
export const QUERIES_IN_FULL = 50_000;
/** Enough for the ends of an interval. */
const LEAST_USUAL_DRAWS = 1000;
/** With fewer an interval has no width, and nothing is below alpha. */
export const FEWEST_DRAWS = 100;

/**
 * The options with their defaults.
 *
 * @param queries how many are compared.
 * @throws InputError `ARGUMENT` for a value that is not possible, or a metric that was not computed.
 */
export function resolveSettings(
  options: StatisticsOptions,
  metrics: readonly ScoredMetric[],
  queries: number,
): ComparisonSettings {
  if (ownValue<unknown>({ ...options }, "statistics") != null)
    throw new InputError(
      "ARGUMENT",
      "`statistics` is an option of comparisons with a golden set; give what is in it by itself",
    );
  const { guards = [], maxP95Ms, maxFailedShare = MOST_FAILED, primary } = options;
  const settings = {
    ...comparisonDefaults,
    permutations: usualDraws(comparisonDefaults.permutations, queries),
    resamples: usualDraws(comparisonDefaults.resamples, queries),
  };
  for (const name of Object.keys(comparisonDefaults) as Defaulted[])
    Object.assign(settings, { [name]: options[name] ?? settings[name] });
  oneOf("test", settings.test, Object.keys(pairedTests));
  oneOf("correction", settings.correction, Object.keys(corrections));
  checkSeed(settings.seed);
  wholeNumber("permutations", settings.permutations, FEWEST_DRAWS, MOST_DRAWS);
  wholeNumber("resamples", settings.resamples, FEWEST_DRAWS, MOST_DRAWS);
  for (const name of ["confidence", "alpha", "power"] as const)
    within(name, settings[name], (value) => value > 0 && value < 1, "a number above 0 and below 1");
  within("tolerance", settings.tolerance, (value) => value >= 0, "a number from 0");
  within(
    "margin",
    settings.margin,
    (value) => value >= 0 && value < 1,
    "a share of the metric's range, from 0 and below 1",
  );
  for (const guard of guards) {
    if (typeof guard === "string") continue;
    const [low, high] = metrics.find(({ name }) => name === guard.metric)?.card.range ?? [];
    const widest = low == null || high == null ? Infinity : high - low;
    within(
      `allowedLoss of ${guard.metric}`,
      guard.allowedLoss,
      (value) => value >= 0 && value < widest,
      `a number from 0${widest < Infinity ? ` and below its range, ${widest}` : ""}`,
    );
  }
  if (maxP95Ms !== undefined) within("maxP95Ms", maxP95Ms, (value) => value > 0, "a number above 0");
  within("maxFailedShare", maxFailedShare, (value) => value >= 0 && value <= 1, "a share from 0 to 1");
  const names = [...new Set(metrics.map(({ name }) => name))];
  return {
    ...settings,
    primary:
      primary === undefined ? (names[0] ?? null) : primary === null ? null : requireComputed(primary, names),
    guards: guards.map((guard) =>
      typeof guard === "string"
        ? { metric: requireComputed(guard, names), allowed_loss: 0 }
        : { metric: requireComputed(guard.metric, names), allowed_loss: guard.allowedLoss },
    ),
    max_p95_ms: maxP95Ms ?? null,
    max_failed_share: maxFailedShare,
  };
}

/** So many that further queries take no further time. */
function usualDraws(draws: number, queries: number): number {
  return Math.max(LEAST_USUAL_DRAWS, Math.floor(draws * Math.min(1, QUERIES_IN_FULL / queries)));
}

function requireComputed(name: string, names: readonly string[]): string {
  if (names.includes(name)) return name;
  const listed = names.map(quote).join(", ") || "no metrics";
  throw new InputError(
    "ARGUMENT",
    `${quote(name)} was not computed; there ${names.length === 1 ? "is" : "are"} ` +
      `${listed}${nearestHint(name, names)}`,
  );
}

/** Refuses to decide by what is no mean over queries. @throws InputError `ARGUMENT` */
export function refuseNoMeans(
  noMeans: readonly string[],
  { primary, guards = [] }: Pick<StatisticsOptions, "primary" | "guards"> = {},
): void {
  const asked = [primary, ...guards.map((guard) => (typeof guard === "string" ? guard : guard.metric))];
  const wrong = noMeans.filter((name) => asked.includes(name));
  if (wrong.length > 0) throw noMean(wrong);
}

/** The error for metrics that are no means over queries. */
export function noMean(names: readonly string[]): InputError {
  return new InputError(
    "ARGUMENT",
    `${names.map(quote).join(", ")} ${names.length === 1 ? "is" : "are"} ` +
      "no mean over queries, so that no difference can be tested; name a metric such as `nDCG@10`",
  );
}

function oneOf(name: string, value: string, possible: readonly string[]): void {
  if (!possible.includes(value))
    throw new InputError(
      "ARGUMENT",
      `${name} must be one of ${possible.map(quote).join(", ")}, got ${quote(value)}`,
    );
}

function within(name: string, value: number, isPossible: (value: number) => boolean, wanted: string): void {
  if (!Number.isFinite(value) || !isPossible(value))
    throw new InputError("ARGUMENT", `${name} must be ${wanted}, got ${quote(value)}`);
}
