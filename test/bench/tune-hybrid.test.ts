import { describe, expect, it } from "vitest";
import { runBench, standardSystems, type BenchFixture, type BenchSystem } from "../../src/bench/index.js";
import type { BenchReport } from "../../src/records/index.js";
import type { SearchHit } from "../../src/records/types/index.js";
import { madeSearch, type Quality } from "../fusion-tuning/searches.js";
import { present } from "../support/present.js";

const TOP_K = 5;

/** A fixture whose two searches are made up; `better` makes the second one the better. */
function searched(quality: Quality, cases = 40, topK: (at: number) => number = () => TOP_K) {
  const { a, b, qrels } = madeSearch(51, cases, quality);
  const fixture: BenchFixture = {
    name: "made",
    version: "1",
    description: "",
    digest: "0",
    unit: "chunk",
    chunker_version: "v1",
    chunks: [],
    cases: [...qrels].map(([case_id, grades], at) => ({
      case_id,
      query: `text of ${case_id}`,
      query_type: "exact",
      top_k: topK(at),
      grades,
    })),
    warnings: [],
  };
  const own = ([run, mode]: readonly [typeof a, string]): BenchSystem => ({
    mode,
    retriever: {
      search: async (_, { queryId = "", limit }) => {
        const { ids, scores } = present(run.get(queryId));
        return Promise.resolve(
          ids
            .slice(0, limit)
            .map((id, at): SearchHit => ({ chunk_id: id, doc_id: id, score: scores[at] ?? null })),
        );
      },
    },
  });
  const both = (
    [
      [a, "fts_only"],
      [b, "embedding_only"],
    ] as const
  ).map(own);
  return { fixture, qrels, own: both };
}

async function benched(quality: Quality, cases?: number): Promise<BenchReport> {
  const { fixture, own } = searched(quality, cases);
  const systems = await standardSystems(fixture, { own, tune: true });
  const options = { repeats: 1, warmUp: 0, now: () => 0, createdAt: "2026-11-23T00:00:00Z" };
  return (await runBench(fixture, systems, options)).report;
}

describe("a hybrid whose weights are tuned", () => {
  it("is a mode of its own, and the decision is by it", async () => {
    const report = await benched("better");
    expect(report.modes.map(({ mode }) => mode)).toEqual([
      "fts_only",
      "embedding_only",
      "hybrid",
      "hybrid_tuned",
    ]);
    const { description, fusion } = present(report.modes.at(-1));
    expect(description).toMatch(
      /weights that the other cases chose: mostly embedding_only at 0\.\d\d to 0\.\d\d/,
    );
    expect(fusion).toMatch(/^wsum\(weights=[\d.]+\/[\d.]+\) of (?:min-max|zmuv|rank) scores$/);
    expect(report.decision?.evidence.map(({ mode }) => mode)).toEqual(["hybrid_tuned", "embedding_only"]);
    expect(report.decision?.run).toBe("hybrid_tuned");
    expect(report.decision?.reasons.at(-1)).toContain("the weights that the other cases chose");
  });

  it("searches each case with what the others chose, whatever its own judgments are", async () => {
    const { fixture, own } = searched("equal", 12);
    const rankingOf = async (cases: BenchFixture["cases"]): Promise<readonly string[]> => {
      const systems = await standardSystems({ ...fixture, cases }, { own, tune: true });
      const { retriever } = present(systems.at(-1));
      const hits = await retriever.search("", { limit: 10, queryId: "q3" });
      return hits.map(({ chunk_id }) => chunk_id);
    };
    // What is relevant for the case itself is turned round; its ranking is not.
    const turned = fixture.cases.map((one) =>
      one.case_id === "q3"
        ? { ...one, grades: new Map([...one.grades].map(([id, grade]) => [id, 3 - grade])) }
        : one,
    );
    expect(await rankingOf(turned)).toEqual(await rankingOf(fixture.cases));
  });

  it("holds wordings of one intent out together", async () => {
    const { fixture, own } = searched("better", 4);
    const weightsWith = async (
      asked: string,
      change: (grades: ReadonlyMap<string, number>) => Map<string, number>,
    ) => {
      // Every intent is asked in two ways, with the same judgments.
      const cases = fixture.cases.flatMap((one) => {
        const grades = one.case_id === "q3" ? change(one.grades) : one.grades;
        return [
          { ...one, grades },
          { ...one, case_id: `${one.case_id} again`, query: `more ${one.query}`, grades },
        ];
      });
      const both = own.map(({ retriever, ...system }) => ({
        ...system,
        retriever: {
          search: async (query: string, options: Parameters<typeof retriever.search>[1]) =>
            retriever.search(query, { ...options, queryId: options.queryId?.replace(" again", "") }),
        },
      }));
      const systems = await standardSystems({ ...fixture, cases }, { own: both, tune: true });
      const hits = await present(systems.at(-1)).retriever.search("", { limit: 10, queryId: asked });
      return hits.map(({ chunk_id }) => chunk_id);
    };
    const turned = (grades: ReadonlyMap<string, number>): Map<string, number> =>
      new Map([...grades].map(([id, grade]) => [id, 3 - grade]));
    expect(await weightsWith("q3", turned)).toEqual(await weightsWith("q3", (grades) => new Map(grades)));
  });

  it("is not kept where both searches are noise", async () => {
    const report = await benched("noise");
    expect(report.decision?.outcome).not.toBe("keep_hybrid");
  });

  it("needs embeddings, two cases, and one cutoff", async () => {
    const { fixture, own } = searched("equal", 4);
    const tune = async (more: Partial<BenchFixture>, given = own) =>
      standardSystems({ ...fixture, ...more }, { own: given, tune: true });
    await expect(tune({}, own.slice(0, 1))).rejects.toThrow(/give a provider/);
    await expect(tune({ cases: fixture.cases.slice(0, 1) })).rejects.toThrow(/two cases/);
    const alike = fixture.cases.map((one) => ({ ...one, query: " Same  Words" }));
    await expect(tune({ cases: alike })).rejects.toThrow(/two intents or more/);
    const { cases } = searched("equal", 4, (at) => 3 + at).fixture;
    await expect(tune({ cases })).rejects.toThrow(/different cutoffs/);
  });
});
