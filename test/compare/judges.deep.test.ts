import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { compareSystems, type GradesByQuery } from "../../src/index.js";
import { correctedMean, pairedTTest } from "../../src/stats/index.js";
import { showProof, tries } from "../support/proof.js";

const [QUERIES, LABELLED, ITEMS, DEPTH] = [200, 40, 24, 5];
const SEED = 20_261_124;
const GRADES = [0, 0, 0, 1, 1, 2, 3];

/** What a judge sees of an item. */
interface Seen {
  readonly grade: number;
  readonly isLong: boolean;
  readonly hasQueryWords: boolean;
  readonly isEarly: boolean;
  readonly isInB: boolean;
}

const cut = (grade: number): number => Math.max(0, Math.min(3, grade));
const JUDGES: Readonly<Record<string, (seen: Seen) => number>> = {
  length: ({ grade, isLong }) => cut(grade + (isLong ? 2 : 0)),
  position: ({ grade, isEarly }) => cut(grade + (isEarly ? 1 : -1)),
  "query words": ({ grade, hasQueryWords }) => (hasQueryWords ? 3 : grade),
  "its own family": ({ grade, isInB }) => cut(grade + (isInB ? 2 : 0)),
  generous: ({ grade }) => cut(grade + 2),
};

/** Two rankings of each query, and what people and the judge say of all items. */
interface World {
  readonly a: readonly (readonly number[])[];
  readonly b: readonly (readonly number[])[];
  readonly people: readonly (readonly number[])[];
  readonly model: readonly (readonly number[])[];
}

/**
 * Both systems rank by grade, by noise and by two things that have nothing to do with the grade: b by those
 * that defective judges like, a by two others. So neither is better but for the lift.
 */
function worldsOf(lift: number, seed: number): Map<string, World> {
  const random = seededRandom(seed);
  // Nearly normal, with a deviation of 1.
  const noise = (): number => 2 * (random() + random() + random() - 1.5);
  const [a, b, people]: [number[][], number[][], number[][]] = [[], [], []];
  const models = Object.entries(JUDGES).map(([name, judge]) => ({ name, judge, model: [] as number[][] }));
  for (let query = 0; query < QUERIES; query++) {
    const grades = Array.from(
      { length: ITEMS },
      () => GRADES[Math.floor(random() * GRADES.length)] as number,
    );
    const chance = (share: number): boolean[] => grades.map(() => random() < share);
    const [long, words, heavy, rare] = [chance(0.5), chance(0.3), chance(0.5), chance(0.3)];
    const ranked = (taste: readonly (readonly boolean[])[], weight: number): number[] => {
      const liked = (at: number): number => taste.filter((each) => each[at] === true).length;
      const scores = grades.map((grade, at) => weight * grade + liked(at) + 2.5 * noise());
      return [...grades.keys()].sort((x, y) => (scores[y] as number) - (scores[x] as number));
    };
    const ofB = ranked([long, words], 1 + lift);
    const head = new Set(ofB.slice(0, DEPTH));
    a.push(ranked([heavy, rare], 1));
    b.push(ofB);
    people.push(grades);
    for (const { judge, model } of models)
      model.push(
        grades.map((grade, at) =>
          judge({
            grade,
            isLong: long[at] === true,
            hasQueryWords: words[at] === true,
            isEarly: at < ITEMS / 2,
            isInB: head.has(at),
          }),
        ),
      );
  }
  return new Map(models.map(({ name, model }) => [name, { a, b, people, model }]));
}

/** The difference of the mean grade of the first hits, by query. */
function differences({ a, b }: World, grades: World["people"]): number[] {
  const mean = (order: readonly number[], of: readonly number[]): number =>
    order.slice(0, DEPTH).reduce((sum, at) => sum + (of[at] as number), 0) / DEPTH;
  return grades.map((of, query) => mean(b[query] ?? [], of) - mean(a[query] ?? [], of));
}

function decided(given: World): {
  readonly corrected: boolean;
  readonly people: boolean;
  readonly raw: boolean;
} {
  const [human, model] = [differences(given, given.people), differences(given, given.model)];
  const found = correctedMean({
    human: human.slice(0, LABELLED),
    model: model.slice(0, LABELLED),
    modelOnly: model.slice(LABELLED),
  });
  const isBetter = (p: number, by: number): boolean => p < 0.05 && by > 0;
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  return {
    corrected: found !== null && isBetter(found.p, found.estimate),
    people: isBetter(pairedTTest(human.slice(0, LABELLED)).p, sum(human.slice(0, LABELLED))),
    raw: isBetter(pairedTTest(model).p, sum(model)),
  };
}

/** What the whole comparison says. */
function verdict({ a, b, people, model }: World): string {
  const run = (orders: World["a"]): Map<string, Map<string, number>> =>
    new Map(orders.map((order, at) => [`q${at}`, new Map(order.map((item, rank) => [`d${item}`, -rank]))]));
  const grades = (all: World["people"], most: number): GradesByQuery =>
    new Map(
      all.slice(0, most).map((of, at) => [`q${at}`, new Map(of.map((grade, item) => [`d${item}`, grade]))]),
    );
  const byModel = grades(model, QUERIES);
  const found = compareSystems(
    [
      { name: "a", run: run(a) },
      { name: "b", run: run(b) },
    ],
    byModel,
    ["AvgGrade@5"],
    {
      permutations: 100,
      resamples: 100,
      margin: 0,
      labels: {
        labeler: "judge",
        counts: { people: LABELLED * ITEMS, model: (QUERIES - LABELLED) * ITEMS },
        byPeople: grades(people, LABELLED),
        byModel,
        sample: {
          frame: new Map([...byModel.keys()].map((id) => [id, "all"])),
          drawn: new Set([...byModel.keys()].slice(0, LABELLED)),
        },
      },
    },
  );
  return found.comparisons[0]?.verdict.kind ?? "";
}

/** About 0.8 standard deviations of the differences between queries. */
const LIFT = 0.85;

interface Counts {
  corrected: number;
  people: number;
  raw: number;
}

/** By judge: the share of comparisons that come to `better`. */
function sharesOf(lift: number, comparisons: number): Map<string, Counts> {
  const shares = new Map(Object.keys(JUDGES).map((name) => [name, { corrected: 0, people: 0, raw: 0 }]));
  for (let at = 0; at < comparisons; at++)
    for (const [name, world] of worldsOf(lift, SEED + at)) {
      const [found, share] = [decided(world), shares.get(name) as Counts];
      for (const key of ["corrected", "people", "raw"] as const)
        if (found[key]) share[key] += 1 / comparisons;
    }
  return shares;
}

describe("judges with a defect: length, position, query words, its own family, generous", () => {
  const comparisons = tries(1000);

  it("buy no better verdict", () => {
    for (const [name, share] of sharesOf(0, comparisons)) {
      showProof(`${name}, ${comparisons} comparisons without a true difference: better`, { ...share });
      expect(share.corrected, name).toBeLessThanOrEqual(0.05);
    }
  });

  it("take none away, where there is a true difference", () => {
    for (const [name, share] of sharesOf(LIFT, comparisons)) {
      showProof(`${name}, ${comparisons} comparisons with a true difference: better`, { ...share });
      expect(share.corrected, name).toBeGreaterThanOrEqual(share.people - 0.02);
    }
  });

  it("are told by whole comparisons as by their numbers", () => {
    for (let at = 0; at < 10; at++)
      for (const lift of [0, LIFT])
        for (const world of worldsOf(lift, SEED + at).values())
          expect(verdict(world) === "better").toBe(decided(world).corrected);
  });
});
