import { describe, expect, it } from "vitest";
import { rankByScore } from "../../src/fusion/index.js";
import { prepareQrels } from "../../src/records/qrels.js";
import type { ScoredRun } from "../../src/records/scored-run.js";
import { checkCurve, readOracle, searched, type Case } from "./oracle.js";

describe("the curve of fusion weights", () => {
  const { collections } = readOracle("collections.json") as {
    collections: {
      name: string;
      queries: Record<
        string,
        { qrels: Record<string, number>; a: [string, number][]; b: [string, number][] }
      >;
    }[];
  };
  const { cases } = readOracle("expected.json") as { cases: Case[] };

  it("has every made-up collection", () => {
    expect(cases.length).toBe(192);
  });

  it.each(collections.map(({ name, queries }) => ({ name, queries })))(
    "of $name is exact",
    ({ name, queries }) => {
      const run = (side: "a" | "b"): ScoredRun =>
        new Map(
          Object.entries(queries).map(([id, query]) => [
            id,
            rankByScore(
              query[side].map(([item]) => item),
              query[side].map(([, score]) => score),
            ),
          ]),
        );
      const qrels = prepareQrels(
        new Map(
          Object.entries(queries)
            .filter(([, query]) => Object.keys(query.qrels).length > 0)
            .map(([id, query]) => [id, new Map(Object.entries(query.qrels))]),
        ),
      );
      const order = Object.keys(queries).filter((id) => qrels.queries.has(id));
      for (const one of cases.filter(({ collection }) => collection === name))
        try {
          checkCurve(searched(run("a"), run("b"), qrels, one), one, order, 5);
        } catch (error) {
          throw new Error(`${name}, ${one.normalizer}, ${one.metric}: ${String(error)}`, { cause: error });
        }
    },
  );
});
