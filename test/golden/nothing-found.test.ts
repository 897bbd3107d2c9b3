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
  it("is told from one whose ids are only written otherwise, in one query or in all", () => {
    const written = (ofHit: (id: string) => string, isMissed = true) => {
      const queries = ids.map((id) => query(id, { expected_doc_ids: [`é-${id}`.normalize("NFC")] }));
      const run = aRun({
        results: ids.map((id) => {
          const doc =
            id === "q2" || !isMissed ? ofHit(`é-${id}`.normalize("NFC")) : `é-${id}`.normalize("NFC");
          return result(id, [{ ...hit("c"), doc_id: doc }]);
        }),
      });
      return computeAggregate(run, queries)
        .warnings.filter(({ code }) => code !== "DOCUMENTS_ONLY")
        .map(({ code, count }) => [code, count]);
    };
    expect(written((id) => id.normalize("NFD"))).toEqual([["NEAR_IDS", 1]]);
    expect(written((id) => ` ${id}`)).toEqual([["NEAR_IDS", 1]]);
    expect(written((id) => id.normalize("NFD"), false)).toEqual([["NEAR_IDS", 5]]);
    expect(written((id) => id)).toEqual([]);
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
