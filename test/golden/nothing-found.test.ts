import { describe, expect, it } from "vitest";
import { computeAggregate } from "../../src/index.js";
import { aRun, hit, query, result } from "../support/records.js";

const ids = ["q1", "q2", "q3", "q4", "q5"];
const golden = ids.map((id) => query(id, { expected_doc_ids: [`${id}.md`] }));
const warned = (hits: (id: string) => string[], queries = golden): string[] =>
  computeAggregate(
    aRun({
      results: ids.map((id) =>
        result(
          id,
          hits(id).map((each) => ({ ...hit(each), doc_id: each })),
        ),
      ),
    }),
    queries,
  )
    .warnings.filter(({ code }) => code === "NOTHING_FOUND")
    .map(({ message }) => message);

describe("a run that finds nothing that is expected", () => {
  it("is warned about, with an id of each kind", () => {
    expect(warned((id) => [`${id}.md#1`])).toEqual([
      "nothing that is expected is among the hits of any of 5 queries; do the ids agree? `q1` " +
        "expects `q1.md`, " +
        "and its first hit is `q1.md#1`",
    ]);
  });
  it("is not where anything was found, nothing came back, or a few queries say little", () => {
    expect(warned((id) => [id === "q3" ? "q3.md" : "other"])).toEqual([]);
    expect(warned(() => [])).toEqual([]);
    expect(warned(() => ["other"], golden.slice(0, 4))).toEqual([]);
    expect(
      warned(
        () => ["other"],
        ids.map((id) => query(id)),
      ),
    ).toEqual([]);
  });
});
