import { DASH } from "./dash.js";
import { countOf } from "../foundation/numbers/index.js";
import type { FusionTuning } from "../records/index.js";
import { reportSection, type ReportSection } from "./report-section.js";
import {
  chanceSentence,
  describeHeldOut,
  naiveGain,
  partsInWords,
  formatTuningScore as score,
  queriesThatMove,
} from "./tuning-words.js";

/** What a search was for, in a line. */
export function tuningTitle({ metric, runs }: FusionTuning): string {
  return `Fusion of ${runs.slice(0, -1).join(", ")} and ${runs.at(-1) ?? ""}, tuned for ${metric}`;
}

/** The first things to know: whether it holds, what was chosen, what it seemed to gain. */
export function tuningSummary(tuning: FusionTuning): string[] {
  const { verdict, current, chosen, choice, held_out, search_test, unjudged, metric, warnings } = tuning;
  const [first, ...more] = tuning.curve === null ? [] : (choice?.plateau ?? []);
  return [
    verdict.sentence,
    `All queries together choose ${settingInWords(chosen.method, chosen.normalize)}: ${metric} ` +
      `${score(chosen.mean)}, with the current ${settingInWords(current.method, current.normalize)} ` +
      `${score(current.mean)}. ${naiveGain(chosen.mean - current.mean)}`,
    ...(held_out === null ? [] : [describeHeldOut(held_out, describeHeldOutParts(tuning))]),
    chanceSentence(search_test.p, "one for the whole search"),
    ...(first === undefined || choice === null
      ? []
      : [
          `The highest mean, ${score(choice.maximum)}, is reached ${between(first)}` +
            `${more.length === 0 ? "" : " and elsewhere"}; ` +
            `${placeOfChoice(chosen.point, choice.interval)}, ` +
            (choice.rule === "plateau" ? "the widest such place." : "within one standard error of it."),
        ]),
    ...(unjudged.items === 0
      ? []
      : [
          `${unjudged.items} of ${unjudged.of} items that some setting brings into view are unjudged, ` +
            `${unjudged.in_chosen} of them with the chosen one: label them before you trust the choice.`,
        ]),
    ...warnings.map(({ message }) => message),
  ];
}

/** The parts of a report on a search that have anything to say, in order. */
export function tuningSections(
  tuning: FusionTuning,
  { maxRows }: { readonly maxRows: number },
): ReportSection[] {
  return [
    curveSection(tuning),
    partsSection(tuning),
    describeSearched(tuning),
    queriesThatMove(
      tuning.per_query.map(({ query_id, ...query }) => ({ ...query, name: query_id })),
      tuning.held_out !== null,
      maxRows,
    ),
    settingsSection(tuning),
  ].filter(({ lines, rows }) => lines.length + rows.length > 0);
}

const CURVE_ROWS = 11;
const ROUNDING = 1e-9;

/** The id of the part in which a page draws the curve. */
export const CURVE_ID = "curve";

function curveSection({ axis, curve, choice, metric }: FusionTuning): ReportSection {
  if (axis === null || curve === null) return reportSection(CURVE_ID, "", "", [], []);
  const isWhole = Number.isInteger(axis.from) && Number.isInteger(axis.to) && axis.to - axis.from > 1;
  const points = Array.from({ length: CURVE_ROWS }, (_, at) => {
    const point = axis.from + (at / (CURVE_ROWS - 1)) * (axis.to - axis.from);
    return isWhole ? Math.round(point) : point;
  });
  // Where every setting is in the interval, a column that says so of each says nothing.
  const isWholeAxis = choice !== null && choice.interval.from <= axis.from && choice.interval.to >= axis.to;
  const rows = [...new Set(points)].map((point) => {
    const { low, high } = curve.filter(({ from }) => from <= point + ROUNDING).at(-1) ?? { low: 0, high: 0 };
    return [
      place(point),
      low === high ? score(low) : `${score(low)} to ${score(high)}`,
      isWholeAxis ? "" : near(choice, point),
    ];
  });
  return reportSection(CURVE_ID, `${metric} by ${axis.name}`, "rrl", [axis.name, metric, ""], rows);
}

function near(choice: FusionTuning["choice"], point: number): string {
  if (choice === null) return "";
  const { from, to } = choice.interval;
  return point >= from && point <= to ? "in the interval that is chosen from" : "";
}

function partsSection({ held_out }: FusionTuning): ReportSection {
  if (held_out === null) return reportSection("parts", "", "", [], []);
  const all = held_out.chosen.reduce((sum, { times }) => sum + times, 0);
  return reportSection(
    "parts",
    "What parts of the queries choose",
    "llrrrr",
    ["method", "normalizer", "chosen", "lowest", "median", "highest"],
    held_out.chosen.map(({ method, normalize, times, point }) => [
      method,
      normalize,
      `${times} of ${all}`,
      point === null ? DASH : place(point.low),
      point === null ? DASH : place(point.median),
      point === null ? DASH : place(point.high),
    ]),
  );
}

function describeSearched({ searched, metric }: FusionTuning): ReportSection {
  return reportSection(
    "searched",
    "What was searched",
    "lllrr",
    ["method", "normalizer", "tuned", "settings", `highest ${metric}`],
    searched.map(({ method, normalize, axis, variants, maximum }) => [
      method,
      normalize,
      axis,
      String(variants),
      score(maximum),
    ]),
  );
}

function settingsSection(tuning: FusionTuning): ReportSection {
  const { held_out, search_test, queries, runs, choice, seed } = tuning;
  const repeats = held_out === null || held_out.repeats === 1 ? "" : `, ${held_out.repeats} times`;
  const rule =
    choice === null
      ? "the weights with the highest mean that was found"
      : choice.rule === "plateau"
        ? "the middle of the widest plateau"
        : "the middle of the widest interval within one standard error of the highest mean";
  const { flips, is_exact, variants } = search_test;
  return reportSection("made", "How it was made", "", [], [], {
    lines: [
      `${countOf(queries, "query")}, runs in the order of weights: ${runs.join(", ")}; held out: ` +
        `${describeHeldOutParts(tuning)}${repeats}. Chosen: ${rule}. The p value is over ` +
        `${countOf(flips, "flip")} of signs${is_exact ? ", all there are" : ""}, the same for ` +
        `${variants === 1 ? "the one setting that differs" : `all ${variants} settings that differ`}; ` +
        `seed ${seed}.`,
    ],
  });
}

/** A setting in a sentence; long weights are shortened, the record has them in full. */
export function settingInWords(method: string, normalize: string): string {
  const short = method.replace(/\d+\.\d{5,}/g, (weight) => shortenNumber(Number(weight), 4));
  return normalize === "none" ? short : `${short} of ${normalize} scores`;
}

/** A place on the axis. */
function place(point: number): string {
  return shortenNumber(point, 3);
}

/** With as many decimals, or those that tell it from a whole number: a weight that is small is not 0. */
function shortenNumber(value: number, least: number): string {
  const beside = Math.abs(value - Math.round(value));
  const decimals = beside === 0 ? 0 : Math.min(15, Math.max(least, 1 - Math.floor(Math.log10(beside))));
  return String(Number(value.toFixed(decimals)));
}

/** How places are printed that lie within a part of the axis, which can be very narrow. */
function placesWithin({
  from,
  to,
}: {
  readonly from: number;
  readonly to: number;
}): (point: number) => string {
  const decimals = from === to ? 12 : Math.min(12, Math.max(3, 1 - Math.floor(Math.log10(to - from))));
  return (point) => String(Number(point.toFixed(decimals)));
}

/** Where the choice lies: in the middle, but for a step there, and for a number with fewer digits. */
function placeOfChoice(
  point: number | null,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const shown = placesWithin({ from, to });
  const isMiddle = point === null || shown(point) === shown((from + to) / 2);
  const where = isMiddle ? "the middle" : `${shown(point)}, near the middle`;
  return `the choice is ${where} of ${shown(from)} to ${shown(to)}`;
}

/** A part of the axis. */
function between({ from, to }: { readonly from: number; readonly to: number }): string {
  const shown = placesWithin({ from, to });
  return from === to ? `at ${shown(from)}` : `from ${shown(from)} to ${shown(to)}`;
}

/** How queries were held out. */
function describeHeldOutParts({ held_out, groups, queries }: FusionTuning): string {
  return held_out === null ? "none" : partsInWords(held_out, groups, queries);
}
