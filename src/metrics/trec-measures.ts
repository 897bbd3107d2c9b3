import { InputError, quote } from "../foundation/errors/index.js";
import { cFixed } from "../foundation/numbers/index.js";
import * as builtin from "./builtin.js";
import { parameterCards, type Metric, type MetricFactory } from "./define-metric.js";
import type { Gains, MetricParameters } from "./metric-parameters.js";

/** A measure as trec_eval names, groups and prints it. */
export interface TrecMeasure {
  /** What stands before the cutoff: `ndcg_cut`. */
  readonly name: string;
  readonly factory: MetricFactory;
  readonly parameters?: MetricParameters;
  /** Cutoffs that it is printed with when none are asked for. */
  readonly cutoffs?: readonly number[];
  /** The parameter that takes the place of the cutoff, for measures cut at a multiple of something. */
  readonly cutoffParameter?: string;
  /** The parameter that `.x,y` after the name gives. */
  readonly argument?: string;
  /** Printed as a whole number. */
  readonly isCount?: true;
  /** Printed for all queries together only. */
  readonly isSummary?: true;
  /**
   * With `-c` the figure for all queries ignores the level: trec_eval counts the judgments again, all above
   * 0.
   */
  readonly totalIgnoresLevel?: true;
  /** With `-c` a query without an answer counts 0, whatever the metric says of it. */
  readonly isZeroUnanswered?: true;
}

const RANKS = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const RECALL_LEVELS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const MULTIPLES = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2];

/** The measures of `-m all_trec` that are numbers, in the order in which trec_eval 9 prints them. */
export const trecMeasures: readonly TrecMeasure[] = [
  { name: "num_q", factory: builtin.numQueries, isCount: true, isSummary: true },
  { name: "num_ret", factory: builtin.numReturned, isCount: true },
  { name: "num_rel", factory: builtin.numRelevant, isCount: true, totalIgnoresLevel: true },
  { name: "num_rel_ret", factory: builtin.numRelevantReturned, isCount: true },
  { name: "map", factory: builtin.averagePrecision },
  { name: "gm_map", factory: builtin.gmap, isSummary: true },
  { name: "Rprec", factory: builtin.rPrecision },
  { name: "bpref", factory: builtin.bpref },
  { name: "recip_rank", factory: builtin.reciprocalRank },
  { name: "iprec_at_recall", factory: builtin.interpolatedPrecision, cutoffs: RECALL_LEVELS },
  { name: "P", factory: builtin.precision, cutoffs: RANKS },
  { name: "recall", factory: builtin.recall, cutoffs: RANKS },
  { name: "infAP", factory: builtin.inferredAP },
  { name: "gm_bpref", factory: builtin.gmBpref, isSummary: true },
  { name: "Rprec_mult", factory: builtin.rPrecision, cutoffs: MULTIPLES, cutoffParameter: "mult" },
  { name: "utility", factory: builtin.utility, argument: "worth", isZeroUnanswered: true },
  { name: "11pt_avg", factory: builtin.interpolatedAverage, argument: "levels" },
  { name: "binG", factory: builtin.binG },
  { name: "G", factory: builtin.gMeasure },
  { name: "ndcg", factory: builtin.ndcg, argument: "gains" },
  { name: "ndcg_rel", factory: builtin.ndcgAtRelevant },
  { name: "Rndcg", factory: builtin.ndcgAtLevels },
  { name: "ndcg_cut", factory: builtin.ndcg, cutoffs: RANKS },
  { name: "map_cut", factory: builtin.averagePrecision, cutoffs: RANKS },
  { name: "relative_P", factory: builtin.precision, parameters: { relative: true }, cutoffs: RANKS },
  { name: "success", factory: builtin.success, cutoffs: [1, 5, 10] },
  { name: "set_P", factory: builtin.setPrecision },
  { name: "set_relative_P", factory: builtin.setPrecision, parameters: { relative: true } },
  { name: "set_recall", factory: builtin.setRecall },
  { name: "set_map", factory: builtin.setAveragePrecision },
  { name: "set_F", factory: builtin.setF, argument: "beta" },
  { name: "num_nonrel_judged_ret", factory: builtin.numNonrelevantReturned, isCount: true },
];

/** What trec_eval 10 has beyond version 9. */
const newMeasures: readonly TrecMeasure[] = [
  { name: "unj", factory: builtin.unjudgedShare, cutoffs: [5, 10, 20] },
];

/** The measure of a name that trec_eval has. */
export function trecMeasure(name: string): TrecMeasure | undefined {
  return [...trecMeasures, ...newMeasures].find((measure) => measure.name === name);
}

/** trec_eval's names for groups of measures. */
export const trecNicknames: ReadonlyMap<string, readonly string[]> = new Map([
  ["all_trec", ["runid", "relstring", ...trecMeasures.map(({ name }) => name)]],
  [
    "official",
    [
      "runid",
      "num_q",
      "num_ret",
      "num_rel",
      "num_rel_ret",
      "map",
      "gm_map",
      "Rprec",
      "bpref",
      "recip_rank",
      "iprec_at_recall",
      "P",
    ],
  ],
  [
    "set",
    [
      "runid",
      "num_q",
      "num_ret",
      "num_rel",
      "num_rel_ret",
      "utility",
      "set_P",
      "set_recall",
      "set_relative_P",
      "set_map",
      "set_F",
    ],
  ],
]);

/** A metric as trec_eval prints it. */
export interface TrecLine {
  /** `ndcg_cut_10`. */
  readonly name: string;
  readonly measure: TrecMeasure;
  readonly metric: Metric;
}

/**
 * The lines of one measure: one for each cutoff.
 *
 * @param argument what stands after the point in `-m name.argument`.
 * @param level trec_eval's `-l`, the lowest grade that is relevant.
 * @param round how recall levels become numbers of items; `up` is version 9.
 * @param catalog where to look for the metric first: one whose parameters have other defaults.
 */
export function trecLines(
  measure: TrecMeasure,
  argument: string | undefined,
  level: number,
  round: "up" | "nearest" = "up",
  catalog: readonly MetricFactory[] = [],
): TrecLine[] {
  const { name, cutoffs } = measure;
  const factory =
    catalog.find(({ definition }) => definition === measure.factory.definition) ?? measure.factory;
  const cards = parameterCards(factory.definition);
  const parameters = {
    ...("rel" in cards && level !== 1 && measure.factory !== builtin.numReturned ? { rel: level } : {}),
    ...("round" in cards && round !== "up" ? { round } : {}),
    ...measure.parameters,
  };
  if (cutoffs === undefined) {
    if (argument === undefined) return [{ name, measure, metric: factory({ parameters }) }];
    if (measure.argument === undefined)
      throw new InputError(
        "METRIC_PARAMETER",
        `trec_eval's ${name} takes nothing after the point, got ${quote(argument)}`,
      );
    return [
      {
        name: `${name}_${argument}`,
        measure,
        metric: factory({ parameters: { ...parameters, ...argumentParameters(measure, argument) } }),
      },
    ];
  }
  const wanted = argument === undefined ? cutoffs : numbers(measure, argument).sort((a, b) => a - b);
  if (new Set(wanted).size < wanted.length)
    throw new InputError(
      "METRIC_PARAMETER",
      `${quote(`${name}.${argument ?? ""}`)}: the cutoff is duplicated`,
    );
  return wanted.map((given) => {
    // trec_eval reads ranks as C does: 23.4 is 23.
    const isShare = cutoffs.some((usual) => !Number.isInteger(usual));
    const cutoff = isShare ? given : Math.trunc(given);
    const options =
      measure.cutoffParameter === undefined
        ? { cutoff, parameters }
        : { parameters: { ...parameters, [measure.cutoffParameter]: cutoff } };
    return { name: `${name}_${isShare ? cFixed(cutoff, 2) : cutoff}`, measure, metric: factory(options) };
  });
}

function numbers({ name }: TrecMeasure, argument: string): number[] {
  return argument.split(",").map((text) => {
    const value = text.trim() === "" ? NaN : Number(text);
    if (!Number.isFinite(value))
      throw new InputError(
        "METRIC_PARAMETER",
        `${quote(`${name}.${argument}`)}: ${quote(text)} is no number`,
      );
    return value;
  });
}

function argumentParameters(measure: TrecMeasure, argument: string): MetricParameters {
  if (measure.argument === "gains") {
    const gains: Gains = argument.split(",").map((pair) => {
      const [grade = NaN, gain = NaN] = pair
        .split("=")
        .map((text) => (text.trim() === "" ? NaN : Number(text)));
      return [grade, gain] as const;
    });
    return { gains };
  }
  const values = numbers(measure, argument);
  if (measure.argument === "levels") return { levels: values };
  if (measure.argument === "beta") return { beta: values[0] as number, weight: "beta" };
  if (values.length !== 4 || values[3] !== 0)
    throw new InputError(
      "METRIC_PARAMETER",
      `${quote(`utility.${argument}`)}: utility takes four weights, the last of them 0, because ` +
        "the size of the collection is not known",
    );
  return { worth: values.slice(0, 3) };
}

/**
 * The metrics of a name as trec_eval writes it (`ndcg_cut_10`, `P.5,10`, `map`), or null when it is none of
 * its names.
 *
 * @param most how many metrics the name may stand for.
 */
export function parseTrecMeasure(
  name: string,
  most = Infinity,
  catalog: readonly MetricFactory[] = [],
): Metric[] | null {
  const exact = trecMeasure(name);
  if (exact !== undefined) {
    const lines = trecLines(exact, undefined, 1, "up", catalog);
    if (lines.length <= most) return lines.map(({ metric }) => metric);
    throw new InputError(
      "METRIC_PARAMETER",
      `${quote(name)} stands for ${lines.length} metrics; name one, as in ` +
        `${quote(`${name}_${exact.cutoffs?.[1] ?? 10}`)}`,
    );
  }
  for (const measure of [...trecMeasures, ...newMeasures]) {
    const argument =
      name.startsWith(`${measure.name}_`) || name.startsWith(`${measure.name}.`)
        ? name.slice(measure.name.length + 1)
        : "";
    if (!/^[\d.]/.test(argument) || (measure.cutoffs === undefined && measure.argument === undefined))
      continue;
    const lines = trecLines(measure, argument, 1, "up", catalog);
    if (lines.length <= most) return lines.map(({ metric }) => metric);
    throw new InputError(
      "METRIC_PARAMETER",
      `${quote(name)} stands for ${lines.length} metrics; give them one by one`,
    );
  }
  return null;
}
