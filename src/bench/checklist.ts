import type { BenchDecision, BenchMode, BenchReport, ChecklistItem, SamplePass } from "../records/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { BASELINE } from "./bench-system.js";

/** What a checklist looks at. */
export type CheckedBench = Pick<BenchReport, "fixture" | "modes"> & {
  readonly decision: BenchDecision | null;
  readonly sampling: SamplePass | null;
};

/** What has to be there before embeddings are promoted, and what of it is missing. */
export function checklistOf({ fixture, modes, decision, sampling }: CheckedBench): ChecklistItem[] {
  const baseline = modes.find(({ mode }) => mode === BASELINE);
  const others = modes.filter(({ mode }) => mode !== BASELINE);
  const failed = modes.filter((mode) => failures(mode) > 0);
  return [
    {
      item: "judged_dataset",
      is_done: fixture.cases > 0,
      note:
        fixture.cases > 0
          ? `${countOf(fixture.cases, "judged case")} over ${countOf(fixture.chunks, "chunk")}, ` +
            `digest ${fixture.digest}`
          : "the fixture has no cases; judge some",
    },
    {
      item: "side_by_side",
      is_done: baseline !== undefined && others.length > 0,
      note:
        baseline !== undefined && others.length > 0
          ? `${modes.map(({ mode }) => mode).join(", ")} on the same cases`
          : `measure ${BASELINE} and a mode with embeddings`,
    },
    {
      item: "metrics",
      is_done: modes.length > 0 && failed.length === 0,
      note:
        failed.length === 0
          ? "recall, MRR, nDCG, hit rate and latency for each mode and query type"
          : failed
              .map(
                (mode) =>
                  `${mode.mode} failed for ${failures(mode)} of ${mode.per_case.length} cases; ` +
                  "fix it and measure again",
              )
              .join("; "),
    },
    samplingItem(sampling, decision),
    {
      item: "rollback",
      is_done: decision !== null,
      note: decision?.rollback ?? "there is no decision; measure fts_only, embedding_only and hybrid",
    },
  ];
}

function samplingItem(sampling: SamplePass | null, decision: BenchDecision | null): ChecklistItem {
  const item = (is_done: boolean, note: string): ChecklistItem => ({
    item: "manual_sampling",
    is_done,
    note,
  });
  if (sampling === null)
    return item(
      false,
      "no hits have been labelled; write a sheet (rankproof bench sample), label it, and decide " +
        "again with it (rankproof bench decide --sample)",
    );
  const { unlabelled, hits, queries, queries_due, against, answer, headline } = sampling;
  if (decision !== null && decision.run !== BASELINE && decision.run !== against)
    return item(
      false,
      `people looked at ${against}, the decision is for ${decision.run}; give the labelled sheet again`,
    );
  if (unlabelled > 0)
    return item(false, `${unlabelled} of ${hits + unlabelled} hits are not labelled yet; ${headline}`);
  if (queries < queries_due)
    return item(false, `the sheet has ${queries} of ${queries_due} queries; ${headline}`);
  return item(answer === "more_relevant" || answer === "unchanged", headline);
}

function failures({ per_case }: BenchMode): number {
  return per_case.filter(({ error }) => error !== null).length;
}

/** Whether the decision keeps embeddings and nothing of the checklist is missing. */
export function mayPromote(decision: BenchDecision | null, checklist: readonly ChecklistItem[]): boolean {
  return (
    (decision?.outcome === "keep_hybrid" || decision?.outcome === "keep_embedding_only") &&
    checklist.every(({ is_done }) => is_done)
  );
}
