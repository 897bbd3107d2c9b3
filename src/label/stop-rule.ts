import { InputError, quote } from "../foundation/errors/index.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";

/** When a deep rebuild stops to label the rest of a ranking. */
export interface StopOptions {
  /** Items in a batch; the last may have fewer. Default 50. */
  readonly batchSize?: number | undefined;
  /** The first batches always run and are not counted. Default 10. */
  readonly minBatches?: number | undefined;
  /** A batch is bad above this share of irrelevant items and `combinedStop`, both. Default 0.939. */
  readonly irrelevantStop?: number | undefined;
  /** Share of irrelevant and weakly relevant items together. Default 0.959. */
  readonly combinedStop?: number | undefined;
  /** So many bad batches in a row stop it. Default 3. */
  readonly streak?: number | undefined;
  /** No more batches than these. Default 40. */
  readonly maxBatches?: number | undefined;
}

/** Why no further batch is labelled. Where several hold at once it is the first of these. */
export const stopReasons = ["streak", "exhausted", "max_batches"] as const;
/** Why no further batch is labelled. */
export type StopReason = (typeof stopReasons)[number];

/** What a batch came to. Shares are of its valid labels; null where it has none. */
export interface BatchTrace {
  /** Items in it. */
  readonly size: number;
  /** Share of grade 3. */
  readonly exact_ratio: number | null;
  /** Share of grade 0. */
  readonly irrelevant_ratio: number | null;
  /** Share of grade 1. */
  readonly low_ratio: number | null;
  /** Share of grades 0 and 1 together, as one division. */
  readonly irrelevant_plus_low_ratio: number | null;
  readonly is_bad: boolean;
  /** False for the first batches, which always run, and for one without a valid label. */
  readonly is_counted: boolean;
  /** Bad batches in a row, this one included. */
  readonly streak: number;
}

/** Settings of {@link StopRule} where none are given. */
export const stopDefaults = {
  batchSize: 50,
  minBatches: 10,
  irrelevantStop: 0.939,
  combinedStop: 0.959,
  streak: 3,
  maxBatches: 40,
} as const;

const SETTINGS = Object.keys(stopDefaults) as (keyof typeof stopDefaults)[];

/**
 * Decides, batch by batch from the head of a ranking, whether labelling goes on: it stops when several
 * batches in a row were nearly all irrelevant.
 */
export class StopRule {
  readonly settings: Readonly<Record<keyof typeof stopDefaults, number>>;
  #batches = 0;
  #streak = 0;

  /** @throws InputError `ARGUMENT` for a setting that is not possible. */
  constructor(options: StopOptions = {}) {
    const given = Object.fromEntries(
      Object.entries(checkKnownOptions(options, SETTINGS)).filter(([, value]) => value !== undefined),
    );
    this.settings = { ...stopDefaults, ...(given as Partial<typeof stopDefaults>) };
    const { batchSize, minBatches, streak, maxBatches, irrelevantStop, combinedStop } = this.settings;
    wholeNumber("batchSize", batchSize);
    wholeNumber("minBatches", minBatches, 0);
    wholeNumber("streak", streak);
    wholeNumber("maxBatches", maxBatches);
    for (const [name, share] of Object.entries({ irrelevantStop, combinedStop }))
      if (!(share >= 0 && share <= 1))
        throw new InputError("ARGUMENT", `${name} must be a share from 0 to 1, got ${quote(share)}`);
  }

  /**
   * Counts a batch.
   *
   * @param grades of a batch; null for an item without a valid label.
   */
  add(grades: readonly (number | null)[]): BatchTrace {
    const valid = grades.filter((grade) => grade !== null);
    const count = (...wanted: readonly number[]): number =>
      valid.filter((grade) => wanted.includes(grade)).length;
    // One division of whole numbers each: 0.94 + 0.02 is not 0.96.
    const share = (part: number): number | null => (valid.length === 0 ? null : part / valid.length);
    const [irrelevant, combined] = [share(count(0)), share(count(0, 1))];
    const { irrelevantStop, combinedStop, minBatches } = this.settings;
    const isBad =
      irrelevant !== null && combined !== null && irrelevant > irrelevantStop && combined > combinedStop;
    this.#batches++;
    const isCounted = this.#batches > minBatches && valid.length > 0;
    if (isCounted) this.#streak = isBad ? this.#streak + 1 : 0;
    return {
      size: grades.length,
      exact_ratio: share(count(3)),
      irrelevant_ratio: irrelevant,
      low_ratio: share(count(1)),
      irrelevant_plus_low_ratio: combined,
      is_bad: isBad,
      is_counted: isCounted,
      streak: this.#streak,
    };
  }

  /**
   * Every reason not to label another batch, the first of which counts; empty to go on.
   *
   * @param isExhausted whether nothing is left to label.
   */
  reasons(isExhausted: boolean): StopReason[] {
    const holds = {
      streak: this.#streak >= this.settings.streak,
      exhausted: isExhausted,
      max_batches: this.#batches >= this.settings.maxBatches,
    };
    return stopReasons.filter((reason) => holds[reason]);
  }
}
