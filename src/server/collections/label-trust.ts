import { groupBy } from "../../foundation/columns/index.js";
import type { DatasetLabels } from "../../node/index.js";
import {
  LABEL_SCALE,
  type LabelTrust,
  type ScoreComparison,
  type WorkbenchTrust,
} from "../../records/index.js";
import { trustLines } from "../../report/internal.js";
import { cohenKappa } from "../../stats/index.js";
import { agreement, countJudgedPairs } from "../label-words.js";

/**
 * How far the labels of a dataset carry: in the words of a comparison where there is one, else by who gave
 * them.
 *
 * @param more `about`: what the labeler is; `warnings`: what else makes the labels doubtful.
 */
export function labelTrust(
  { labels, people, model }: DatasetLabels,
  comparison: ScoreComparison | null,
  { about, warnings }: { readonly about: readonly string[]; readonly warnings: readonly string[] },
): WorkbenchTrust {
  // People's are few, of however many the model gave.
  const byPeople = new Map(
    [...groupBy(people, ({ query }) => query)].map(([query, own]) => [
      query,
      new Map(own.map(({ item, grade }) => [item, grade])),
    ]),
  );
  const both = model.flatMap(({ query, item, grade }) => {
    const person = byPeople.get(query)?.get(item);
    return person === undefined ? [] : [[person, grade] as const];
  });
  const byLabeler = labels.filter(({ by }) => by === "labeler").length;
  const counts = {
    people: labels.length - byLabeler,
    model: byLabeler,
    pairs: both.length,
    kappa: both.length < 2 ? null : kappaOf(both),
  };
  const trust = comparison?.trust ?? null;
  return {
    title: titleOf(counts, trust?.status),
    sentences: [
      countJudgedPairs(counts),
      ...agreement(counts),
      // That all labels are people's, or none is there, is said with their number.
      ...(trust === null || counts.model === 0 ? [] : trustLines(trust)),
      ...about,
      ...warnings.map((warning) => `${warning}.`),
    ],
    ...counts,
  };
}

function kappaOf(pairs: readonly (readonly [person: number, model: number])[]): number | null {
  const [people, model] = [pairs.map(([person]) => person), pairs.map(([, other]) => other)];
  return cohenKappa(people, model, { weights: "quadratic", scale: LABEL_SCALE });
}

/** Whether the labels can be believed, in a few words; no more than what stands below it. */
function titleOf(
  { people, model }: Pick<WorkbenchTrust, "people" | "model">,
  status: LabelTrust["status"] | undefined,
): string {
  if (people + model === 0) return "There are no labels to believe yet";
  if (model === 0) return "The labels are as good as the people who gave them: the model's do not count";
  return status === "audited"
    ? "The labels can be believed as far as people's labels of drawn queries say"
    : "The labels cannot be believed yet: a model's are not audited by people";
}
