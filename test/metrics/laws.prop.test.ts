import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defineMetric,
  judgeRanking,
  metricCatalog,
  parameterCards,
  type LawName,
  type Metric,
  type MetricFactory,
} from "../../src/metrics/index.js";
import { lawBroken, metricContract } from "../../src/testing/index.js";

const cases = Number(process.env["RANKPROOF_LAW_RUNS"] ?? 100);

/** A metric of a user's own. */
const topHeavy = defineMetric({
  name: "TopHeavy",
  question: "Is the first hit better than what follows?",
  formula: "grade of the first hit / top grade",
  edges: "Nothing returned: 0.",
  agreesWith: "nothing",
  paper: "made up for this test",
  cutoff: "none",
  parameters: { top: { default: 4, minimum: 1, maximum: 9, meaning: "the top grade" } },
  range: [0, 1],
  higherIsBetter: true,
  score:
    ({ top }) =>
    ({ hits: { ranks, grades } }) =>
      ranks[0] === 1 ? (grades[0] as number) / top : 0,
});

/** A few metrics of every kind. */
function metricsOf(factory: MetricFactory): Metric[] {
  const { cutoff } = factory.definition;
  const cutoffs = {
    required: [1, 3, 10],
    optional: [undefined, 1, 4],
    none: [undefined],
    "recall level": [0, 0.3, 1],
  }[cutoff];
  const cards = parameterCards(factory.definition);
  const settings = [
    {},
    ...("rel" in cards ? [{ rel: 2 }] : []),
    ...("dcg" in cards
      ? [
          { dcg: "exp-log2" },
          {
            gains: [
              [1, 1],
              [2, 5],
              [3, 7],
              [4, 8],
            ] as const,
          },
        ]
      : []),
    ...("relative" in cards ? [{ relative: true }] : []),
  ];
  return cutoffs.flatMap((at) =>
    settings.map((parameters) =>
      factory({
        ...(at === undefined ? {} : { cutoff: at }),
        // The grades of the laws go up to 4.
        parameters: { ...parameters, ...("max" in cards && { max: 4 }) },
      }),
    ),
  );
}

const factories = [...metricCatalog, topHeavy];

for (const factory of factories)
  for (const metric of metricsOf(factory)) metricContract(metric, { describe, it, expect }, { cases });

describe("the list without grades of 0", () => {
  const grade = fc.constantFrom(0, 0, 0.5, 1, 2, 3);
  /** A grade for each hit, null for an unjudged one, and the grades of what was not found. */
  const rankings = fc
    .tuple(fc.array(fc.option(grade), { maxLength: 12 }), fc.array(grade, { maxLength: 6 }))
    .map(([hits, missed]) => {
      const found = hits.flatMap((given, index) => (given === null ? [] : [[index + 1, given] as const]));
      const grades = found.map(([, given]) => given);
      return judgeRanking(
        found.map(([rank]) => rank),
        grades,
        [...grades, ...missed],
        hits.length,
      );
    });
  const metrics = metricCatalog
    .flatMap(metricsOf)
    .filter(({ definition }) => definition.needs !== "subtopics");

  it("saves time, and changes no bit of any score", () => {
    fc.assert(
      fc.property(rankings, (judged) => {
        const hits = { ...judged.hits, positive: undefined };
        const whole = { ...judged, hits, finds: hits, earned: hits };
        for (const { name, score } of metrics) expect([name, score(judged)]).toEqual([name, score(whole)]);
      }),
      { numRuns: cases },
    );
  });
});

// Some laws are broken by one ranking in ten thousand; the deep suite has the time to find it.
if (cases >= 1000) {
  describe("exemptions from laws", () => {
    const exempt = factories.flatMap((factory) =>
      Object.keys(factory.definition.exempt ?? {}).map((law) => ({
        factory,
        name: factory.definition.name,
        law: law as LawName,
      })),
    );

    it.each(exempt)(
      "$name: $law is broken by some ranking, or the exemption would hide a mistake",
      ({ factory, law }) => {
        expect(
          metricsOf(factory).some((metric) => lawBroken(metric, law, { cases: 100_000, seed: 5 }) !== null),
        ).toBe(true);
      },
    );
  });
}
