import { normalizeQuery, type BuildSummary } from "../../label/index.js";
import { costOf, addCosts } from "../../label/internal.js";
import type { Assessment } from "../../records/index.js";
import type { LabelStore } from "../../storage/index.js";
import type { PartDone, WorkPart, AskedPart } from "../../storage/postgres/index.js";
import type { NamedQuery } from "../datasets/dataset.js";
import type { LabelQueries, LabelWork } from "./label-windows.js";
import type { QueuedDataset } from "./queued-work.js";

/** A build of labels as it stands in the queue. */
export interface QueuedBuild {
  readonly kind: "label build";
  readonly dataset: QueuedDataset;
  /** Those of the command, without what is a matter of the machine. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Of a build that asks again: what was said before does not count. */
  readonly since?: string | undefined;
}

/** Labels a query as a part of queued work, as far as the budget of all parts goes. */
export async function performQuery(
  query: NamedQuery,
  { work, isRetry, paid }: AskedPart,
  label: LabelQueries,
  { options, failures, dataset }: LabelWork,
): Promise<PartDone | null> {
  const { calls, tokens, money } = options.budget ?? {};
  let budget: LabelWork["options"]["budget"];
  if (calls !== undefined || tokens !== undefined || money !== undefined) {
    const before = await paid();
    budget = {
      calls: calls === undefined ? undefined : calls - before.calls,
      tokens: tokens === undefined ? undefined : tokens - before.input - before.output,
      money: money === undefined ? undefined : money - before.amount,
    };
    if (Object.values(budget).some((left) => left !== undefined && left <= 0)) return null;
  }
  failures.messages.delete(query.query);
  const own = await label([query], budget);
  const summary = isRetry
    ? withStored(
        own,
        await listSaidSince(options.store, dataset.tenant, query, options.labeler.rater.name, work.begun_at),
      )
    : own;
  return {
    failed: failures.messages.get(query.query) ?? null,
    calls: summary.calls,
    input: summary.cost.tokens?.input ?? 0,
    output: summary.cost.tokens?.output ?? 0,
    amount: summary.cost.price?.amount ?? 0,
    outcome: summary,
    ends: !summary.isDone,
  };
}

/** The sum of what came of all parts. */
export function summaryOfParts(parts: readonly WorkPart[], isDone: boolean): BuildSummary {
  const summaries = parts.map(({ outcome }) => outcome as BuildSummary);
  const sum = (of: (summary: BuildSummary) => number | undefined): number =>
    summaries.reduce((total, summary) => total + (of(summary) ?? 0), 0);
  return {
    queries: sum(({ queries }) => queries),
    pairs: sum(({ pairs }) => pairs),
    known: sum(({ known }) => known),
    stale: sum(({ stale }) => stale),
    unusable: sum(({ unusable }) => unusable),
    calls: sum(({ calls }) => calls),
    answers: {
      graded: sum(({ answers }) => answers.graded),
      cannot_tell: sum(({ answers }) => answers.cannot_tell),
      invalid: sum(({ answers }) => answers.invalid),
      refused: sum(({ answers }) => answers.refused),
    },
    cost: summaries.map(({ cost }) => cost).reduce(addCosts, {}),
    isEstimated: summaries.some(({ isEstimated }) => isEstimated),
    isDone,
    isOtherRater: summaries.some(({ isOtherRater }) => isOtherRater),
  };
}

async function listSaidSince(
  store: LabelStore,
  tenant: string,
  { query }: NamedQuery,
  labeler: string,
  since: string,
): Promise<Assessment[]> {
  const said = await store.find({ tenant, query: normalizeQuery(query) });
  return said.filter(
    ({ at, rater }) =>
      rater.kind === "model" && rater.name === labeler && Date.parse(at) >= Date.parse(since),
  );
}

/** With what a worker that was killed had stored of the same query: its answers are paid, too. */
function withStored(own: BuildSummary, said: readonly Assessment[]): BuildSummary {
  const count = (outcome: Assessment["outcome"]): number =>
    said.filter((each) => each.outcome === outcome).length;
  const calls = new Set(said.map(({ batch, at }) => `${batch} ${at}`)).size;
  if (calls <= own.calls) return own;
  return {
    ...own,
    known: Math.max(0, own.pairs - said.length),
    unusable: Math.max(0, own.unusable - count("invalid") - count("refused")),
    calls,
    answers: {
      graded: count("graded"),
      cannot_tell: count("cannot_tell"),
      invalid: count("invalid"),
      refused: count("refused"),
    },
    cost: said.map(costOf).reduce(addCosts, {}),
    isEstimated: false,
  };
}
