import type { Card } from "../foundation/cards/index.js";
import { InputError, quote } from "../foundation/errors/index.js";

/** What a normalizer is. */
export interface NormalizerDefinition extends Card {
  /** What comes out for a single hit, equal scores, negative scores, items that the run lacks. */
  readonly edges: string;
  /**
   * Whether it reads scores as distances, of which less is better, so that the order of lists turns round.
   * Found out by some scores where it is not said.
   */
  readonly turnsRound?: boolean;
}

/** Scores of one run for one query, made comparable. */
export interface NormalizedScores {
  /** For each hit, in the order of the input; finite. */
  readonly scores: Float64Array;
  /** The score of every item that only other runs have. Left out, such items have no score. */
  readonly lacking?: number;
}

/** Makes the scores of different runs comparable. */
export interface Normalizer {
  readonly name: string;
  readonly definition: NormalizerDefinition;
  /**
   * Called once for each run and query with hits.
   *
   * @param scores of the hits, best first; finite, at least one. Not to be changed.
   * @param poolSize how many different items all runs have together for the query.
   */
  normalize(scores: ArrayLike<number>, poolSize: number): NormalizedScores;
}

/** Two scores each, of several sizes: a normalizer may cut off what is above 1. */
const SAMPLES = [
  [0.2, 0.1],
  [2, 1],
  [200, 100],
] as const;

/** Whether a normalizer turns lists round: it reads scores as distances, of which less is better. */
export function turnsRound(normalizer: Normalizer): boolean {
  return (
    normalizer.definition.turnsRound ??
    SAMPLES.some((sample) => {
      try {
        const [first, second] = normalizer.normalize(sample, sample.length).scores;
        return (first as number) < (second as number);
      } catch {
        // It takes no such scores.
        return false;
      }
    })
  );
}

/**
 * Defines a normalizer: a card and a function.
 *
 * @throws InputError `ARGUMENT` when the name could not be parsed back.
 */
export function defineNormalizer({
  normalize,
  ...definition
}: NormalizerDefinition & Pick<Normalizer, "normalize">): Normalizer {
  if (!/^[A-Za-z][\w-]*$/.test(definition.name)) {
    throw new InputError(
      "ARGUMENT",
      `normalizer name must be a letter followed by letters, digits, - or _, got ${quote(definition.name)}`,
    );
  }
  return { name: definition.name, definition, normalize };
}
