import { describe, expect, it } from "vitest";
import { fuse, parseTrainedFusion, trainedFusionCatalog, trainFusion } from "../../src/fusion/index.js";
import { evaluate } from "../../src/evaluate/index.js";
import { tuneFusion } from "../../src/fusion-tuning/index.js";
import { fusionTuningSchema } from "../../src/records/schema/index.js";
import { failure } from "../support/failure.js";
import { present } from "../support/present.js";
import { madeSearch } from "./searches.js";

const names = trainedFusionCatalog.map(({ definition }) => definition.name);

describe("tuning of methods that learn", () => {
  it.each(names)(
    "%s: scores each query with what the others taught, and no judgment of its own",
    (method) => {
      const { a, b, qrels } = madeSearch(21, 12, "better");
      const { report } = tuneFusion([a, b], qrels, "nDCG@10", { search: [{ method }] });
      expect(fusionTuningSchema.parse(report)).toEqual(report);
      for (const { query_id, held_out } of report.per_query) {
        const others = new Map([...qrels].filter(([id]) => id !== query_id));
        const taught = trainFusion(parseTrainedFusion(method), [a, b], others);
        const fused = fuse([a, b], { method: taught });
        expect(evaluate(fused, qrels, ["nDCG@10"]).score(query_id, "nDCG@10")).toBeCloseTo(
          present(held_out),
          12,
        );
      }
    },
  );

  it("says of pure noise that it is not better", () => {
    const { a, b, qrels } = madeSearch(22, 40, "noise");
    const search = names.map((method) => ({ method }));
    const { report } = tuneFusion([a, b], qrels, "nDCG@10", { search });
    expect(report.verdict.kind).not.toBe("better");
    expect(report.searched).toHaveLength(names.length);
  });

  it("does not take what a method scores on its own teachers for what it is worth", () => {
    const { a, b, qrels } = madeSearch(23, 20, "noise");
    const { report } = tuneFusion([a, b], qrels, "AP", { search: [{ method: "posfuse" }] });
    // What it seems to score on all queries, and what it is chosen by.
    expect(report.chosen.mean).toBeGreaterThan(report.searched[0]?.maximum ?? 1);
  });

  it("lets wordings of one intent teach each other nothing", () => {
    // Five wordings of each of 12 intents; every wording has the runs and judgments of its intent.
    const { a, b, qrels } = madeSearch(25, 12, "noise");
    const worded = <T>(of: ReadonlyMap<string, T>): Map<string, T> =>
      new Map(
        [...of].flatMap(([id, value]) => ["v", "w", "x", "y", "z"].map((word) => [`${word}-${id}`, value])),
      );
    const groups = new Map([...worded(qrels).keys()].map((id) => [id, id.slice(2)]));
    const search = [{ method: "posfuse" }];
    const alone = tuneFusion([a, b], qrels, "AP", { search }).report;
    const five = tuneFusion([worded(a), worded(b)], worded(qrels), "AP", { search, groups }).report;
    // What is learned of five equal wordings is what one teaches.
    expect(five.searched[0]?.maximum).toBeCloseTo(alone.searched[0]?.maximum ?? NaN, 3);
    expect(five.chosen.mean - (five.searched[0]?.maximum ?? 1)).toBeGreaterThan(0.02);
  });

  it("refuses one as the current setting", () => {
    const { a, b, qrels } = madeSearch(24, 5, "equal");
    const current = { method: "probfuse" };
    expect(failure(() => tuneFusion([a, b], qrels, "nDCG@10", { current })).message).toMatch(
      /has to learn first/,
    );
  });
});
