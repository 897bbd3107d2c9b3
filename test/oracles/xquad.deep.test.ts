import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore, readGolden } from "../../src/node/index.js";
import { aggregateStoredRun, compareStoredRuns } from "../../src/runs/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const RUNS = ["run_fts_para", "run_fts_porter", "run_fts_raw", "run_fts_win", "run_hash_para"];

function withoutRemarks(expected: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(expected).filter(([key]) => !key.startsWith("_")));
}

describe.each(["xquad-en", "xquad-zh"])(
  "%s, values computed independently with exact fractions",
  async (collection) => {
    const folder = oracle(collection);
    if (folder === null) {
      it.skip(WITHOUT_ORACLES, () => undefined);
      return;
    }
    const golden = await readGolden(join(folder, "golden.yaml"));
    const expected = (name: string): Record<string, unknown> =>
      JSON.parse(readFileSync(join(folder, "expected", `${name}.json`), "utf8")) as Record<string, unknown>;

    it.each(RUNS)("aggregate of %s", async (run) => {
      const store = await openStore(join(folder, "kb.sqlite"));
      const aggregate = await aggregateStoredRun(store, run, golden, { write: false });
      const { _support: support, ...values } = expected(`aggregate.${run}`) as {
        _support: Record<string, number>;
      };
      expect(aggregate).toMatchObject(values);
      expect(aggregate.support).toMatchObject({
        hit_at_k: support["chunk"],
        recall_at_k_doc: support["doc"],
        groundedness: support["groundedness"],
        citation_coverage: support["citation_coverage"],
        refusal_correctness: support["refusal_correctness"],
      });
    });

    it.each(RUNS.slice(1))("comparison of run_fts_para with %s", async (run) => {
      const store = await openStore(join(folder, "kb.sqlite"));
      const report = await compareStoredRuns(store, "run_fts_para", run, golden);
      const { aggregate_a, aggregate_b, deltas, per_query, _counts } = expected(
        `compare.run_fts_para.${run}`,
      ) as Record<string, Record<string, unknown>>;
      expect(report.aggregate_a).toMatchObject(withoutRemarks(aggregate_a ?? {}));
      expect(report.aggregate_b).toMatchObject(withoutRemarks(aggregate_b ?? {}));
      expect(report.deltas).toMatchObject(deltas ?? {});
      expect(report.counts).toEqual({ win: 0, loss: 0, regression: 0, draw: 0, ..._counts });
      expect(
        report.per_query.map(({ query_id, kind, a_hit_rank, b_hit_rank }) => ({
          query_id,
          kind,
          a_hit_rank,
          b_hit_rank,
        })),
      ).toEqual(per_query);
      expect(report.fallback_queries).toBe(0);
    });

    it(
      "comparison across chunkers when the old chunks are gone: the same, but for chunks that no hit " +
        "carries",
      async () => {
        const store = await openStore(join(folder, "kb-rechunked.sqlite"));
        const report = await compareStoredRuns(store, "run_fts_para", "run_fts_win", golden);
        const carried = new Set(
          (await store.loadRun("run_fts_para"))?.results.flatMap(({ hits_top_k }) =>
            hits_top_k.map(({ chunk_id }) => chunk_id),
          ),
        );
        const unplaced = new Set(
          golden.queries
            .filter(({ expected_chunk_ids = [] }) => expected_chunk_ids.some((id) => !carried.has(id)))
            .map(({ id }) => id),
        );
        const { per_query } = expected("compare.run_fts_para.run_fts_win") as unknown as {
          per_query: { query_id: string }[];
        };
        const placed = report.per_query
          .filter(({ query_id }) => !unplaced.has(query_id))
          .map(({ query_id, kind, a_hit_rank, b_hit_rank }) => ({ query_id, kind, a_hit_rank, b_hit_rank }));
        expect(placed).toEqual(per_query.filter(({ query_id }) => !unplaced.has(query_id)));
        expect(
          report.per_query
            .filter(({ note }) => note?.includes("spans unknown, matched by document"))
            .map(({ query_id }) => query_id),
        ).toEqual([...unplaced]);
        expect(report.fallback_queries).toBe(unplaced.size);
        expect(report.warnings.some(({ code }) => code === "SPANS_UNKNOWN")).toBe(unplaced.size > 0);
      },
    );
  },
);
