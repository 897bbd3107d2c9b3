import { checkSeed, wholeNumber } from "../foundation/checks/index.js";
import { boundsOf, expectScore } from "../evaluate/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { LawName, Metric } from "../metrics/index.js";
import { seededRandom } from "../foundation/numbers/index.js";
import { judgeRanking, metricDepth, type JudgedRanking } from "../metrics/index.js";
import { linearScore, quotient } from "../metrics/internal.js";
import type { TestRunner } from "./test-runner.js";

/** A small world: judged items, and a ranking of some of them and of unjudged items. */
interface World {
  /** Grades of the judged items by subtopic; the item's own grade is the highest. */
  readonly items: readonly (readonly number[])[];
  /** What stands at each rank: the number of an item, or -1 for an unjudged one. */
  readonly order: readonly number[];
}

const UNJUDGED = -1;
const MOST_ITEMS = 8;
const MOST_HITS = 12;
const SUBTOPICS = 4;
const TOP_GRADE = 4;
/** Sums of a few doubles differ by no more than this when their order does. */
const ROUNDING = 1e-12;
/** Products of many doubles by no more than this. */
const LOOSE = 1e-9;

function randomWorld(random: () => number): World {
  const below = (limit: number): number => Math.floor(random() * limit);
  const items = Array.from({ length: below(MOST_ITEMS + 1) }, () =>
    Array.from({ length: SUBTOPICS }, () => (random() < 0.4 ? 0 : below(TOP_GRADE + 1))),
  );
  const free = items.map((_, item) => item);
  const order = Array.from({ length: below(MOST_HITS + 1) }, () =>
    free.length > 0 && random() < 0.6 ? (free.splice(below(free.length), 1)[0] as number) : UNJUDGED,
  );
  return { items, order };
}

const gradeOf = (grades: readonly number[]): number => Math.max(...grades);

function rankingOf({ items, order }: World): JudgedRanking {
  const judged = order.flatMap((item, index) => (item === UNJUDGED ? [] : [{ item, rank: index + 1 }]));
  const ranks = judged.map(({ rank }) => rank);
  const documents = items.map((grades) => grades.map((grade, subtopic) => [subtopic, grade] as const));
  return {
    ...judgeRanking(
      ranks,
      judged.map(({ item }) => gradeOf(items[item] as readonly number[])),
      items.map(gradeOf),
      order.length,
    ),
    subtopics: { documents, ranks, found: judged.map(({ item }) => item) },
  };
}

/**
 * Whether one item (or an unjudged one) is at least as good as another in everything, and better in
 * something.
 */
function isBetter({ items }: World, a: number, b: number): boolean {
  const grades = (item: number): readonly number[] =>
    items[item] ?? Array.from({ length: SUBTOPICS }, () => 0);
  return (
    grades(a).every((grade, subtopic) => grade >= (grades(b)[subtopic] as number)) &&
    gradeOf(grades(a)) > gradeOf(grades(b))
  );
}

/** Whether the second score is at least as good as the first. */
function isNoWorse({ definition }: Metric, [before, after]: readonly [number, number]): boolean {
  if (typeof before !== "number" || typeof after !== "number") return false;
  return definition.higherIsBetter ? before <= after + ROUNDING : after <= before + ROUNDING;
}

/** A metric that looks at rankings gives one of so many another score. */
const MOST_ALIKE = 200;

/** A law, and what breaks it in a world; null when nothing does. */
interface MetricLaw {
  readonly name: LawName;
  counterexample(metric: Metric, world: World, random: () => number): string | null;
}

function printWorld({ items, order }: World): string {
  return order
    .map((item) => (item === UNJUDGED ? "-" : (items[item] as readonly number[]).join("/")))
    .join(" ");
}

function printChange(before: World, after: World, scores: readonly [number, number]): string {
  return `[${printWorld(before)}] scores ${scores[0]}, [${printWorld(after)}] scores ${scores[1]}`;
}

const laws: readonly MetricLaw[] = [
  {
    name: "within its range",
    counterexample(metric, world) {
      const score = metric.score(rankingOf(world));
      const [low, high] = metric.definition.range;
      return score >= (low ?? -Infinity) - ROUNDING && score <= (high ?? Infinity) + ROUNDING
        ? null
        : `[${printWorld(world)}] scores ${score}`;
    },
  },
  {
    name: "ideal attains the maximum",
    counterexample(metric, world) {
      const best = world.items
        .map((_, item) => item)
        .sort(
          (a, b) =>
            gradeOf(world.items[b] as readonly number[]) - gradeOf(world.items[a] as readonly number[]),
        );
      const ideal = { ...world, order: world.order.map((_, index) => best[index] ?? UNJUDGED) };
      const scores = [metric.score(rankingOf(world)), metric.score(rankingOf(ideal))] as const;
      return isNoWorse(metric, scores) ? null : printChange(world, ideal, scores);
    },
  },
  {
    name: "swapping a better item upwards never lowers it",
    counterexample(metric, world, random) {
      if (world.order.length < 2) return null;
      const upper = Math.floor(random() * (world.order.length - 1));
      const lower = upper + 1 + Math.floor(random() * (world.order.length - upper - 1));
      const [a, b] = [world.order[upper] as number, world.order[lower] as number];
      if (!isBetter(world, b, a)) return null;
      const swapped = {
        ...world,
        order: world.order.map((item, index) => (index === upper ? b : index === lower ? a : item)),
      };
      const scores = [metric.score(rankingOf(world)), metric.score(rankingOf(swapped))] as const;
      return isNoWorse(metric, scores) ? null : printChange(world, swapped, scores);
    },
  },
  {
    name: "what is below the cutoff does not matter",
    counterexample(metric, world) {
      const depth = metricDepth(metric);
      if (depth === Infinity) return null;
      const cut = { ...world, order: world.order.slice(0, depth) };
      const scores = [metric.score(rankingOf(world)), metric.score(rankingOf(cut))] as const;
      return Object.is(scores[0], scores[1]) ? null : printChange(world, cut, scores);
    },
  },
  {
    name: "an unjudged item at the end changes nothing",
    counterexample(metric, world) {
      const longer = { ...world, order: [...world.order, UNJUDGED] };
      const scores = [metric.score(rankingOf(world)), metric.score(rankingOf(longer))] as const;
      return Math.abs(scores[0] - scores[1]) <= ROUNDING ? null : printChange(world, longer, scores);
    },
  },
  {
    name: "not all rankings score the same",
    counterexample(metric, world, random) {
      const first = metric.score(rankingOf(world));
      for (let at = 0; at < MOST_ALIKE; at++)
        if (metric.score(rankingOf(randomWorld(random))) !== first) return null;
      return `[${printWorld(world)}] scores ${first}, as ${MOST_ALIKE} others do`;
    },
  },
];

/** How {@link metricContract} looks for counterexamples. */
export interface MetricContractOptions {
  /** Random rankings per law; 100 unless given. */
  readonly cases?: number | undefined;
  readonly seed?: number | undefined;
}

/**
 * What a metric makes of a ranking that it scores otherwise when it is asked again, or changes: other metrics
 * are given the same one. Null where it does neither.
 */
function unsteadyOn(metric: Metric, world: World): string | null {
  const ranking = rankingOf(world);
  const before = JSON.stringify(ranking);
  const first = metric.score(ranking);
  if (JSON.stringify(ranking) !== before) return `[${printWorld(world)}] is changed`;
  const again = [metric.score(ranking), metric.score(rankingOf(world))].find(
    (score) => !Object.is(score, first),
  );
  return again === undefined ? null : printChange(world, world, [first, again]);
}

/** What a metric makes of a ranking in its several ways, where these differ; null where they do not. */
function findDivision({ score, fraction, linear }: Metric, world: World): string | null {
  const ranking = rankingOf(world);
  const own = score(ranking);
  const ways = { fraction: fraction && quotient(fraction), linear: linear && linearScore(linear) };
  for (const [way, scoreBy] of Object.entries(ways)) {
    if (scoreBy === undefined) continue;
    const other = scoreBy(ranking);
    if (!(Math.abs(other - own) <= ROUNDING * Math.max(1, Math.abs(own))))
      return `[${printWorld(world)}] scores ${own}, and ${other} by \`${way}\``;
  }
  return null;
}

/** What leads out of the bounds that a metric promises, once some unjudged hits in view have grades. */
function findUnbounded(metric: Metric, world: World, random: () => number): string | null {
  const ranking = rankingOf(world);
  const bounds = boundsOf(metric, TOP_GRADE)?.(ranking);
  if (bounds === undefined) return null;
  const items = [...world.items];
  const share = random();
  const order = world.order.map((item, at) => {
    if (item !== UNJUDGED || at >= metricDepth(metric) || random() < share) return item;
    const grade = Math.floor(random() * (TOP_GRADE + 1));
    return items.push(Array.from({ length: SUBTOPICS }, () => grade)) - 1;
  });
  const judged = { items, order };
  const score = metric.score(rankingOf(judged));
  const slack = ROUNDING * Math.max(1, Math.abs(score));
  return score >= bounds.low - slack && score <= bounds.high + slack
    ? null
    : printChange(world, judged, [metric.score(ranking), score]);
}

/** Hits of tied groups, one behind the other: of 144 orders or 120. */
const TIED = [[4, 3], [5]] as const;

/** What a metric makes of tied hits that is not the mean over their orders; null where it is. */
function findUnexpected(metric: Metric, world: World, random: () => number): string | null {
  const sizes = TIED[random() < 0.5 ? 0 : 1];
  const { length } = world.order;
  const free = length - sizes.reduce((sum, size) => sum + size, 0);
  let from = Math.floor(random() * Math.max(1, free + 1));
  const groups = sizes.map((size) => {
    const group = { from, to: Math.min(length, from + size) };
    from = group.to;
    return group;
  });
  const ranking = rankingOf(world);
  const ranks = Array.from(ranking.hits.ranks);
  const groupOf = (rank: number) => groups.find((group) => rank > group.from && rank <= group.to);
  const tied = {
    first: ranks.map((rank) => (groupOf(rank)?.from ?? rank - 1) + 1),
    last: ranks.map((rank) => groupOf(rank)?.to ?? rank),
  };
  const orders = groups.reduce<readonly (readonly number[])[]>(
    (all, group) =>
      all.flatMap((order) =>
        ordersOf(order.slice(group.from, group.to)).map((moved) =>
          order.toSpliced(group.from, moved.length, ...moved),
        ),
      ),
    [world.order],
  );
  const scores = orders.map((order) => metric.score(rankingOf({ ...world, order })));
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const expected = expectScore(metric)({ ...ranking, tied });
  if (Math.abs(expected - mean) <= LOOSE * Math.max(1, Math.abs(mean))) return null;
  const places = groups.map((group) => `${group.from + 1} to ${group.to}`).join(", ");
  return `[${printWorld(world)}] scores ${mean} over the orders of ranks ${places}, ${expected} as expected`;
}

function ordersOf(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** What no metric can be that has such a card; null for one that is sound. */
function unsoundCard({ definition, linear }: Metric): string | null {
  const { cutoff, edges, bounds, parameters } = definition;
  const wrong = Object.entries(parameters).find(
    ([, { default: usual, minimum = -Infinity, maximum = Infinity, oneOf }]) =>
      (typeof usual === "number" && !(usual >= minimum && usual <= maximum)) ||
      (typeof usual === "string" && oneOf?.includes(usual) !== true),
  );
  if (wrong !== undefined) return `the default of ${quote(wrong[0])} is none of its values`;
  const words = Object.values(parameters).flatMap(({ oneOf = [] }) => oneOf);
  const unread = words.find((word) => !/^[^\s,()=@]+$/.test(word));
  if (unread !== undefined) return `${quote(unread)} cannot be read back from the name of a metric`;
  if (!CUTOFFS.includes(cutoff)) return `cutoff must be one of ${CUTOFFS.join(", ")}, got ${quote(cutoff)}`;
  if (bounds !== undefined && !BOUNDS.includes(bounds))
    return `bounds must be one of ${BOUNDS.join(", ")}, got ${quote(bounds)}`;
  if (bounds === "normalized gain" && linear === undefined) return "bounds of normalized gain need `linear`";
  return typeof edges === "string" && edges !== "" ? null : "edges must say what comes out at the edges";
}

const CUTOFFS: readonly string[] = ["required", "optional", "none", "recall level"];
const BOUNDS: readonly string[] = ["rising", "counted", "normalized gain"];

/**
 * Holds a metric to the laws that its card does not exempt it from, on random small rankings. None is exempt
 * from giving a ranking the same score whenever it is asked, and leaving it as it was.
 */
export function metricContract(
  metric: Metric,
  { describe, it, expect }: Pick<TestRunner, "describe" | "it" | "expect">,
  { cases = 100, seed = 1 }: MetricContractOptions = {},
): void {
  describe(`${metric.name} keeps the laws of metrics`, () => {
    it("has a sound card", async () => {
      expect(unsoundCard(metric)).toEqual(null);
      await Promise.resolve();
    });
    it("scores a ranking the same each time, and leaves it as it was", async () => {
      expect(firstCounterexample(cases, seed, (world) => unsteadyOn(metric, world))).toEqual(null);
      await Promise.resolve();
    });
    it("scores a ranking the same in each of its ways", async () => {
      expect(firstCounterexample(cases, seed, (world) => findDivision(metric, world))).toEqual(null);
      await Promise.resolve();
    });
    if (metric.definition.bounds !== undefined)
      it("stays within its bounds, whatever grades unjudged hits in view get", async () => {
        const find = (world: World, random: () => number): string | null =>
          findUnbounded(metric, world, random);
        expect(firstCounterexample(cases, seed, find)).toEqual(null);
        await Promise.resolve();
      });
    if (metric.expected !== undefined || metric.linear !== undefined)
      it("scores tied hits by the mean over their orders, where that is asked for", async () => {
        const find = (world: World, random: () => number): string | null =>
          findUnexpected(metric, world, random);
        expect(firstCounterexample(cases, seed, find)).toEqual(null);
        await Promise.resolve();
      });
    for (const law of laws.filter(({ name }) => metric.definition.exempt?.[name] === undefined)) {
      it(law.name, async () => {
        expect(counterexample(metric, law, cases, seed)).toEqual(null);
        await Promise.resolve();
      });
    }
  });
}

/** The first ranking among some that breaks a law of metrics; null when none does. */
export function lawBroken(
  metric: Metric,
  name: LawName,
  { cases = 100, seed = 1 }: MetricContractOptions = {},
): string | null {
  const law = laws.find((each) => each.name === name);
  if (law === undefined)
    throw new InputError(
      "ARGUMENT",
      `there is no law ${quote(name)}; there are ${laws.map((each) => quote(each.name)).join(", ")}`,
    );
  return counterexample(metric, law, cases, seed);
}

function counterexample(metric: Metric, law: MetricLaw, cases: number, seed: number): string | null {
  return firstCounterexample(cases, seed, (world, random) => law.counterexample(metric, world, random));
}

/** What is said of the first of some random worlds. */
function firstCounterexample(
  cases: number,
  seed: number,
  find: (world: World, random: () => number) => string | null,
): string | null {
  wholeNumber("cases", cases);
  const random = seededRandom(checkSeed(seed));
  for (let i = 0; i < cases; i++) {
    const found = find(randomWorld(random), random);
    if (found !== null) return found;
  }
  return null;
}
