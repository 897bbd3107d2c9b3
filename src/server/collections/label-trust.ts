import type { DatasetLabels } from "../../node/index.js";
import type { LabelTrust, ScoreComparison, WorkbenchTrust } from "../../records/index.js";
import { trustLines } from "../../report/internal.js";
import { cohenKappa } from "../../stats/index.js";

const SCALE = [0, 1, 2, 3] as const;

/**
 * How far the labels of a dataset carry: in the words of a comparison where there is one, else by who gave
 * them.
 *
 * @param warnings what else makes them doubtful.
 */
export function labelTrust(
  { labels, people, model, labeler, labelerName }: DatasetLabels,
  comparison: ScoreComparison | null,
  warnings: readonly string[],
): WorkbenchTrust {
  const byModel = new Map(model.map((label) => [`${label.query}\n${label.item}`, label.grade]));
  const both = people.flatMap(({ query, item, grade }) => {
    const other = byModel.get(`${query}\n${item}`);
    return other === undefined ? [] : [[grade, other] as const];
  });
  const byLabeler = labels.filter(({ by }) => by === "labeler").length;
  const counts = { people: labels.length - byLabeler, model: byLabeler };
  const trust = comparison?.trust ?? null;
  const own = sentenceOf(counts, labeler === null ? null : labelerName);
  return {
    title: titleOf(counts, trust?.status),
    // That all labels are people's stands in the title.
    sentences: [
      ...(trust === null ? [own] : trustLines(trust).slice(trust.status === "people" ? 1 : 0)),
      ...warnings,
    ],
    kappa: both.length < 2 ? null : kappaOf(both),
    pairs: both.length,
    ...counts,
  };
}

function kappaOf(pairs: readonly (readonly [person: number, model: number])[]): number | null {
  const [people, model] = [pairs.map(([person]) => person), pairs.map(([, other]) => other)];
  return cohenKappa(people, model, { weights: "quadratic", scale: SCALE });
}

interface Counts {
  readonly people: number;
  readonly model: number;
}

/** Whether the labels can be believed, in a sentence. */
function titleOf({ people, model }: Counts, status: LabelTrust["status"] | undefined): string {
  if (people + model === 0) return "There are no labels to believe yet";
  if (model === 0) return "The labels can be believed: people gave them all";
  return status === "audited"
    ? "The labels can be believed as far as people's labels of drawn queries say"
    : "The labels cannot be believed yet: a model's are not audited by people";
}

function sentenceOf({ people, model }: Counts, labeler: string | null): string {
  if (people + model === 0) return "Nothing is labelled yet.";
  const parts = [
    ...(people > 0 ? [`${people} by people`] : []),
    ...(model > 0 ? [`${model} by ${labeler ?? "a model"}`] : []),
  ];
  return `${people + model} labels: ${parts.join(", ")}.`;
}
