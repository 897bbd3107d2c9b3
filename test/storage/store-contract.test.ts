import { describe, expect, it } from "vitest";
import { AdapterError } from "../../src/foundation/errors/index.js";
import type { EvalRun } from "../../src/records/index.js";
import { memoryStore, type EvalStore } from "../../src/storage/index.js";
import { storeContract } from "../../src/testing/index.js";

/** The tests of a contract that a store does not pass. */
async function failing(makeStore: () => EvalStore): Promise<string[]> {
  const tests: [string, () => Promise<void>][] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void>) => void tests.push([name, body]),
    expect,
  };
  storeContract(runner, "a store", async () => makeStore());
  const failed: string[] = [];
  for (const [name, body] of tests)
    await body().catch(() => {
      failed.push(name);
    });
  return failed;
}

const withHits = (
  run: EvalRun,
  change: (hits: EvalRun["results"][0]["hits_top_k"]) => typeof hits,
): EvalRun => ({
  ...run,
  results: run.results.map((result) => ({ ...result, hits_top_k: change(result.hits_top_k) })),
});

/** A store with a mistake, over one without. */
function spoilt(mistake: (right: EvalStore) => Partial<EvalStore>): () => EvalStore {
  return () => {
    const right = memoryStore();
    return { ...right, ...mistake(right) };
  };
}

describe("the contract of stores finds", () => {
  it("nothing in a store that is right", async () => expect(await failing(memoryStore)).toEqual([]));
  it.each<[string, (right: EvalStore) => Partial<EvalStore>]>([
    [
      "hits that are cut",
      (right) => ({
        saveRun: (run, options) =>
          right.saveRun(
            withHits(run, (hits) => hits.slice(0, 10)),
            options,
          ),
      }),
    ],
    [
      "hits that are sorted",
      (right) => ({
        saveRun: (run, options) =>
          right.saveRun(
            withHits(run, (hits) => hits.toReversed()),
            options,
          ),
      }),
    ],
    ["ids without regard to capitals", (right) => ({ loadRun: (id) => right.loadRun(id.toLowerCase()) })],
    ["ids that are trimmed", (right) => ({ loadRun: (id) => right.loadRun(id.trim()) })],
    ["ids that are normalized", (right) => ({ loadRun: (id) => right.loadRun(id.normalize("NFC")) })],
    [
      "a refused run that takes the old one with it",
      (right) => ({
        async saveRun(run, options = {}) {
          if (options.replace === true) await right.deleteRun(run.run_id);
          await right.saveRun(run, options);
        },
      }),
    ],
    [
      "results of the old run beside those of the new one",
      (right) => ({
        async saveRun(run, options = {}) {
          const before = options.replace === true ? await right.loadRun(run.run_id) : null;
          const known = new Set(run.results.map(({ query_id }) => query_id));
          const kept = before?.results.filter(({ query_id }) => !known.has(query_id)) ?? [];
          await right.saveRun({ ...run, results: [...run.results, ...kept] }, options);
        },
      }),
    ],
    [
      "fields of the old run within the new one",
      (right) => ({
        async saveRun(run, options = {}) {
          const before = await right.loadRun(run.run_id);
          await right.saveRun(options.replace === true ? { ...before, ...run } : run, options);
        },
      }),
    ],
    [
      "an aggregate that outlives its run",
      (right) => {
        const kept = new Map<string, Parameters<EvalStore["writeAggregate"]>[1]>();
        return {
          writeAggregate: (id, aggregate) => (kept.set(id, aggregate), right.writeAggregate(id, aggregate)),
          async saveRun(run, options = {}) {
            await right.saveRun(run, options);
            const old = options.replace === true ? undefined : kept.get(run.run_id);
            if (old !== undefined) await right.writeAggregate(run.run_id, old);
          },
        };
      },
    ],
    [
      "an aggregate that is merged into the one before",
      (right) => ({
        async writeAggregate(id, aggregate) {
          const before = await right.loadAggregate(id);
          const metrics = { ...before?.metrics, ...aggregate.metrics };
          return right.writeAggregate(id, before === null ? aggregate : { ...aggregate, metrics });
        },
      }),
    ],
    [
      "documents that are looked for in lists alone",
      (right) => ({
        findKnownDocuments: (ids) => right.findKnownDocuments(Array.isArray(ids) ? (ids as string[]) : []),
      }),
    ],
    [
      "the archive of a run that was refused",
      (right) => ({
        async saveRun(run, options = {}) {
          await right.saveRun({ ...run, run_id: "\u2063", results: [] }, { ...options, replace: true });
          await right.deleteRun("\u2063");
          await right.saveRun(run, options);
        },
      }),
    ],
    [
      "no archive of a run that replaces another",
      (right) => ({
        saveRun: (run, options = {}) =>
          right.saveRun(run, options.replace === true ? { replace: true } : options),
      }),
    ],
    [
      "the first aggregate of a run for good",
      (right) => ({
        writeAggregate: async (id, aggregate) =>
          (await right.loadAggregate(id)) !== null || right.writeAggregate(id, aggregate),
      }),
    ],
    [
      "runs that a new knowledge base takes with it",
      (right) => ({
        async saveChunks(chunks) {
          await right.saveChunks(chunks);
          for (const { run_id } of await right.listRuns()) await right.deleteRun(run_id);
        },
      }),
    ],
    [
      "a knowledge base that nothing cannot replace",
      (right) => ({
        async saveChunks(chunks) {
          const all = [...chunks];
          if (all.length > 0) await right.saveChunks(all);
        },
      }),
    ],
    [
      "two runs of a name at once",
      (right) => ({
        async saveRun(run, options = {}) {
          const isThere = (await right.loadRun(run.run_id)) !== null;
          await right.saveRun(run, isThere ? options : { ...options, replace: true });
        },
      }),
    ],
    [
      "runs that forget that they were cut short",
      (right) => ({
        async loadRun(id) {
          const run = await right.loadRun(id);
          return run && { ...run, incomplete: undefined };
        },
      }),
    ],
    [
      "an archive that counts as the knowledge base",
      (right) => ({
        hasCorpus: async () =>
          (await right.hasCorpus()) || (await right.findArchivedChunks(["c1"])).length > 0,
      }),
    ],
    [
      "runs by the order of a language",
      (right) => ({
        listRuns: async () =>
          (await right.listRuns()).toSorted(
            (a, b) => a.created_at.localeCompare(b.created_at) || a.run_id.localeCompare(b.run_id, "en"),
          ),
      }),
    ],
    [
      "no more documents than a query takes at once",
      (right) => ({ findKnownDocuments: (ids) => right.findKnownDocuments([...ids].slice(0, 999)) }),
    ],
    [
      "chunks by their ids as documents",
      (right) => ({
        findKnownDocuments: async (ids) =>
          new Set([
            ...(await right.findKnownDocuments(ids)),
            ...(await right.findChunks({ chunkIds: ids })).map(({ chunk_id }) => chunk_id),
          ]),
      }),
    ],
    [
      "calls that a closed store still takes",
      (right) => {
        let isClosed = false;
        const unlessClosed = async <T>(call: () => Promise<T>): Promise<T> => {
          if (isClosed) throw new AdapterError("STORE_CLOSED", "closed");
          return call();
        };
        return {
          close: async () => void (isClosed = true),
          loadRun: (id) => unlessClosed(() => right.loadRun(id)),
          saveRun: (run, options) => unlessClosed(() => right.saveRun(run, options)),
        };
      },
    ],
  ])("%s", async (_, mistake) => expect(await failing(spoilt(mistake))).not.toEqual([]));
});
