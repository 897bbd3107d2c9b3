import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeRanking, parseMetric, type JudgedRanking } from "../../src/metrics/index.js";
import { LAW_RUNS } from "../support/arbitraries.js";

/** What each hit is: unjudged (null) or a grade. */
const hits = fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { maxLength: 40 });
/** Grades of judged items that were not found. */
const missed = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 });

function rankingOf(grades: readonly (number | null)[], others: readonly number[]): JudgedRanking {
  const judged = grades.flatMap((grade, index) => (grade === null ? [] : [{ rank: index + 1, grade }]));
  return judgeRanking(
    judged.map(({ rank }) => rank),
    judged.map(({ grade }) => grade),
    [...judged.map(({ grade }) => grade), ...others].sort((a, b) => b - a),
    grades.length,
  );
}

describe("scores along labels are the scores of the rankings so labelled", () => {
  it.each([
    "AP",
    "AP@7",
    "AP(rel=2)",
    "GMAP",
    "BinG",
    "IPrec@0",
    "IPrec@0.1",
    "IPrec@0.5",
    "IPrec@1",
    "IPrec(round='nearest')@0.3",
    "IPrecAvg",
    "IPrecAvg(levels=[0.2,0.8],rel=2)",
  ])("%s", (name) => {
    const { along, score } = parseMetric(name);
    fc.assert(
      fc.property(hits, missed, fc.boolean(), (grades, others, isFromTop) => {
        const unjudged = grades.flatMap((grade, index) => (grade === null ? [index + 1] : []));
        const labels = isFromTop ? unjudged : unjudged.reverse();
        const scores = along?.(rankingOf(grades, others), labels);
        labels.concat(0).forEach((_, count) => {
          const labelled = new Set(labels.slice(0, count));
          const ranking = rankingOf(
            grades.map((grade, index) => (labelled.has(index + 1) ? 3 : grade)),
            others,
          );
          expect(scores?.[count]).toBeCloseTo(score(ranking), 10);
        });
      }),
      LAW_RUNS,
    );
  });
});
