import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { paperbotValues } from "../support/paperbot.js";

describe("paperbot", () => {
  const folder = oracle("interop-paperbot");
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const { cases } = paperbotValues(folder);

  it.each(cases)("$name", ({ judgments, ranked, k, relevant_threshold: rel, expected }) => {
    const names = {
      ndcg: `nDCG@${k.ndcg}`,
      mrr: `RR(rel=${rel})@${k.mrr}`,
      recall: `R(rel=${rel})@${k.recall}`,
    };
    const qrels = new Map([["q", new Map(Object.entries(judgments))]]);
    const { aggregates } = evaluate(new Map([["q", ranked]]), qrels, Object.values(names), {
      profile: "paperbot",
    });
    const [ndcg, mrr, recall] = aggregates.map(({ value }) => value);
    expect({ ndcg, mrr, recall }).toEqual({
      ndcg: expect.closeTo(expected.ndcg, 12) as number,
      mrr: expect.closeTo(expected.mrr, 12) as number,
      recall: expect.closeTo(expected.recall, 12) as number,
    });
  });
  it("its nDCG is the exponential one", () =>
    expect(
      evaluate(new Map(), new Map(), ["nDCG@10"], { profile: "paperbot" }).aggregates[0]?.metric.name,
    ).toBe(parseMetric("nDCG(dcg='exp-log2')@10").name));
});
