import { InputError, isRankproofError, quote } from "../foundation/errors/index.js";
import { metricCatalog, parseMetric, type Metric, type MetricFactory } from "../metrics/index.js";
import { fixedMetrics, labelOfField } from "../records/index.js";
import type { StatisticsOptions } from "./comparison-settings.js";

/**
 * Metrics together with those that decide: `--primary` and `--guard` name metrics as `-m` does, and need not
 * be named twice.
 *
 * @param fields names that are computed in any case, and are no metrics of the catalogue.
 * @param catalog gives parameters to metrics named without.
 * @throws InputError for a name that is nearly a metric's, or lacks a part, with the flag that has it.
 */
export function addDecisiveMetrics(
  metrics: readonly Metric[],
  statistics: StatisticsOptions,
  fields: readonly string[],
  catalog: readonly MetricFactory[] = metricCatalog,
): { readonly metrics: Metric[]; readonly statistics: StatisticsOptions } {
  const all = [...metrics];
  const findPrintedName = (flag: string, name: string): string => {
    if (fields.includes(name) || all.some((metric) => metric.name === name)) return name;
    const metric = parseOrNull(flag, name, catalog);
    if (metric === null) return name;
    if (!all.some((other) => other.name === metric.name)) all.push(metric);
    return metric.name;
  };
  const { primary, guards } = statistics;
  const settled = {
    ...statistics,
    primary: typeof primary === "string" ? findPrintedName("--primary", primary) : primary,
    guards: guards?.map((guard) =>
      typeof guard === "string"
        ? findPrintedName("--guard", guard)
        : { ...guard, metric: findPrintedName("--guard", guard.metric) },
    ),
  };
  return { metrics: all, statistics: settled };
}

/**
 * {@link addDecisiveMetrics} to those that a list names beside the ones of every aggregate. There their names
 * are theirs alone: `-m MRR@10` asks for what is computed in any case, and lets it decide.
 */
export function goldenMetrics(
  list: string | undefined,
  statistics: StatisticsOptions,
): ReturnType<typeof addDecisiveMetrics> {
  const [first = ""] = splitNames(list).map(labelOfField);
  const primary = statistics.primary ?? (fixedMetrics.includes(first) ? first : undefined);
  return addDecisiveMetrics(metricsBeside(list), { ...statistics, primary }, fixedMetrics);
}

/** @throws InputError `ARGUMENT` for what is neither a metric of every aggregate nor one of these. */
export function requireMeasured(flag: string, name: string, metrics: readonly Metric[]): void {
  const names = [...fixedMetrics, ...metrics.map((metric) => metric.name)];
  if (names.includes(labelOfField(name))) return;
  throw new InputError(
    "ARGUMENT",
    `${flag}: ${quote(name)} is no metric; there are ${names.map(quote).join(", ")}, and those of ` +
      "`rankproof metrics`",
  );
}

/** The metrics that a list names beside the ones of every aggregate. */
export function metricsBeside(list: string | undefined): Metric[] {
  return splitNames(list)
    .filter((name) => !fixedMetrics.includes(labelOfField(name)))
    .map((name) => parseMetric(name));
}

/**
 * The metric of a name; null where the name is like no metric's, so that a caller who looks for it among the
 * computed ones says which there are.
 */
function parseOrNull(flag: string, name: string, catalog: readonly MetricFactory[]): Metric | null {
  try {
    return parseMetric(name, catalog);
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    const { near } = error.details;
    if (Array.isArray(near) && near.length === 0) return null;
    throw new InputError(error.code, `${flag}: ${error.message}`, error.details, error);
  }
}

/** The names of a list, between commas or spaces; commas inside parentheses belong to a name. */
export function splitNames(list: string | undefined): string[] {
  return list?.match(/[^\s,([{]+(?:\([^)]*\)[^\s,]*)?/g) ?? [];
}

/** A guard and the loss that it allows, as it is written: `R@100`, `R@100=0.01`. */
export function splitGuard(given: string): { readonly metric: string; readonly loss: string | null } {
  // A parameter of a metric has its sign in brackets: `RBP(p=0.8)`.
  const [, metric = given, loss = null] = /^(.+)=([^()]*)$/.exec(given) ?? [];
  return { metric, loss };
}
