import { describe, expect, it } from "vitest";
import { tuneFusion } from "../../src/fusion-tuning/index.js";
import { TopSweep, rightScores } from "../../src/fusion-tuning/top-sweep.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { rankByScore } from "../../src/fusion/index.js";

describe("the weights of four runs", () => {
  // From equal weights alone the search would end at 0.5102, 0.4595 and 0.6564.
  it.each([
    [5, 0.568],
    [11, 0.5617],
    [26, 0.7346],
  ])("are searched from runs alone, too: %d", (seed, maximum) => {
    const random = seededRandom(seed);
    const ids = Array.from({ length: 8 }, (_, at) => `d${at}`);
    const queries = ["q1", "q2", "q3"];
    const qrels = new Map(
      queries.map((query) => [query, new Map(ids.map((id) => [id, random() < 0.3 ? 1 : 0]))]),
    );
    const runs = Array.from(
      { length: 4 },
      () =>
        new Map(
          queries.map((query) => [
            query,
            rankByScore(
              ids,
              ids.map(() => random()),
            ),
          ]),
        ),
    );
    const { searched } = tuneFusion(runs, qrels, "nDCG@3", { validation: { kind: "leave_one_out" } }).report;
    expect(searched[0]?.maximum).toBe(maximum);
  });
});

it("of items that come in at one place the one that was higher comes first, then the next", () => {
  // u falls so steeply that rounding has all others overtake it at 0.5; a is above b until 0.8.
  const ids = ["u", "b", "a"];
  const sweep = new TopSweep(
    Float64Array.of(1e17, 1, 5),
    rightScores(Float64Array.of(-1e17, 4, 3), ids),
    ids,
    1,
  );
  const tops = [ids[sweep.order[0] as number]];
  while (sweep.next()) {
    sweep.swap();
    tops.push(ids[sweep.order[0] as number]);
  }
  expect(tops).toEqual(["u", "a", "b"]);
});
