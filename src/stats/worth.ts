import { wholeNumber } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";

/**
 * How many queries labelled by people alone would do as well as n of them and a model's labels of N further
 * ones: n (n + N) / (n + f N), f = (1 - rho²) (n - 1)/(n - 2), cut at 1.
 *
 * The factor (n - 1)/(n - 2) takes back what the correlation of a small sample promises too much; below 3
 * queries nothing can be told, and it is n.
 *
 * Source: the variance of {@link https://arxiv.org/abs/2311.01453} with its best lambda.
 *
 * `worth(1, 5, 20) // => 25`
 *
 * @param correlation of the scores by people's labels and by the model's, from -1 to 1; a negative one, or
 * none (NaN), is worth nothing.
 * @param queries n, labelled by both.
 * @param further N, labelled by the model only.
 * @throws InputError `ARGUMENT` for a correlation beyond -1 or 1, and for what is no count.
 */
export function worth(correlation: number, queries: number, further: number): number {
  if (typeof correlation !== "number" || Math.abs(correlation) > 1)
    throw new InputError(
      "ARGUMENT",
      `worth: correlation must lie between -1 and 1, got ${quote(correlation)}`,
    );
  wholeNumber("queries", queries, 0);
  wholeNumber("further", further, 0);
  if (!(correlation > 0) || queries < 3) return queries;
  const factor = Math.min(1, (1 - correlation ** 2) * ((queries - 1) / (queries - 2)));
  return (queries * (queries + further)) / (queries + factor * further);
}

/** What it costs to know something as well as people alone would. */
export interface CheapestMix {
  /** One observation, in units of a person's label: below 1 the model pays. */
  readonly cost: number;
  /** The share of queries that people label, too; 1 where none but people's labels pay. */
  readonly share: number;
}

/**
 * The cheapest mix of people's and a model's labels where every query has a label of the model: cost
 * 1 - rho² + g rho² + 2 sqrt(g rho² (1 - rho²)) at a share sqrt(g (1 - rho²)/rho²) of people's. Where that
 * share exceeds 1 the best mix is all of people's, at 1 + g.
 *
 * Source: the least of ((1 - rho²)/s + rho²) (s + g) over the share s, variance times cost by the formula of
 * {@link worth} for many queries.
 *
 * `cheapestMix(1, 0.25) // => { cost: 0.25, share: 0 }`
 *
 * @param correlation as of {@link worth}, but from 0.
 * @param costRatio g: what a label of the model costs in units of a person's, from 0.
 * @throws InputError `ARGUMENT` for a correlation outside 0 to 1, and for what is no cost.
 */
export function cheapestMix(correlation: number, costRatio: number): CheapestMix {
  if (!(correlation >= 0 && correlation <= 1))
    throw new InputError(
      "ARGUMENT",
      `cheapestMix: correlation must lie between 0 and 1, got ${quote(correlation)}`,
    );
  if (!(costRatio >= 0) || !Number.isFinite(costRatio))
    throw new InputError(
      "ARGUMENT",
      `cheapestMix: costRatio must be a number from 0, got ${quote(costRatio)}`,
    );
  const explained = correlation ** 2;
  const share = Math.sqrt((costRatio * (1 - explained)) / explained);
  if (!(share <= 1)) return { cost: 1 + costRatio, share: 1 };
  return {
    cost: 1 - explained + costRatio * explained + 2 * Math.sqrt(costRatio * explained * (1 - explained)),
    share,
  };
}
