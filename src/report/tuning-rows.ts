import { formatP, printedShare } from "../foundation/numbers/index.js";
import type { FusionTuning } from "../records/index.js";
import { reportSection, type ReportSection } from "./report-section.js";

const DASH = "—";
const HELD_OUT: Readonly<Record<NonNullable<FusionTuning["held_out"]>["validation"], string>> = {
  leave_one_out: "each by itself",
  folds: "in parts that were drawn",
  given: "in parts that were given",
};

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
    `All queries together choose ${setting(chosen.shortest, chosen.normalize)}: ${metric} ` +
      `${score(chosen.mean)}, with the current ${setting(current.method, current.normalize)} ` +
      `${score(current.mean)}. The gain of ${signed(chosen.mean - current.mean)} is of the ` +
      "same queries that chose, and too good.",
    ...(held_out === null
      ? []
      : [
          `Queries held out (${HELD_OUT[held_out.validation]}): ${held_out.improved} gain, ` +
            `${held_out.worse} lose, ${held_out.equal} stay as they are.`,
        ]),
    `Chance alone would find as much in ${chance(search_test.p)} of such searches ` +
      `(p = ${formatP(search_test.p)}, one for all ${search_test.variants} settings).`,
    ...(first === undefined || choice === null
      ? []
      : [
          `The highest mean, ${score(choice.maximum)}, is reached on ` +
            `${width(first.to - first.from)} of the axis` +
            `${more.length === 0 ? "" : " at most at a time"}; the choice is the middle of ` +
            `${place(choice.interval.from)} to ${place(choice.interval.to)}, ` +
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
    searchedSection(tuning),
    queriesSection(tuning, maxRows),
    settingsSection(tuning),
  ].filter(({ lines, rows }) => lines.length + rows.length > 0);
}

const CURVE_ROWS = 11;

/** The id of the part in which a page draws the curve. */
export const CURVE_ID = "curve";

function curveSection({ curve, choice, chosen, searched, metric }: FusionTuning): ReportSection {
  const pieces = curve ?? [];
  const family = searched.find(({ method }) => chosen.method.startsWith(method));
  const rows = Array.from({ length: CURVE_ROWS }, (_, at) => {
    const point = at / (CURVE_ROWS - 1);
    const piece = pieces.filter(({ from }) => from <= point).at(-1);
    const mean =
      piece === undefined
        ? DASH
        : piece.low === piece.high
          ? score(piece.low)
          : `${score(piece.low)} to ${score(piece.high)}`;
    return [place(point), mean, near(choice, point)];
  });
  return reportSection(
    CURVE_ID,
    `${metric} by ${family?.axis ?? "setting"}`,
    "rrl",
    [family?.axis ?? "setting", metric, ""],
    pieces.length < 2 ? [] : rows,
  );
}

function near(choice: FusionTuning["choice"], point: number): string {
  if (choice === null) return "";
  const { from, to } = choice.interval;
  return point > from && point < to ? "in the interval that is chosen from" : "";
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

function searchedSection({ searched, metric }: FusionTuning): ReportSection {
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

function queriesSection({ per_query, held_out }: FusionTuning, maxRows: number): ReportSection {
  const moved = per_query
    .map((query) => ({ ...query, gain: (query.held_out ?? query.chosen) - query.current }))
    .filter(({ gain }) => Math.abs(gain) > 1e-12)
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain));
  return reportSection(
    "queries",
    held_out === null ? "Queries that move" : "Queries that move when held out",
    "lrrrr",
    ["query", "current", "chosen by all", "chosen by the others", "gain"],
    moved.map(({ query_id, current, chosen, held_out: held, gain }) => [
      query_id,
      score(current),
      score(chosen),
      held === null ? DASH : score(held),
      signed(gain),
    ]),
    { most: maxRows },
  );
}

function settingsSection({ held_out, search_test, queries, runs, choice }: FusionTuning): ReportSection {
  const parts =
    held_out === null
      ? "nothing was held out"
      : `held out in ${held_out.parts} parts` +
        (held_out.repeats > 1 ? `, ${held_out.repeats} times, seed ${held_out.seed ?? ""}` : "");
  const rule =
    choice === null
      ? ""
      : choice.rule === "plateau"
        ? " Chosen: the middle of the widest plateau."
        : " Chosen: the middle of the widest interval within one standard error of the highest mean.";
  return reportSection("made", "How it was made", "", [], [], {
    lines: [
      `${queries} queries, runs in the order of weights: ${runs.join(", ")}; ${parts}.${rule} The p value ` +
        `is over ${search_test.flips} sign flips${search_test.is_exact ? ", all there are" : ""}, the same ` +
        "for every setting.",
    ],
  });
}

/** A setting in a sentence; long weights are shortened, the record has them in full. */
function setting(method: string, normalize: string): string {
  const short = method.replace(/\d+\.\d{5,}/g, (weight) => String(Number(Number(weight).toFixed(4))));
  return normalize === "none" ? short : `${short} of ${normalize} scores`;
}

function chance(p: number): string {
  return p < 0.001 ? "less than 0.1 %" : printedShare(Number(p.toFixed(3)));
}

function score(value: number): string {
  return value.toFixed(4);
}

function signed(value: number): string {
  const text = value.toFixed(4);
  return Number(text) === 0 ? "0.0000" : value > 0 ? `+${text}` : text;
}

/** A place on the axis. */
function place(point: number): string {
  return String(Number(point.toFixed(3)));
}

/** A part of the axis, which can be very narrow. */
function width(part: number): string {
  return part >= 0.0001 ? `${Number((100 * part).toFixed(2))} %` : "less than 0.01 %";
}
