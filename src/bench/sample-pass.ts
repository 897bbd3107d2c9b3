import { InputError, shown } from "../errors.js";
import type { BenchReport, SampleLabel, SamplePass } from "../schema/index.js";
import { BASELINE } from "./contender.js";

/** A hit as a person labelled it. */
export interface LabelledHit {
  readonly case_id: string;
  readonly item: string;
  readonly label: SampleLabel;
}

/**
 * Did hits become more relevant, or only more vague? Counts the labels of each mode's hits, and holds the mode that the decision is about against
 * `fts_only`: by the share of `grounded` hits, and where that did not rise by the share of `broad` ones.
 *
 * @param hits as deep as the sheet went; a hit that no mode has within it counts for none.
 * @throws InputError `ARGUMENT` where nothing is labelled, or the report has no mode to hold against `fts_only`.
 */
export function samplePass(report: BenchReport, labelled: readonly LabelledHit[], { hits = 3, seed = 1 }: { readonly hits?: number | undefined; readonly seed?: number | undefined } = {}): SamplePass {
  const labels = new Map<string, Map<string, SampleLabel>>();
  for (const { case_id, item, label } of labelled) labels.set(case_id, (labels.get(case_id) ?? new Map<string, SampleLabel>()).set(item, label));
  const known = new Set(report.modes.flatMap(({ per_case }) => per_case.map(({ case_id }) => case_id)));
  const stranger = [...labels.keys()].find((id) => !known.has(id));
  if (stranger !== undefined) throw new InputError("ARGUMENT", `the sheet has the case ${shown(stranger)}, which the report does not; give the report that the sheet was made of`);
  const modes = report.modes.map(({ mode, per_case }) => {
    const counts = { mode, grounded: 0, broad: 0, miss: 0 };
    for (const { case_id, ranked } of per_case) {
      const ofCase = labels.get(case_id);
      for (const item of ranked.slice(0, hits)) {
        const label = ofCase?.get(item);
        if (label !== undefined) counts[label]++;
      }
    }
    return counts;
  });
  const against = rivalOf(report);
  const [before, after] = [BASELINE, against].map((name) => modes.find(({ mode }) => mode === name));
  if (before === undefined || after === undefined || [before, after].some((counts) => total(counts) === 0)) throw new InputError("ARGUMENT", `the sheet labels no hits of ${BASELINE} and ${against}; write grounded, broad or miss into its label column`);
  const [grounded, broad] = (["grounded", "broad"] as const).map((label) => after[label] / total(after) - before[label] / total(before)) as [number, number];
  const answer = grounded > 0 ? "more_relevant" : broad > 0 ? "more_vague" : grounded < 0 ? "less_relevant" : "unchanged";
  return { seed, queries: labels.size, hits: labelled.length, modes, against, answer, headline: `${SENTENCES[answer]}: of ${against} ${share(after.grounded, after)} are grounded and ${share(after.broad, after)} broad, of ${BASELINE} ${share(before.grounded, before)} and ${share(before.broad, before)}` };
}

const SENTENCES: Readonly<Record<SamplePass["answer"], string>> = {
  more_relevant: "Hits became more relevant",
  more_vague: "Hits became only more vague",
  less_relevant: "Hits became less relevant",
  unchanged: "Hits are as relevant as before",
};

type LabelCounts = SamplePass["modes"][number];

function total({ grounded, broad, miss }: LabelCounts): number {
  return grounded + broad + miss;
}

function share(count: number, counts: LabelCounts): string {
  return `${Math.round((100 * count) / total(counts))} %`;
}

/** The mode that would be promoted: the one that is kept, else hybrid, else the first other one. */
function rivalOf({ decision, modes }: BenchReport): string {
  if (decision !== null && decision.run !== BASELINE) return decision.run;
  const names = modes.map(({ mode }) => mode).filter((mode) => mode !== BASELINE);
  return ["hybrid@live", "hybrid"].find((name) => names.includes(name)) ?? names[0] ?? "hybrid";
}
