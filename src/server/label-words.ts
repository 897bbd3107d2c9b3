import { countOf, formatCount } from "../foundation/numbers/index.js";
import { labelerFrom, type Dataset } from "../node/index.js";
import type { Config, WorkbenchTrust } from "../records/index.js";

/** What quadratic kappas up to a bound are called, by Landis and Koch (1977), and how far that carries. */
const KAPPAS = [
  [0.2, "Not at all", "hardly more than chance would"],
  [0.4, "Not far", "only fairly"],
  [0.6, "In part", "moderately"],
  [0.8, "Far", "substantially"],
  [1, "Very far", "almost always"],
] as const;

/** How far a model that agrees with people to this extent can be trusted, and how it agrees. */
export function kappaWords(kappa: number): { readonly far: string; readonly agrees: string } {
  const [, far, agrees] = KAPPAS.find(([most]) => kappa <= most) ?? KAPPAS[4];
  return { far, agrees };
}

/** Whose labels there are and how many: the same sentence on every screen that counts them. */
export function countJudgedPairs({
  people,
  model,
  pairs,
}: Pick<WorkbenchTrust, "people" | "model" | "pairs">): string {
  const count = people + model;
  if (count === 0) return "Nothing is labelled yet.";
  const all = `${countOf(count, "pair")} of a query and an item ${count === 1 ? "is" : "are"} judged`;
  if (people === 0) return `${all}: all by the model alone.`;
  const both =
    pairs === 0 ? "" : ` (the model graded ${formatCount(pairs)} of these, too; people's grades count)`;
  return model === 0
    ? `${all}: all by people${both}.`
    : `${all}: ${formatCount(people)} by people${both}, ${formatCount(model)} by the model alone.`;
}

/** How far the model agrees with people, in a sentence; nothing where nobody has labelled. */
export function agreement({
  people,
  model,
  pairs,
  kappa,
}: Omit<WorkbenchTrust, "title" | "sentences">): string[] {
  if (people + model === 0) return [];
  if (kappa === null)
    return ["Too few pairs have a grade of people and one of the model to say how far they agree."];
  return [
    `On the ${countOf(pairs, "pair")} that both graded the model agrees with people ` +
      `${kappaWords(kappa).agrees}: quadratic weighted kappa ${kappa.toFixed(3)} ` +
      "(1 is agreement, 0 is chance).",
  ];
}

/** What the labeler that is built in is, where it labels: its name alone says nothing. */
export function aboutLabeler(config: Config, dataset: Dataset): string[] {
  const { name, settings } = labelerFrom(config, dataset, undefined);
  return settings.kind === "overlap"
    ? [
        `The model here is the built-in labeler \`${name}\`, which knows no language: it grades by the ` +
          "share of the query's words that an item has.",
      ]
    : [];
}
