import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  labelingQueue,
  ownAgreement,
  raterId,
  standingAssessments,
  type Assessment,
  type LabelingQueueOptions,
  type PairToLabel,
  type Rater,
} from "../../src/label/index.js";
import { LAW_RUNS, shuffled } from "../support/arbitraries.js";

const RATERS: readonly Rater[] = ["Ada", "Ben", "__proto__"].map((name) => ({ kind: "human", name }));
const QUERIES = ["q", "__proto__", "constructor", "질문", "two words"];
const ITEMS = ["a", "b", "__proto__", "a\nb", "", "10", "9", "🙂", "\uffff"];
const ALL: readonly PairToLabel[] = QUERIES.flatMap((query) => ITEMS.map((item) => ({ query, item })));

/** A history of judgments, some of them taken back or of pairs that came again. */
const history: fc.Arbitrary<Assessment[]> = fc
  .array(
    fc.record({
      pair: fc.constantFrom(...ALL),
      rater: fc.constantFrom(...RATERS),
      outcome: fc.constantFrom(
        "graded" as const,
        "graded" as const,
        "cannot_tell" as const,
        "withdrawn" as const,
      ),
      grade: fc.integer({ min: 0, max: 3 }),
      isRepeat: fc.boolean(),
    }),
    { maxLength: 80 },
  )
  .map((acts) =>
    acts.map(({ pair, rater, outcome, grade, isRepeat }, at) => ({
      tenant: "default",
      ...pair,
      outcome,
      grade: outcome === "graded" ? grade : null,
      rater,
      vote: 1,
      at: new Date(at * 1000).toISOString(),
      ...(isRepeat && { is_repeat: true }),
    })),
  );
const asked = fc.record({
  pairs: fc.subarray([...ALL]),
  said: history,
  rater: fc.constantFrom(...RATERS),
  options: fc.record({
    seed: fc.integer({ min: 0, max: 5 }),
    repeats: fc.constantFrom(0, 0.05, 0.5, 1),
    overlap: fc.constantFrom(0, 0.1, 0.5, 1),
  }),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const keyOf = ({ query, item }: PairToLabel): string => JSON.stringify([query, item]);
const check = (law: (given: Asked) => void): void => fc.assert(fc.property(asked, law), LAW_RUNS);
const queued = ({ pairs, said, rater, options }: Asked, more: LabelingQueueOptions = {}) =>
  labelingQueue(pairs, said, rater, { ...options, ...more });
const ofRater = (said: readonly Assessment[], rater: Rater): Assessment[] =>
  standingAssessments(said).filter((each) => raterId(each.rater) === raterId(rater));

describe("a labeling queue", () => {
  it("is the same for the pairs in any order", () => {
    fc.assert(
      fc.property(
        asked.chain((given) => shuffled(given.pairs).map((pairs) => [given, { ...given, pairs }] as const)),
        ([given, other]) => {
          expect(queued(other)).toEqual(queued(given));
        },
      ),
      LAW_RUNS,
    );
  });

  it("is the same for what was said in any order", () => {
    fc.assert(
      fc.property(
        asked.chain((given) => shuffled(given.said).map((said) => [given, { ...given, said }] as const)),
        ([given, other]) => {
          expect(queued(other)).toEqual(queued(given));
        },
      ),
      LAW_RUNS,
    );
  });

  it("lists the first so many, and counts all", () => {
    fc.assert(
      fc.property(asked, fc.nat({ max: 30 }), (given, most) => {
        const whole = queued(given);
        expect(queued(given, { most })).toEqual({ ...whole, pairs: whole.pairs.slice(0, most) });
        expect(whole.left).toBe(whole.pairs.length);
      }),
      LAW_RUNS,
    );
  });

  it("has no pair twice", () => {
    check((given) => {
      const keys = queued(given).pairs.map(keyOf);
      expect(new Set(keys).size).toBe(keys.length);
    });
  });

  it(
    "asks for new pairs among those that are given, and for repeats among those that the rater " + "graded",
    () => {
      check((given) => {
        const known = new Set(given.pairs.map(keyOf));
        const own = new Set(
          ofRater(given.said, given.rater)
            .filter(({ grade }) => grade !== null)
            .map(keyOf),
        );
        for (const pair of queued(given).pairs)
          expect((pair.isRepeat ? own : known).has(keyOf(pair))).toBe(true);
      });
    },
  );

  it("asks for nothing new that the rater has judged", () => {
    check((given) => {
      const own = new Set(ofRater(given.said, given.rater).map(keyOf));
      expect(queued(given).pairs.filter((pair) => !pair.isRepeat && own.has(keyOf(pair)))).toEqual([]);
    });
  });

  it("asks for everything that nobody has judged", () => {
    check((given) => {
      const judged = new Set(standingAssessments(given.said).map(keyOf));
      const left = new Set(queued(given).pairs.map(keyOf));
      expect(given.pairs.filter((pair) => !judged.has(keyOf(pair)) && !left.has(keyOf(pair)))).toEqual([]);
    });
  });

  it("asks for nothing that another has judged, where nothing is shared", () => {
    check((given) => {
      const judged = new Set(standingAssessments(given.said).map(keyOf));
      const fresh = queued(given, { overlap: 0 }).pairs.filter(({ isRepeat }) => !isRepeat);
      expect(fresh.filter((pair) => judged.has(keyOf(pair)))).toEqual([]);
    });
  });

  it("asks for more the more is shared", () => {
    check((given) => {
      const keys = (overlap: number): string[] => queued(given, { overlap, repeats: 0 }).pairs.map(keyOf);
      const more = new Set(keys(0.6));
      expect(keys(0.3).filter((key) => !more.has(key))).toEqual([]);
    });
  });

  it("repeats no pair a second time, and none of the rater's last 20", () => {
    check((given) => {
      const repeated = new Set(
        given.said
          .filter((each) => each["is_repeat"] === true && raterId(each.rater) === raterId(given.rater))
          .map(keyOf),
      );
      const latest = new Set(
        ofRater(given.said, given.rater)
          .sort((a, b) => (a.at < b.at ? -1 : 1))
          .slice(-20)
          .map(keyOf),
      );
      const again = queued(given, { repeats: 1 }).pairs.filter(({ isRepeat }) => isRepeat);
      expect(again.filter((pair) => repeated.has(keyOf(pair)) || latest.has(keyOf(pair)))).toEqual([]);
    });
  });

  it("keeps the order of the new pairs when one of them is judged", () => {
    check((given) => {
      const before = queued(given, { repeats: 0 }).pairs;
      const [first] = before;
      if (first === undefined) return;
      const judged: Assessment = {
        tenant: "default",
        query: first.query,
        item: first.item,
        outcome: "graded",
        grade: 2,
        rater: given.rater,
        vote: 1,
        at: "2030-01-01T00:00:00.000Z",
      };
      const after = queued({ ...given, said: [...given.said, judged] }, { repeats: 0 }).pairs;
      expect(after.map(keyOf)).toEqual(before.slice(1).map(keyOf));
    });
  });

  it("is as it was when a judgment is taken back", () => {
    check((given) => {
      const before = queued(given, { repeats: 0 });
      const [first] = before.pairs;
      if (first === undefined) return;
      const act = (outcome: "graded" | "withdrawn", at: string): Assessment => ({
        tenant: "default",
        query: first.query,
        item: first.item,
        outcome,
        grade: outcome === "graded" ? 1 : null,
        rater: given.rater,
        vote: 1,
        at,
      });
      const acts = [act("graded", "2030-01-01T00:00:00.000Z"), act("withdrawn", "2030-01-01T00:00:01.000Z")];
      expect(queued({ ...given, said: [...given.said, ...acts] }, { repeats: 0 })).toEqual(before);
    });
  });

  it("counts what the rater says, and lists it by time", () => {
    check((given) => {
      const { done, said } = queued(given);
      const own = ofRater(given.said, given.rater);
      expect(done).toBe(own.length);
      expect(said).toEqual([...own].sort((a, b) => (a.at < b.at ? -1 : 1)));
    });
  });
});

describe("the agreement of a rater with the own grades", () => {
  it("is null below 30 pairs, and a number of -1 to 1 from there", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 60 }), (grades) => {
        const [rater] = RATERS as [Rater];
        const said = grades.flatMap(([first, second], at) =>
          [first, second].map((grade, turn): Assessment => ({
            tenant: "default",
            query: "q",
            item: String(at),
            outcome: "graded",
            grade,
            rater,
            vote: 1,
            at: new Date((at + 1000 * turn) * 1000).toISOString(),
            ...(turn === 1 && { is_repeat: true }),
          })),
        );
        const { kappa, pairs } = ownAgreement(said, rater);
        expect(pairs).toBe(grades.length);
        if (pairs < 30) expect(kappa).toBeNull();
        else if (kappa !== null) expect(Math.abs(kappa)).toBeLessThanOrEqual(1);
        if (
          pairs >= 30 &&
          grades.every(([first, second]) => first === second) &&
          new Set(grades.map(String)).size > 1
        )
          expect(kappa).toBe(1);
      }),
      LAW_RUNS,
    );
  });
});
