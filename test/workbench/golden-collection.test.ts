import { describe, expect, it } from "vitest";
import type { ChunkRecord, EvalRun, GoldenSet } from "../../src/records/index.js";
import { memoryStore } from "../../src/storage/index.js";
import { GoldenCollection, overviewOf, type ComparedBy } from "../../src/workbench/index.js";
import { aRun } from "../support/records.js";

const IDS = Array.from({ length: 10 }, (_, at) => `q${at}`);
const lines = (start: number) => [{ kind: "line" as const, start, end: start + 9 }];

/** A run whose chunkers number alike: `d#0` lies at other lines for each. */
function numbered(run_id: string, version: string, offset: number, found = IDS.length): EvalRun {
  return aRun({
    run_id,
    created_at: `2026-05-0${version.slice(1)}T00:00:00Z`,
    config_snapshot: { chunker_version: version },
    results: IDS.map((query_id, at) => ({
      query_id,
      hits_top_k:
        at < found ? [{ chunk_id: `d#${at}`, doc_id: "d", source_spans: lines(offset + 10 * at) }] : [],
    })),
  });
}

async function collectionOf(
  golden: Partial<GoldenSet>,
  runs: readonly EvalRun[],
  corpus: readonly ChunkRecord[] = [],
  comparedBy?: ComparedBy,
): Promise<GoldenCollection> {
  const store = memoryStore();
  if (corpus.length > 0) await store.saveChunks(corpus);
  for (const run of runs) await store.saveRun(run);
  const queries = IDS.map((id, at) => ({ id, query: id, expected_chunk_ids: [`d#${at}`] }));
  return new GoldenCollection({
    id: "golden",
    golden: async () => ({ ...golden, queries }) as GoldenSet,
    stamps: () => ({ golden: "1", runs: "1" }),
    hasRuns: () => true,
    inStore: (work) => work(store),
    ...(comparedBy && { comparedBy: () => comparedBy }),
  });
}

/** The means of the list, with what the list of queries and a comparison say of the same run. */
async function meansOf(collection: GoldenCollection): Promise<Record<string, readonly (number | null)[]>> {
  const all = await collection.batches();
  const means: Record<string, readonly (number | null)[]> = {};
  for (const { id, mean } of all) {
    const { rows } = await collection.rows(id, null);
    means[id] = [mean, rows.reduce((sum, { score }) => sum + (score ?? 0), 0) / rows.length];
  }
  return means;
}

describe("the overview", () => {
  it("has the figures of the queries that its headline speaks of", async () => {
    const failed = numbered("a", "v1", 1);
    const results = failed.results.map((each, at) =>
      at < 6 ? { ...each, hits_top_k: [], error: "status 500" } : each,
    );
    const whole = { ...numbered("b", "v1", 1), created_at: "2026-05-09T00:00:00Z" };
    const collection = await collectionOf({}, [{ ...failed, results }, whole], [], {
      statistics: { maxFailedShare: 0.6 },
    });
    expect((await overviewOf(collection)).verdict).toMatchObject({
      headline: expect.stringMatching(/^Over the 4 queries that the baseline answered: /) as string,
      ...{ mean_a: 1, mean_b: 1, difference: 0 },
      ...{ improved: 0, equal: 4, worse: 0 },
    });
  });
});

describe("runs of a golden set in the workbench", () => {
  it("by the chunker of the golden set are what the others are matched with", async () => {
    const runs = [numbered("own", "v1", 1), numbered("other", "v2", 501), numbered("half", "v3", 1, 5)];
    expect(await meansOf(await collectionOf({ chunker_version: "v1" }, runs))).toEqual({
      own: [1, 1],
      other: [0, 0],
      half: [0.5, 0.5],
    });
  });
  it("of a golden set that names no chunker do not vote on what it means", async () => {
    const runs = [numbered("one", "v1", 1), numbered("two", "v2", 501, 9)];
    expect(await meansOf(await collectionOf({}, runs))).toEqual({ one: [1, 1], two: [0.9, 0.9] });
  });
  it("do not take the place of what the knowledge base says", async () => {
    const corpus = IDS.map((_, at) => ({
      chunk_id: `d#${at}`,
      doc_id: "d",
      doc_path: "d.md",
      source_spans: lines(1 + 10 * at),
      chunker_version: "v1",
    }));
    const runs = [numbered("one", "v1", 1), numbered("two", "v2", 501)];
    const collection = await collectionOf({}, runs, corpus);
    expect(await meansOf(collection)).toEqual({ one: [1, 1], two: [0, 0] });
    const { runs: compared } = await collection.comparison("one", "two");
    expect(compared.map(({ means }) => means["MRR@10"])).toEqual([1, 0]);
  });
  it("are matched by their ids where the only other chunker is that of another golden set", async () => {
    const own = numbered("own", "v1", 1);
    const elsewhere = own.results.map((result) => ({ ...result, query_id: `other-${result.query_id}` }));
    // Half of its chunk lies in what is expected.
    const sliding = {
      ...own,
      results: own.results.map(({ query_id }, at) => ({
        query_id,
        hits_top_k: [{ chunk_id: `d#${at + 1}`, doc_id: "d", source_spans: lines(6 + 10 * at) }],
      })),
    };
    const foreign = { ...numbered("foreign", "v2", 1), results: elsewhere };
    const means = await meansOf(await collectionOf({ chunker_version: "v1" }, [sliding, foreign]));
    expect(means).toEqual({ own: [0, 0] });
  });
});
