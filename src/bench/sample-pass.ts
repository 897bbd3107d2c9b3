import { formatPInProse, formatChange } from "../foundation/numbers/index.js";
import { differenceIntervals, mean, randomizationTest } from "../stats/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { BenchReport, SamplePass, SampleRow } from "../records/index.js";
import { BASELINE } from "./bench-system.js";
import { queriesDue, SAMPLED_HITS } from "./sample-sheet.js";

/**
 * Did hits become more relevant, or only more vague? Counts the labels in the first places of each mode, a
 * place without a hit as empty, and holds the mode that the decision is about against `fts_only`: by the
 * share of `grounded` places of each query, and where that did not rise by the share of `broad` ones. A
 * change counts where the paired randomization test, over the queries that are labelled whole, finds it at
 * 0.05.
 *
 * @param rows the sheet, labelled; hits without a label do not count.
 * @param hits as deep as the sheet went. Default 3.
 * @throws InputError `ARGUMENT` where the sheet was made of another report or depth, and where nothing is
 * labelled.
 */
export function samplePass(
  report: BenchReport,
  rows: readonly SampleRow[],
  { hits = SAMPLED_HITS }: { readonly hits?: number | undefined } = {},
): SamplePass {
  const labels = new Map<string, Map<string, SampleRow["label"]>>();
  for (const { case_id, item, label } of rows)
    labels.set(case_id, (labels.get(case_id) ?? new Map<string, SampleRow["label"]>()).set(item, label));
  checkSheet(report, labels, hits);
  const modes = report.modes.map((mode) => labelCounts(mode, labels, hits));
  const against = chooseSampledMode(report);
  const [before, after] = [BASELINE, against].map((name) => modes.find(({ mode }) => mode === name));
  if (
    before === undefined ||
    after === undefined ||
    [before, after].every(({ grounded, broad, miss }) => grounded + broad + miss === 0)
  )
    throw new InputError(
      "ARGUMENT",
      `the sheet labels no hits of ${BASELINE} and ${against}; write grounded, broad or miss into ` +
        "its label column",
    );
  const grounded = changeOfShare(report, labels, hits, against, "grounded");
  const broad = changeOfShare(report, labels, hits, against, "broad");
  const answer = answerOf(grounded, broad);
  const labelled = rows.filter(({ label }) => label !== null).length;
  return {
    queries: labels.size,
    queries_due: queriesDue(report),
    hits: labelled,
    unlabelled: rows.length - labelled,
    modes,
    against,
    answer,
    grounded: { difference: grounded.difference, interval: grounded.interval, p: grounded.p },
    headline:
      `${answerInWords(answer, labels.size)}: of the first ${hits} places of ${against} ` +
      `${percent(after.grounded, after)} are grounded and ${percent(after.broad, after)} broad, of ` +
      `those of ${BASELINE} ${percent(before.grounded, before)} and ${percent(before.broad, before)}` +
      formatGrounds(grounded),
  };
}

/** How the share of places with a label differs between two modes, over the queries. */
interface Difference {
  readonly difference: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly p: number;
  /** Queries that are labelled whole, which it is over. */
  readonly queries: number;
  /** Whether no query differs, of all that are on the sheet. */
  readonly isNone: boolean;
}

const ALPHA = 0.05;

function changeOfShare(
  report: BenchReport,
  labels: ReadonlyMap<string, ReadonlyMap<string, SampleRow["label"]>>,
  hits: number,
  against: string,
  label: "grounded" | "broad",
): Difference {
  const [before, after] = [BASELINE, against].map((name) => {
    const { per_case } = report.modes.find(({ mode }) => mode === name) as BenchReport["modes"][number];
    return new Map(per_case.map(({ case_id, ranked }) => [case_id, ranked.slice(0, hits)]));
  });
  const places = (ranked: readonly string[] | undefined, ofCase: ReadonlyMap<string, unknown>): number =>
    (ranked ?? []).filter((item) => ofCase.get(item) === label).length;
  // A hit without a label would count as one that is not of this kind.
  const isLabelled = (ranked: readonly string[] | undefined, ofCase: ReadonlyMap<string, unknown>): boolean =>
    (ranked ?? []).every((item) => ofCase.get(item) != null);
  const differences = [...labels]
    .filter(([id, ofCase]) => isLabelled(before?.get(id), ofCase) && isLabelled(after?.get(id), ofCase))
    .map(([id, ofCase]) => (places(after?.get(id), ofCase) - places(before?.get(id), ofCase)) / hits);
  const [found] = differenceIntervals([differences], { most: [1] });
  return {
    queries: differences.length,
    difference: differences.length === 0 ? 0 : mean(differences),
    interval: found?.interval ?? null,
    p: differences.length === 0 ? 1 : randomizationTest(differences).p,
    // Of queries that are not labelled yet nothing is known.
    isNone: differences.length === labels.size && differences.every((each) => each === 0),
  };
}

function answerOf(grounded: Difference, broad: Difference): SamplePass["answer"] {
  const wayOf = ({ difference, p }: Difference): number => (p < ALPHA ? Math.sign(difference) : 0);
  if (wayOf(grounded) === 1) return "more_relevant";
  if (wayOf(broad) === 1) return "more_vague";
  if (wayOf(grounded) === -1) return "less_relevant";
  return grounded.isNone && broad.isNone ? "unchanged" : "cannot_tell";
}

function answerInWords(answer: SamplePass["answer"], queries: number): string {
  return answer === "cannot_tell"
    ? `${queries} queries cannot tell whether hits became more relevant`
    : SENTENCES[answer];
}

function formatGrounds({ difference, interval, p, isNone, queries }: Difference): string {
  if (isNone || queries === 0) return "";
  const within =
    interval === null ? "" : `, interval ${formatChange(interval.low)} to ${formatChange(interval.high)}`;
  return `; grounded ${formatChange(difference)} a query${within}, ${formatPInProse(p)}`;
}

type LabelCounts = SamplePass["modes"][number];

function labelCounts(
  { mode, per_case }: BenchReport["modes"][number],
  labels: ReadonlyMap<string, ReadonlyMap<string, SampleRow["label"]>>,
  hits: number,
): LabelCounts {
  const counts = { mode, grounded: 0, broad: 0, miss: 0, empty: 0 };
  for (const { case_id, ranked } of per_case) {
    const ofCase = labels.get(case_id);
    if (ofCase === undefined) continue;
    const first = ranked.slice(0, hits);
    // Places of queries that are not labelled yet, or in part, would weigh more than their hits.
    if ([...ofCase.values()].every((label) => label !== null)) counts.empty += hits - first.length;
    for (const item of first) {
      const label = ofCase.get(item) ?? null;
      if (label !== null) counts[label]++;
    }
  }
  return counts;
}

/** A sheet that does not have just the first hits of every mode would favour the mode it has more of. */
function checkSheet(
  { modes }: BenchReport,
  labels: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
  hits: number,
): void {
  const shownItems = new Map([...labels.keys()].map((id) => [id, new Set<string>()]));
  for (const { per_case } of modes)
    for (const { case_id, ranked } of per_case)
      for (const item of ranked.slice(0, hits)) shownItems.get(case_id)?.add(item);
  for (const [caseId, items] of labels) {
    const expected = shownItems.get(caseId) as Set<string>;
    const wrong =
      [...items.keys()].find((item) => !expected.has(item)) ?? [...expected].find((item) => !items.has(item));
    if (wrong !== undefined)
      throw new InputError(
        "ARGUMENT",
        `the sheet is not one of this report with the first ${hits} hits of each mode: case ` +
          `${quote(caseId)}, hit ${quote(wrong)}; give the report that it was made of, and its ` +
          "number of hits",
      );
  }
}

const SENTENCES: Readonly<Record<Exclude<SamplePass["answer"], "cannot_tell">, string>> = {
  more_relevant: "Hits became more relevant",
  more_vague: "Hits became only more vague",
  less_relevant: "Hits became less relevant",
  unchanged: "Hits are as relevant as before",
};

function shareOf(count: number, { grounded, broad, miss, empty }: LabelCounts): number {
  return count / Math.max(1, grounded + broad + miss + empty);
}

function percent(count: number, counts: LabelCounts): string {
  return `${Math.round(100 * shareOf(count, counts))} %`;
}

/** The mode that would be promoted: the one that is kept, else hybrid, else the first other one. */
function chooseSampledMode({ decision, modes }: BenchReport): string {
  if (decision !== null && decision.run !== BASELINE) return decision.run;
  const names = modes.map(({ mode }) => mode).filter((mode) => mode !== BASELINE);
  return (
    ["hybrid_tuned@live", "hybrid_tuned", "hybrid@live", "hybrid"].find((name) => names.includes(name)) ??
    names[0] ??
    "hybrid"
  );
}
