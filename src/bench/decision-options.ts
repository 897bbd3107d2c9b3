import { checkSeed, checkKnownOptions } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";

/** When embeddings earn their keep. */
export interface DecisionOptions {
  /**
   * The gain of nDCG over `fts_only` that its interval must lie above, at 4 decimals as the interval is.
   * Default 0.
   */
  readonly margin?: number | undefined;
  /** Share of the intervals. Default 0.95. */
  readonly confidence?: number | undefined;
  /** Highest 95th percentile of milliseconds. Default 200. */
  readonly latencyBudgetMs?: number | undefined;
  /** Of the resamples. Default 1. */
  readonly seed?: number | undefined;
  /** Of the bootstrap. Default 10,000. */
  readonly resamples?: number | undefined;
}

/** All of them, with what is usual. */
export type DecisionSettings = { readonly [K in keyof DecisionOptions]-?: number };

const DEFAULTS: DecisionSettings = {
  margin: 0,
  confidence: 0.95,
  latencyBudgetMs: 200,
  seed: 1,
  resamples: 10_000,
};
const LEAST_RESAMPLES = 100;

/**
 * Refuses settings that are not possible, before anything takes time.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkDecisionOptions(options: DecisionOptions): void {
  resolveOptions(options);
}

/** The options with what is usual. @throws InputError `ARGUMENT` for settings that are not possible */
export function resolveOptions(options: DecisionOptions): DecisionSettings {
  const given = checkKnownOptions(options, Object.keys(DEFAULTS) as (keyof DecisionOptions)[]);
  const settings = Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, usual]) => [name, given[name as keyof DecisionOptions] ?? usual]),
  ) as unknown as DecisionSettings;
  const check = (isGood: boolean, name: keyof DecisionSettings, must: string): void => {
    if (!isGood) throw new InputError("ARGUMENT", `${name} must be ${must}, got ${quote(settings[name])}`);
  };
  check(settings.margin >= -1 && settings.margin <= 1, "margin", "a difference of nDCG from -1 to 1");
  check(
    settings.confidence > 0 && settings.confidence < 1,
    "confidence",
    "a share between 0 and 1, such as 0.95",
  );
  check(settings.latencyBudgetMs >= 0, "latencyBudgetMs", "a number of milliseconds from 0");
  checkSeed(settings.seed);
  check(
    Number.isSafeInteger(settings.resamples) && settings.resamples >= LEAST_RESAMPLES,
    "resamples",
    `a whole number from ${LEAST_RESAMPLES}`,
  );
  return settings;
}
