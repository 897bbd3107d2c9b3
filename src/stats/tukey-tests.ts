import { exactSum } from "../foundation/numbers/index.js";
import { oneWayAnova, repeatedMeasuresAnova } from "./anova.js";
import { pairsOf } from "./pairs-of.js";
import { checkScores, type ScoresByRun } from "./scores-by-run.js";
import { studentizedRangeAbove } from "./studentized-range.js";

/** Two runs of Tukey's test. */
export interface TukeyTestedPair {
  /** Positions of the two runs in the input. */
  readonly first: number;
  readonly second: number;
  /** Mean of the first minus mean of the second. */
  readonly difference: number;
  /**
   * How probable it is that any two of so many equally good runs differ by so much; null when they do and
   * there is no noise.
   */
  readonly p: number | null;
}

/** What Tukey's test finds before there are intervals. */
export interface TukeyTests {
  readonly queries: number;
  /** Of freedom of the noise. */
  readonly degrees: number;
  /** The standard error of a mean. */
  readonly error: number;
  /** Every pair of runs, in the order of the runs; none when there are no degrees of freedom. */
  readonly pairs: readonly TukeyTestedPair[];
}

/** The tests of {@link tukeyHsd} alone: its intervals take most of its time. */
export function tukeyTests(given: ScoresByRun, layout: "two-way" | "one-way" = "two-way"): TukeyTests {
  const runs = checkScores("tukeyHsd", given);
  const queries = runs[0]?.length ?? 0;
  const { meanSquareWithin, degreesWithin: degrees } =
    layout === "two-way" ? repeatedMeasuresAnova(runs) : oneWayAnova(runs);
  if (meanSquareWithin === null) return { queries, degrees, error: 0, pairs: [] };
  const error = Math.sqrt(meanSquareWithin / queries);
  const pairs = pairsOf(runs.length).map(([first, second]) => {
    const difference =
      exactSum(
        (runs[first] as readonly number[]).map((score, query) => score - (runs[second]?.[query] as number)),
      ) / queries;
    return { first, second, difference, p: adjustP(Math.abs(difference), error, runs.length, degrees) };
  });
  return { queries, degrees, error, pairs };
}

function adjustP(difference: number, error: number, count: number, degrees: number): number | null {
  if (difference === 0) return 1;
  if (error === 0) return null;
  return studentizedRangeAbove(difference / error, count, degrees);
}
