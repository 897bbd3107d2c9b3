import type { JudgeProbes, ProbeResult } from "../../records/index.js";
import { mean, signTest } from "../../stats/index.js";

/** A pair's grades: as it is, asked the same again, and changed. */
export interface ProbedGrades {
  readonly before: number;
  readonly again: number;
  readonly after: number;
}

/** What makes an alarm: an excess that is no accident, and is large enough to matter. */
export const PROBE_LIMITS: JudgeProbes["limits"] = { p: 0.002, excess: 0.25 };

/** From here on an item is relevant to most readers: Mostly Relevant. */
const RELEVANT = 2;

/**
 * Does a change move grades more than asking the same again does? A one-sided sign test of the changed grade
 * against that of asking again: a judge that is only unsteady moves both alike. A difference in both
 * directions is the likelier one of two tests.
 */
export function probeResult(
  { probe, variant, direction }: Pick<ProbeResult, "probe" | "variant" | "direction">,
  grades: readonly ProbedGrades[],
): ProbeResult {
  const low = grades.filter(({ before }) => before < RELEVANT);
  const gains = grades.map(({ again, after }) => after - again);
  const excess = grades.length === 0 ? null : mean(gains);
  const up = signTest(gains, "greater").p;
  const down = signTest(gains, "less").p;
  const isUp = direction === "up" || (direction === "either" && up <= down);
  const p = direction === "none" || excess === null ? null : isUp ? up : down;
  return {
    probe,
    variant,
    pairs: grades.length,
    below_2: low.length,
    lifted: low.filter(({ after }) => after >= RELEVANT).length,
    changed: grades.filter(({ before, after }) => after !== before).length,
    unsteady: grades.filter(({ before, again }) => again !== before).length,
    shift: grades.length === 0 ? null : mean(grades.map(({ before, after }) => after - before)),
    excess,
    direction,
    p,
    is_alarm:
      p !== null &&
      excess !== null &&
      p <= PROBE_LIMITS.p &&
      (isUp ? excess : -excess) >= PROBE_LIMITS.excess,
  };
}
