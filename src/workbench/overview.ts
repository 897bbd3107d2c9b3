import { countOf } from "../foundation/numbers/index.js";
import { primaryDifference } from "../records/index.js";
import type {
  RunComparison,
  ScoreComparison,
  WorkbenchBatch,
  WorkbenchOverview,
  WorkbenchStep,
  WorkbenchTrust,
  WorkbenchVerdict,
} from "../records/index.js";
import type { Collection } from "./collection.js";

/** Batches on the first screen; the others have a screen of their own. */
const LATEST = 5;

/** What the first screen says of a collection: did the last change help, and can the labels be believed? */
export async function overviewOf(
  collection: Collection,
): Promise<Omit<WorkbenchOverview, "jobs" | "is_outdated">> {
  const batches = await collection.batches();
  const stored = batches.filter(({ is_stored }) => is_stored);
  const [latest, before] = stored;
  const first = await collection.firstStep(batches);
  const comparison =
    latest === undefined || before === undefined ? null : await collection.comparison(before.id, latest.id);
  const trust = await collection.trust(comparison);
  const found = comparison === null ? null : summarizeVerdict(comparison, before?.id ?? "", latest?.id ?? "");
  const skipped = batches.findIndex(({ id }) => id === before?.id) > 1;
  const verdict =
    found === null || !skipped
      ? found
      : {
          ...found,
          reasons: [
            `${found.run} against ${found.baseline}: the store no longer has the runs of all batches since.`,
            ...found.reasons,
          ],
        };
  return {
    collection: collection.id,
    verdict,
    without: comparison !== null ? "" : withoutVerdict(batches),
    trust,
    next: first ?? nextStep(collection, verdict, trust, comparison),
    batches: batches.slice(0, LATEST),
  };
}

function withoutVerdict(batches: readonly WorkbenchBatch[]): string {
  const gone = batches.filter(({ is_stored }) => !is_stored).length;
  if (gone > 0)
    return `The store lacks the runs of ${countOf(gone, "batch", "batches")}; a comparison needs two.`;
  return batches.length === 0
    ? "Nothing is measured yet."
    : "One batch is measured; with a second one it can be said whether a change helped.";
}

/** The verdict of the last run of a comparison, with the numbers that it rests on. */
export function summarizeVerdict(
  { comparisons }: ScoreComparison,
  baseline: string,
  run: string,
): WorkbenchVerdict | null {
  const last = comparisons.at(-1);
  if (last === undefined) return null;
  const { verdict } = last;
  const primary = primaryDifference(last);
  const byPeople = findCorrected(last);
  return {
    kind: verdict.kind,
    headline: verdict.headline,
    // How many queries improved stands in figures.
    reasons: verdict.reasons.filter((reason) => !reason.startsWith(`By ${verdict.primary}, of `)),
    baseline,
    run,
    metric: verdict.primary,
    mean_a: primary?.mean_a ?? null,
    mean_b: primary?.mean_b ?? null,
    difference: byPeople?.corrected ?? primary?.difference ?? null,
    is_corrected: byPeople !== undefined,
    interval: byPeople?.interval ?? primary?.interval ?? null,
    improved: primary?.improved ?? 0,
    equal: primary?.equal ?? 0,
    worse: primary?.worse ?? 0,
  };
}

function findCorrected({
  verdict,
  corrected,
}: RunComparison): NonNullable<RunComparison["corrected"]>[number] | undefined {
  return corrected?.find(({ metric }) => metric === verdict.primary);
}

/** The one thing that would tell most now. */
function nextStep(
  { id }: Collection,
  verdict: WorkbenchVerdict | null,
  trust: WorkbenchTrust | null,
  comparison: ScoreComparison | null,
): WorkbenchStep | null {
  const here = `/d/${encodeURIComponent(id)}`;
  if (verdict === null)
    return {
      text: "A change of the search is judged by two batches.",
      action: "Run another batch",
      route: `${here}/batches`,
    };
  const unjudged = comparison?.comparisons.at(-1)?.judge_next.length ?? 0;
  if (trust !== null && trust.people === 0)
    return {
      text: "No person has labelled anything, so that it is unknown how far the model's labels carry.",
      action: "Label the first items",
      route: `${here}/label`,
    };
  if (trust !== null && unjudged > 0 && verdict.kind === "inconclusive")
    return {
      text: "Hits without a label count as Irrelevant, and could decide it.",
      action: "Label what came back",
      route: `${here}/label`,
    };
  if (verdict.worse > 0)
    return {
      text: `${countOf(verdict.worse, "query")} got worse.`,
      action: "See which",
      route: here,
    };
  if (comparison?.trust?.status === "not_audited")
    return {
      text: "The model's labels are not audited, so that no verdict can rest on them.",
      action: "See where people and the model differ",
      route: `${here}/trust`,
    };
  // Why is said above; what would help is not for the page to know.
  if (verdict.kind === "not_comparable") return null;
  return {
    text: "No query got worse; change the search, and run the next batch.",
    action: "Go to the batches",
    route: `${here}/batches`,
  };
}
