import { runInNewContext } from "node:vm";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { configDiff } from "../../src/compare/index.js";
import { AdapterError, isRankproofError } from "../../src/index.js";
import { recordRun, type RecordOptions } from "../../src/runs/index.js";
import { memoryStore, type EvalStore } from "../../src/storage/index.js";
import type { EvalRun, GivenWarning, SearchHit, Warning } from "../../src/records/index.js";
import { answer, aRun, hit, query } from "../support/records.js";

const golden = ["a", "b", "c", "d", "e", "f"].map((id) => query(id));
const options = (more: Partial<RecordOptions> = {}): RecordOptions => ({
  golden,
  runId: "r",
  config: { chunker_version: "v1" },
  retrieve: (text) => [hit(`${text}#1`)],
  now: () => Date.UTC(2026, 4, 1),
  ...more,
});
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function failureOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; details: Readonly<Record<string, unknown>> }> {
  try {
    await promise;
  } catch (error) {
    if (isRankproofError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("a typed array in a hit", () => {
  it("is recorded as a list, as in a configuration", async () => {
    const vector = { v: new Float32Array([1, 0.5]) };
    const { results } = await recordRun(
      options({ retrieve: (text) => [{ ...hit(`${text}#1`), ...vector }], config: vector }),
    );
    expect(results[0]?.hits_top_k[0]).toMatchObject({ v: [1, 0.5] });
    await expect(memoryStore().saveRun({ ...aRun({}), config_snapshot: vector })).rejects.toMatchObject({
      code: "RUN_SHAPE",
    });
  });
});

describe("secrets in the configuration", () => {
  const config = { model: "e5", api_key: "hunter2", headers: { Authorization: "Bearer hunter2hunter2" } };
  const record = async (store: EvalStore, more: Partial<RecordOptions> = {}) =>
    recordRun({ golden: [{ id: "q1", query: "x" }], runId: "r", config, store, retrieve: () => [], ...more });
  it("are not saved, which a warning says by their paths", async () => {
    const store = memoryStore();
    const warnings: Warning[] = [];
    await record(store, { onWarning: (warning) => warnings.push(warning) });
    expect(JSON.stringify(await store.loadRun("r"))).not.toContain("hunter2");
    expect((await store.loadRun("r"))?.config_snapshot).toEqual({
      model: "e5",
      api_key: "[redacted]",
      headers: { Authorization: "[redacted]" },
    });
    expect(warnings).toEqual([
      {
        code: "SECRETS_REDACTED",
        message:
          "config: `api_key`, `headers.Authorization` look like secrets and are recorded as " +
          "`[redacted]`; leave secrets out of `config`, it is for what a change is made of",
        count: 2,
      },
    ]);
  });
  it("a run that was saved with them can be resumed", async () => {
    const store = memoryStore();
    await store.saveRun({
      run_id: "r",
      suite: "s",
      created_at: "",
      config_snapshot: config,
      results: [],
      incomplete: true,
    });
    await record(store, { resume: true, onWarning: () => undefined });
    expect(JSON.stringify(await store.loadRun("r"))).not.toContain("hunter2");
  });
});

describe("recordRun", () => {
  it("asks for every query and keeps what came back, in golden order, whatever finishes first", async () => {
    const run = await recordRun(
      options({
        retrieve: async (text, { goldenQuery }) => (
          await after(goldenQuery.id === "a" ? 30 : 1),
          [hit(`${text}#1`), hit("x#1")]
        ),
        answer: (text, hits) => answer(`${text}: ${hits.length} hits`),
        mode: "lexical",
        suite: "s",
        commitHash: "abc",
      }),
    );
    expect(run).toMatchObject({
      run_id: "r",
      suite: "s",
      commit_hash: "abc",
      created_at: "2026-05-01T00:00:00.000Z",
      config_snapshot: { chunker_version: "v1" },
    });
    expect(run.results.map(({ query_id }) => query_id)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(run.results[0]).toMatchObject({
      mode: "lexical",
      hits_top_k: [
        { rank: 1, chunk_id: "text of a#1" },
        { rank: 2, chunk_id: "x#1" },
      ],
      answer: { answer: "text of a: 2 hits" },
      error: null,
    });
    expect(run.results[0]?.elapsed_ms).toBeGreaterThanOrEqual(29);
    expect(run).not.toHaveProperty("incomplete");
  });

  it("never asks for more queries at once than allowed", async () => {
    let active = 0;
    let most = 0;
    await recordRun(
      options({
        concurrency: 2,
        retrieve: async () => ((most = Math.max(most, ++active)), await after(5), active--, []),
      }),
    );
    expect(most).toBe(2);
    expect((await failureOf(recordRun(options({ concurrency: 0 })))).message).toBe(
      "concurrency must be a whole number from 1, got `0`",
    );
  });

  it("writes errors into the results: thrown, rejected, too late, or of the wrong shape", async () => {
    const run = await recordRun(
      options({
        timeoutMs: 20,
        retrieve: async (_, { goldenQuery: { id } }) => {
          if (id === "a") throw new Error("connection refused");
          if (id === "b") return Promise.reject(new TypeError("no"));
          if (id === "c") await after(200);
          if (id === "d") return [{ chunk_id: "x" }] as never;
          if (id === "e") return "nothing" as never;
          return [hit("kept#1")];
        },
        answer: (_, hits) => (hits.length > 0 ? ({ answer: "x" } as never) : null),
      }),
    );
    expect(run.results.map(({ error }) => error)).toEqual([
      "connection refused",
      "no",
      "no result within 20 ms",
      'hit 1 that retrieve returned: doc_id is missing; a hit is { chunk_id: "guide#3", doc_id: ' +
        '"guide" }, got ' +
        "an object with the key `chunk_id`",
      'retrieve must return a list of hits, such as [{ chunk_id: "guide#3", doc_id: "guide" }], ' +
        "got `nothing`",
      'the answer that answer returned: grounded is missing; an answer is { answer: "Hold the button.", ' +
        "grounded: true, citations: [] }, got an object with the key `answer`",
    ]);
    expect(run.results[5]?.hits_top_k).toHaveLength(1);
  });

  it("tells how far it is", async () => {
    const told: string[] = [];
    await recordRun(
      options({
        concurrency: 1,
        retrieve: (_, { goldenQuery: { id } }) => {
          if (id === "b") throw new Error("x");
          return [];
        },
        onProgress: ({ done, total, failed, query_id }) =>
          told.push(`${query_id} ${done}/${total} ${failed}`),
      }),
    );
    expect(told).toEqual(["a 1/6 0", "b 2/6 1", "c 3/6 1", "d 4/6 1", "e 5/6 1", "f 6/6 1"]);
  });

  it("is interrupted by what an asynchronous listener throws, too", async () => {
    const store = memoryStore();
    const deaf = options({
      store,
      onProgress: async () => {
        await Promise.resolve();
        throw new Error("no room on the page");
      },
    });
    await expect(recordRun(deaf)).rejects.toThrow("no room on the page");
    expect((await store.loadRun(deaf.runId))?.incomplete).toBe(true);
  });

  it("is stopped by its signal, whatever a listener does", async () => {
    const store = memoryStore();
    const stop = new AbortController();
    const given = options({
      store,
      signal: stop.signal,
      onProgress: () => {
        stop.abort(new Error("enough"));
        return new Promise(() => undefined);
      },
    });
    await expect(recordRun(given)).rejects.toMatchObject({ code: "RUN_INCOMPLETE" });
    expect((await store.loadRun(given.runId))?.results.length).toBeGreaterThan(0);
  });

  it("counts one by one where several are asked at a time", async () => {
    const done: number[] = [];
    await recordRun(options({ concurrency: 4, onProgress: (progress) => done.push(progress.done) }));
    expect(done).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("stops when told to, keeps what it has, and goes on from there without asking again", async () => {
    const store = memoryStore();
    const stop = new AbortController();
    const asked: string[] = [];
    const stuck = options({
      store,
      concurrency: 2,
      signal: stop.signal,
      retrieve: async (_, { goldenQuery: { id } }) => {
        asked.push(id);
        // Does not heed the signal.
        if (id === "d") {
          stop.abort(new Error("Ctrl-C"));
          await new Promise(() => undefined);
        }
        await after(1);
        return [hit(`${id}#1`)];
      },
    });
    const failure = await failureOf(recordRun(stuck));
    expect(failure).toMatchObject({ code: "RUN_INCOMPLETE" });
    expect(failure.message).toMatch(
      /^run `r` was interrupted after \d of 6 queries; record it again with `resume` \(--resume\) to go on$/,
    );
    const partial = await store.loadRun("r");
    expect(partial).toMatchObject({ incomplete: true });
    expect((failure.details["run"] as EvalRun).results).toEqual(partial?.results);
    expect(partial?.results.every(({ error }) => error === null)).toBe(true);

    const before = new Set(partial?.results.map(({ query_id }) => query_id));
    asked.length = 0;
    const whole = await recordRun({
      ...options({ store, resume: true }),
      retrieve: (_, { goldenQuery: { id } }) => (asked.push(id), [hit(`${id}#1`)]),
    });
    // One that was answered, whether it is still answered so, and then what is missing.
    expect(asked).toEqual(["a", ...golden.map(({ id }) => id).filter((id) => !before.has(id))]);
    expect(whole.results).toHaveLength(6);
    expect(whole).not.toHaveProperty("incomplete");
    expect(await store.loadRun("r")).toEqual(whole);
    expect(
      await recordRun({
        ...options({ store, resume: true }),
        retrieve: () => Promise.reject(new Error("asked again")),
      }),
    ).toEqual(whole);
  });

  it("says that the search has changed since, by a query that was answered", async () => {
    const begun = async (): Promise<EvalStore> => {
      const store = memoryStore();
      await recordRun(options({ store, golden: golden.slice(0, 3), retrieve: (text) => twoHits(text) }));
      return store;
    };
    const twoHits = (text: string): SearchHit[] => [hit(`${text}#1`), hit(`${text}#2`)];
    const told = async (retrieve: RecordOptions["retrieve"], more: Partial<RecordOptions> = {}) => {
      const onWarning = vi.fn<(warning: GivenWarning) => void>();
      const store = await begun();
      const run = await recordRun(
        options({ store, resume: true, stopAfterFailures: Infinity, retrieve, onWarning, ...more }),
      );
      expect(run.results[0]?.hits_top_k.map(({ chunk_id }) => chunk_id)).toEqual([
        "text of a#1",
        "text of a#2",
      ]);
      return onWarning.mock.calls.map(([warning]) => warning);
    };
    const message =
      "`r` goes on with 3 results, but the search has changed since: query `a`, asked again, finds other " +
      "hits, or in another order. Record it anew, unless the search never answers twice alike";
    const changed = [{ code: "RUN_OF_TWO_STATES", message, count: 3 }];
    expect(await told((text) => twoHits(text))).toEqual([]);
    expect(await told((text) => twoHits(text).map((each) => ({ ...each, score: 1 / 3 })))).toEqual([]);
    expect(await told((text) => twoHits(text).reverse())).toEqual(changed);
    expect(await told((text) => [hit(`${text}#1`)])).toEqual(changed);
    // It cannot be told, or nothing is asked that could be of another state.
    expect(await told(() => Promise.reject(new Error("down")))).toEqual([]);
    expect(await told(() => [], { golden: golden.slice(0, 3) })).toEqual([]);
  });

  it("can be stopped also when the system never waits", async () => {
    const stop = new AbortController();
    // Like a signal, the end of a read is heard only when timers leave it a turn.
    void readFile(fileURLToPath(import.meta.url)).then(() => stop.abort(new Error("Ctrl-C")));
    const many = Array.from({ length: 200 }, (_, index) => query(`q${index}`));
    const busy = (): [] => {
      for (const end = performance.now() + 5; performance.now() < end;);
      return [];
    };
    expect(
      (await failureOf(recordRun(options({ golden: many, retrieve: busy, signal: stop.signal })))).code,
    ).toBe("RUN_INCOMPLETE");
  });

  it("saves as it goes, so that a killed process loses little", async () => {
    const store = memoryStore();
    const seen: number[] = [];
    await recordRun(
      options({
        store,
        concurrency: 1,
        checkpointEvery: 2,
        retrieve: async () => (
          seen.push((await store.loadRun("r"))?.results.length ?? 0),
          await after(100),
          []
        ),
      }),
    );
    // The first answer at once: what comes after it goes on with this run, not with one before.
    expect(seen).toEqual([0, 1, 1, 3, 3, 5]);
  });

  it("waits for ever for no system that answers in pairs", async () => {
    const store = memoryStore();
    let waiting: (() => void)[] = [];
    const saved: number[] = [];
    const run = await recordRun(
      options({
        store: {
          ...store,
          saveRun: (saving, ...rest) => (saved.push(saving.results.length), store.saveRun(saving, ...rest)),
        },
        concurrency: 3,
        golden: Array.from({ length: 8 }, (_, n) => query(`q${n}`)),
        checkpointEvery: 4,
        retrieve: () =>
          new Promise((resolve) => {
            waiting.push(() => resolve([]));
            if (waiting.length < 2) return;
            for (const answer of waiting) answer();
            waiting = [];
          }),
      }),
    );
    expect(run.results).toHaveLength(8);
    expect(saved[0]).toBeLessThan(4);
  });

  it("saves every 30 s where answers are slow", async () => {
    const store = memoryStore();
    const clock = vi.spyOn(performance, "now");
    const seen: number[] = [];
    let now = 0;
    clock.mockImplementation(() => now);
    const retrieve = async (): Promise<[]> => {
      seen.push((await store.loadRun("r"))?.results.length ?? 0);
      now += 20_000;
      return [];
    };
    await recordRun(options({ store, concurrency: 1, retrieve })).finally(() => clock.mockRestore());
    expect(seen).toEqual([0, 1, 1, 3, 3, 5]);
  });

  it("does not record over a run, nor go on with one of another configuration", async () => {
    const store = memoryStore();
    await recordRun(options({ store }));
    expect((await failureOf(recordRun(options({ store })))).message).toBe(
      "run `r` is in the store already; choose another id, or say `resume` or `replace` (--resume, " +
        "--replace)",
    );
    expect(
      (await failureOf(recordRun(options({ store, resume: true, config: { chunker_version: "v2" } }))))
        .message,
    ).toBe(
      "run `r` was recorded with another configuration (chunker_version), so it cannot go on with " +
        "this one; choose another id",
    );
    expect(
      (await recordRun(options({ store, replace: true, config: { chunker_version: "v2" } }))).config_snapshot,
    ).toEqual({ chunker_version: "v2" });
  });

  it("asks again for what failed, if told to, and leaves the rest", async () => {
    const store = memoryStore();
    await recordRun(
      options({
        store,
        retrieve: (_, { goldenQuery: { id } }) => {
          if (id === "b") throw new Error("outage");
          return [];
        },
      }),
    );
    const asked: string[] = [];
    const again = options({
      store,
      resume: true,
      retrieve: (_, { goldenQuery: { id } }) => (asked.push(id), [hit("d#1")]),
    });
    expect((await recordRun(again)).results[1]?.error).toBe("outage");
    expect((await recordRun({ ...again, retryFailed: true })).results[1]).toMatchObject({
      query_id: "b",
      error: null,
    });
    expect(asked).toEqual(["b"]);
  });

  it("lists all stale ids before the first query, where the store has a knowledge base", async () => {
    const store = memoryStore();
    const stale = [
      query("a", { expected_doc_ids: ["d1", "gone"], expected_chunk_ids: ["d1#1", "d1#old"] }),
      query("b", { expected_chunk_ids: ["d2#old"] }),
    ];
    const never = options({
      store,
      golden: stale,
      retrieve: (text) => Promise.reject(new Error(text)),
      stopAfterFailures: Infinity,
    });
    await recordRun({ ...never, runId: "no corpus" });
    await store.saveChunks([{ chunk_id: "d1#1", doc_id: "d1" }]);
    expect(await failureOf(recordRun(never))).toMatchObject({
      code: "GOLDEN_STALE_IDS",
      message: [
        "query `a`: expected_doc_ids has `gone`, which the knowledge base does not have",
        "query `a`: expected_chunk_ids has `d1#old`, which the knowledge base does not have",
        "query `b`: expected_chunk_ids has `d2#old`, which the knowledge base does not have",
        "3 stale ids; fix the golden set, or index the documents again",
      ].join("\n"),
    });
    expect((await recordRun({ ...never, staleIds: "ignore" })).results).toHaveLength(2);
  });

  it("waits for its gate where it has one, until it is saved without", async () => {
    const store = memoryStore();
    const abort = new AbortController();
    const golden = [query("a"), query("b")];
    const retrieve = (text: string): [] => (text === "text of b" && abort.abort(), []);
    await expect(
      recordRun(options({ store, golden, awaitsGate: true, concurrency: 1, retrieve, signal: abort.signal })),
    ).rejects.toMatchObject({ code: "RUN_INCOMPLETE" });
    const stored = async () => store.loadRun(options({}).runId);
    expect(await stored()).not.toHaveProperty("gate_pending");
    expect(await recordRun(options({ store, golden, awaitsGate: true, resume: true }))).toMatchObject({
      gate_pending: true,
    });
    // A recording that goes on takes nothing back.
    await recordRun(options({ store, golden: [...golden, query("c")], resume: true }));
    expect(await stored()).toMatchObject({ gate_pending: true });
  });
  it(
    "goes on with a golden set that has changed: new and reworded queries are asked, results of " +
      "others are kept",
    async () => {
      const store = memoryStore();
      await recordRun(
        options({ store, golden: [query("a"), query("b"), query("gone")], suite: "s", commitHash: "abc" }),
      );
      const asked: string[] = [];
      const run = await recordRun(
        options({
          store,
          resume: true,
          golden: [query("new"), query("a"), { id: "b", query: "reworded" }],
          retrieve: (text) => (asked.push(text), [hit(`${text}#1`)]),
        }),
      );
      expect(asked.sort()).toEqual(["reworded", "text of a", "text of new"]);
      expect(run).toMatchObject({ suite: "s", commit_hash: "abc" });
      expect(run.results.map(({ query_id }) => query_id)).toEqual(["new", "a", "b", "gone"]);
    },
  );

  it("stops all queries when a callback or the store fails, and tells that error", async () => {
    let asked = 0;
    const retrieve = async () => (asked++, await after(1), []);
    await expect(
      recordRun(
        options({
          retrieve,
          concurrency: 2,
          onProgress: () => {
            throw new Error("no terminal");
          },
        }),
      ),
    ).rejects.toThrow("no terminal");
    await after(20);
    expect(asked).toBeLessThanOrEqual(3);
    const store = { ...memoryStore(), saveRun: () => Promise.reject(new Error("disk full")) };
    await expect(recordRun(options({ retrieve, store, checkpointEvery: 1 }))).rejects.toThrow("disk full");
  });

  it("saves what it has also after a save that failed", async () => {
    const inner = memoryStore();
    let saves = 0;
    const store = {
      ...inner,
      saveRun: (...args: Parameters<typeof inner.saveRun>) =>
        ++saves === 2 ? Promise.reject(new Error("busy")) : inner.saveRun(...args),
    };
    await expect(
      recordRun(
        options({ store, concurrency: 1, checkpointEvery: 1, retrieve: async () => (await after(60), []) }),
      ),
    ).rejects.toThrow("busy");
    // One was saved before; how far it came until it heard of the failure is a matter of time.
    expect((await inner.loadRun("r"))?.results.length).toBeGreaterThan(1);
  });

  it("waits for a database that starts again, and loses and asks nothing twice", async () => {
    const inner = memoryStore();
    const asked: string[] = [];
    let saves = 0;
    const store = {
      ...inner,
      saveRun: (...args: Parameters<typeof inner.saveRun>) =>
        ++saves === 2
          ? Promise.reject(new AdapterError("STORE_DATABASE", "starting up"))
          : inner.saveRun(...args),
    };
    const retrieve = async (query: string) => (asked.push(query), await after(60), []);
    const began = performance.now();
    const run = await recordRun(options({ store, concurrency: 1, checkpointEvery: 1, retrieve }));
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(asked).toEqual(run.results.map(({ query }) => query));
    expect((await inner.loadRun("r"))?.results).toEqual(run.results);
    // One that never was there is told at once.
    saves = 1;
    const fresh = { ...store, loadRun: async () => null };
    const failed = performance.now();
    await expect(recordRun(options({ store: fresh, checkpointEvery: 1, retrieve }))).rejects.toThrow(
      "starting",
    );
    expect(performance.now() - failed).toBeLessThan(900);
  });

  it("keeps what an imported run says, and its results that do not repeat the query", async () => {
    const store = memoryStore();
    await store.saveRun({
      run_id: "r",
      suite: "s",
      created_at: "2026-05-01",
      config_snapshot: { at: "2026-05-01T00:00:00.000Z" },
      host: "h1",
      incomplete: true,
      results: [{ query_id: "a", hits_top_k: [] }],
    });
    const asked: string[] = [];
    const run = await recordRun(
      options({
        store,
        resume: true,
        config: { at: new Date(Date.UTC(2026, 4, 1)), f: () => 1 },
        golden: [query("a"), query("b")],
        retrieve: (text) => (asked.push(text), []),
      }),
    );
    expect(asked).toEqual(["text of b"]);
    expect(run).toMatchObject({
      host: "h1",
      suite: "s",
      config_snapshot: { at: "2026-05-01T00:00:00.000Z" },
    });
    expect(run).not.toHaveProperty("incomplete");
  });

  it("records maps and sets of the configuration, which JSON would have as {}", async () => {
    const models = (embedder: string): Map<string, unknown> => new Map([["embedder", embedder]]);
    const config = { models: models("e1"), stop: new Set(["the", "a"]) };
    const first = await recordRun(options({ golden: [query("a")], config }));
    expect(first.config_snapshot).toEqual({ models: { embedder: "e1" }, stop: ["the", "a"] });
    const second = await recordRun(
      options({ golden: [query("a")], config: { ...config, models: models("e2") } }),
    );
    expect(configDiff(first.config_snapshot, second.config_snapshot)).toHaveLength(1);
  });

  it("counts a query as too late also when its function never waited", async () => {
    const run = await recordRun(
      options({
        golden: [query("a")],
        timeoutMs: 5,
        stopAfterFailures: Infinity,
        retrieve: () => {
          for (const end = performance.now() + 20; performance.now() < end;);
          return [hit("d#1")];
        },
      }),
    );
    expect(run.results[0]).toMatchObject({ error: "no result within 5 ms", hits_top_k: [] });
  });

  it("keeps what was found in time where the answer is too late, whether it waits or not", async () => {
    const busy = (): null => {
      for (const end = performance.now() + 60; performance.now() < end;);
      return null;
    };
    for (const answer of [busy, async () => (await after(200), null)]) {
      const run = await recordRun(
        options({
          golden: [query("a")],
          timeoutMs: 30,
          stopAfterFailures: Infinity,
          retrieve: () => [hit("d#1")],
          answer,
        }),
      );
      expect(run.results[0]).toMatchObject({
        error: "no result within 30 ms",
        answer: null,
        hits_top_k: [{ chunk_id: "d#1" }],
      });
    }
  });

  it("refuses what JSON keeps nothing of", async () => {
    for (const extra of [new Map([[1, 2]]), new Set([1])]) {
      const retrieve = () => [hit("x", 1, { extra } as never)];
      const run = await recordRun(options({ golden: [query("a")], stopAfterFailures: Infinity, retrieve }));
      expect(run.results[0]?.error).toBe(
        "hit 1 that retrieve returned has a map or a set in it; give an object or a list",
      );
    }
  });

  it("takes a hole in a list of hits for a hit that is none, which costs its query alone", async () => {
    const run = await recordRun(
      options({
        retrieve: (_, { goldenQuery: { id } }) =>
          id === "a" ? ([hit("x"), , hit("y")] as never) : [hit("x")],
      }),
    );
    expect(run.results[0]?.error).toMatch(/^hit 2 that retrieve returned: /);
    expect(run.results.slice(1).every(({ error }) => error === null)).toBe(true);
  });

  it("writes down whatever a function throws, and hits that cannot be saved", async () => {
    const run = await recordRun(
      options({
        retrieve: (_, { goldenQuery: { id } }) => {
          if (id === "a") throw Object.create(null);
          if (id === "b") throw { code: 7 };
          if (id === "c") throw Object.assign(new Error(), { message: { not: "text" } });
          return [hit("d#1", 1, { extra: 5n })];
        },
      }),
    );
    expect(run.results.slice(0, 4).map(({ error }) => error)).toEqual([
      "{}",
      '{"code":7}',
      "Error",
      "hit 1 that retrieve returned cannot be written as JSON: Do not know how to serialize a BigInt",
    ]);
  });

  it.each([
    [
      { timeoutMs: Infinity },
      "timeoutMs must be a number above 0 and up to 2147483647, got `Infinity`; leave it out for no limit",
    ],
    [{ timeoutMs: 0 }, "timeoutMs must be"],
    [{ config: { k1: Number.NaN } }, "config cannot be written as JSON: `k1` is NaN"],
    [{ config: { big: 1n } }, "config cannot be written as JSON: Do not know how to serialize a BigInt"],
  ])("refuses %o before the first query", async (more, message) => {
    expect(
      (
        await failureOf(
          recordRun(
            options({
              ...(more as Partial<RecordOptions>),
              retrieve: () => Promise.reject(new Error("asked")),
            }),
          ),
        )
      ).message,
    ).toContain(message);
  });

  it("archives the places of its hits and the golden set's chunks, by their chunkers' versions", async () => {
    const store = memoryStore();
    const lines = (start: number, end: number) => [{ kind: "line" as const, start, end }];
    await store.saveChunks([
      { chunk_id: "d#1", doc_id: "d", doc_path: "d.md", source_spans: lines(1, 5), chunker_version: "v1" },
    ]);
    await recordRun(
      options({
        store,
        golden: [query("a", { expected_chunk_ids: ["d#1"] })],
        config: { chunker_version: "v2" },
        retrieve: () => [hit("d#9", 1, { citation: { kind: "line", path: "d.md", start: 7, end: 9 } })],
      }),
    );
    await store.saveChunks([{ chunk_id: "new", doc_id: "d" }]);
    expect(await store.findArchivedChunks(["d#1", "d#9"])).toEqual(
      expect.arrayContaining([
        { chunk_id: "d#1", doc_id: "d", doc_path: "d.md", source_spans: lines(1, 5), chunker_version: "v1" },
        { chunk_id: "d#9", doc_id: "d", doc_path: "d", source_spans: lines(7, 9), chunker_version: "v2" },
      ]),
    );
  });
});

describe("what functions share with the recording", () => {
  it("hits that an answer takes out, sorts or changes are recorded as they were retrieved", async () => {
    const { results } = await recordRun(
      options({
        retrieve: () => [{ ...hit("d#1"), source_spans: [{ kind: "line", start: 1, end: 2 }] }, hit("d#2")],
        answer: (_, hits) => {
          const own = hits as unknown as { chunk_id: string }[];
          own.reverse();
          own.pop();
          (own[0] as { chunk_id: string }).chunk_id = "other";
          return null;
        },
      }),
    );
    for (const { hits_top_k } of results)
      expect(hits_top_k.map(({ chunk_id }) => chunk_id)).toEqual(["d#1", "d#2"]);
  });
  it("an answer, a span or a configuration that is used again is recorded as it was each time", async () => {
    const said = answer("");
    const span = { kind: "line" as const, start: 0, end: 0 };
    const config = { k: 0 };
    const record = async (k: number): Promise<EvalRun> => {
      config.k = k;
      return recordRun(
        options({
          runId: `k${k}`,
          config,
          concurrency: 1,
          retrieve: (text) => {
            span.start = span.end = text.charCodeAt(0);
            return [{ ...hit("d#1"), source_spans: [span] }];
          },
          answer: (text) => {
            said.answer = text;
            return said;
          },
        }),
      );
    };
    const runs = await Promise.all([record(5), record(10)]);
    expect(runs.map(({ config_snapshot }) => config_snapshot["k"])).toEqual([5, 10]);
    const [{ results } = { results: [] }] = [await record(1)];
    expect(results.map(({ answer: kept }) => kept?.answer)).toEqual(golden.map(({ query: text }) => text));
    expect(results.map(({ hits_top_k: [first] }) => first?.source_spans?.[0])).toEqual(
      golden.map(({ query: text }) => ({ kind: "line", start: text.charCodeAt(0), end: text.charCodeAt(0) })),
    );
  });
  it("a hit that has its fields from getters alone would be lost when it is saved: refused", async () => {
    class Hit {
      get chunk_id(): string {
        return "d#1";
      }
      get doc_id(): string {
        return "d";
      }
    }
    expect(
      await failureOf(recordRun(options({ store: memoryStore(), retrieve: () => [new Hit() as never] }))),
    ).toMatchObject({ code: "RUN_FAILING", message: expect.stringContaining("chunk_id") });
  });
});

describe("what no store takes", () => {
  it.each<[string, Partial<RecordOptions>]>([
    ["a suite that is no text", { suite: 1 as never }],
    ["a mode that is no text", { mode: 1 as never }],
    ["a commit that is no text", { commitHash: 1 as never }],
    ["another word for stale ids", { staleIds: "warn" as never }],
    ["a configuration that is a list", { config: [] as never }],
    ["an id with half a letter", { runId: "\ud800" }],
  ])("is refused before anything is asked: %s", async (_, more) => {
    const retrieve = vi.fn(() => []);
    await expect(recordRun(options({ store: memoryStore(), retrieve, ...more }))).rejects.toThrow();
    expect(retrieve).not.toHaveBeenCalled();
  });
});

it("of two recordings of one id at the same time the second to be saved is refused", async () => {
  const store = memoryStore();
  const one = recordRun(options({ store }));
  const other = recordRun(options({ store, retrieve: () => [hit("other#1")] }));
  const [first, second] = await Promise.allSettled([one, other]);
  expect([first.status, second.status].sort()).toEqual(["fulfilled", "rejected"]);
  expect(first.status === "rejected" ? first.reason : (second as PromiseRejectedResult).reason).toMatchObject(
    {
      code: "STORE_RUN_EXISTS",
    },
  );
  const kept = await store.loadRun("r");
  expect(kept).toEqual(await (first.status === "fulfilled" ? one : other));
});

describe("a recording whose function always fails", () => {
  const many = Array.from({ length: 12 }, (_, n) => query(`q${n}`));
  const failing = (message: (id: string) => string, more: Partial<RecordOptions> = {}) => {
    let calls = 0;
    const recording = recordRun(
      options({
        golden: many,
        concurrency: 1,
        retrieve: (_, { goldenQuery }) => {
          calls++;
          throw new Error(message(goldenQuery.id));
        },
        ...more,
      }),
    );
    return { recording, calls: () => calls };
  };

  it.each([
    ["ids of requests", () => `503 upstream (request ${crypto.randomUUID()})`],
    ["the query that is repeated", (id: string) => `no answer to \`text of ${id}\``],
  ])("takes messages for the same that differ by %s", async (_, message) => {
    const { recording, calls } = failing(message);
    expect((await failureOf(recording)).code).toBe("RUN_FAILING");
    expect(calls()).toBe(5);
  });

  it("stops when the first 5 queries fail alike, with their message, and saves nothing of them", async () => {
    const store = memoryStore();
    const { recording, calls } = failing(() => "connect ECONNREFUSED", { store });
    expect(await failureOf(recording)).toMatchObject({
      code: "RUN_FAILING",
      message:
        "the first 5 queries all failed with `connect ECONNREFUSED`; nothing was recorded, fix that and " +
        "record again (`stopAfterFailures`, --stop-after-failures, says after how many)",
    });
    expect(calls()).toBe(5);
    expect(await store.listRuns()).toEqual([]);
  });
  it.each([1, 4])("stops when all queries of a smaller golden set fail alike: %i", async (count) => {
    const { recording, calls } = failing(() => "down", { golden: many.slice(0, count) });
    expect((await failureOf(recording)).code).toBe("RUN_FAILING");
    expect(calls()).toBe(count);
  });
  it("goes on with a resumed one, of which the last queries fail alike", async () => {
    const store = memoryStore();
    await recordRun(options({ store, golden: many.slice(0, 3) }));
    const { recording } = failing(() => "down", { store, golden: many.slice(0, 5), resume: true });
    expect((await recording).results.filter(({ error }) => error === "down")).toHaveLength(2);
  });
  it("reads errors and maps of another realm, such as a test runner's", async () => {
    const thrown = (message: string): unknown =>
      runInNewContext("new TypeError(message, { cause: new Error('refused') })", { message }) as unknown;
    const { recording } = failing(() => "", {
      retrieve: () => {
        throw thrown("fetch failed");
      },
    });
    expect((await failureOf(recording)).message).toContain("fetch failed: refused");
    const config = runInNewContext(
      "({ map: new Map([['k', 1]]), set: new Set([2]) })",
    ) as EvalRun["config_snapshot"];
    expect((await recordRun(options({ config }))).config_snapshot).toEqual({ map: { k: 1 }, set: [2] });
  });
  it("goes on with all its hands where one on its way is answered after all", async () => {
    let [active, most] = [0, 0];
    const { recording } = failing(() => "", {
      golden: Array.from({ length: 60 }, (_, n) => query(`q${n}`)),
      concurrency: 8,
      store: memoryStore(),
      retrieve: async (_, { goldenQuery }) => {
        const isFirst = /^q[0-6]$/.test(goldenQuery.id);
        await after(isFirst ? 1 : 20);
        if (isFirst) throw new Error("warming up");
        most = Math.max(most, ++active);
        await after(5);
        active--;
        return [];
      },
    });
    expect((await recording).results.filter(({ error }) => error !== null)).toHaveLength(7);
    expect(most).toBeGreaterThan(4);
  });
  it("says what lies behind an error of fetch", async () => {
    const { recording } = failing(() => "", {
      retrieve: async () => {
        await fetch("http://127.0.0.1:9/");
        return [];
      },
    });
    expect((await failureOf(recording)).message).toMatch(/fetch failed: .*(ECONNREFUSED|bad port)/);
  });
  it(
    "goes on where messages differ, where one query was answered, " + "and where that was asked for",
    async () => {
      expect((await failing((id) => `no ${id === "q3" ? "room" : "time"}`).recording).results).toHaveLength(
        12,
      );
      let first = true;
      const answersOne = failing(() => "", {
        retrieve: () => {
          if (!first) throw new Error("down");
          first = false;
          return [];
        },
      });
      expect((await answersOne.recording).results.filter(({ error }) => error === "down")).toHaveLength(11);
      expect((await failing(() => "down", { stopAfterFailures: Infinity }).recording).results).toHaveLength(
        12,
      );
      expect(await failureOf(failing(() => "down", { stopAfterFailures: 0 }).recording)).toMatchObject({
        code: "ARGUMENT",
      });
    },
  );
  it("takes messages that differ in their numbers only for one", async () => {
    const { recording, calls } = failing((id) => `no answer to request ${id.slice(1)}07`);
    expect((await failureOf(recording)).code).toBe("RUN_FAILING");
    expect(calls()).toBe(5);
  });
  it("waits for what is on its way, and does not take queries that failed before for all", async () => {
    const slow = recordRun(
      options({
        golden: many,
        concurrency: 8,
        retrieve: async (_, { goldenQuery: { id } }) => {
          if (Number(id.slice(1)) < 6) throw new Error("429");
          await after(20);
          return [];
        },
      }),
    );
    expect((await slow).results.filter(({ error }) => error === "429")).toHaveLength(6);
    const store = memoryStore();
    const permanent = options({
      golden: many,
      store,
      stopAfterFailures: 7,
      retrieve: (_: string, { goldenQuery: { id } }: { goldenQuery: { id: string } }) => {
        if (Number(id.slice(1)) < 6) throw new Error("too long");
        return [];
      },
    });
    await recordRun(permanent);
    const again = recordRun({ ...permanent, stopAfterFailures: 5, resume: true, retryFailed: true });
    expect((await again).results).toHaveLength(12);
  });
  it("keeps what an earlier part of the run has", async () => {
    const store = memoryStore();
    const stop = new AbortController();
    await failureOf(
      recordRun(
        options({ golden: many, concurrency: 1, store, signal: stop.signal, onProgress: () => stop.abort() }),
      ),
    );
    const { recording } = failing(() => "down", { store, resume: true });
    expect((await failureOf(recording)).code).toBe("RUN_FAILING");
    expect((await store.loadRun("r"))?.results).toHaveLength(1);
  });
  const right = 'a hit is { chunk_id: "guide#3", doc_id: "guide" }, got';
  it.each([
    [
      { results: [] },
      'retrieve must return a list of hits, such as [{ chunk_id: "guide#3", doc_id: "guide" }], ' +
        "got an object " +
        "with the key `results`",
    ],
    [undefined, 'such as [{ chunk_id: "guide#3", doc_id: "guide" }], got `undefined`'],
    [
      ["guide#3"],
      `hit 1 that retrieve returned: the record must be a mapping of fields, got \`"guide#3"\`; ${right}`,
    ],
    [
      [{ id: "guide#3", doc_id: "guide" }],
      "hit 1 that retrieve returned: chunk_id is missing (is it what `id` has?); " +
        `${right} an object with the keys \`id\`, \`doc_id\``,
    ],
  ])("says of hits of a wrong shape which shape is right (%j)", async (hits, message) => {
    const { recording } = failing(() => "", { retrieve: () => hits as never });
    // Backticks within backticks are not told apart by the eye.
    expect((await failureOf(recording)).message).toContain(message);
  });
});

describe("the time of a query", () => {
  it("is from the call to the settling: neither checks nor saves are part of it", async () => {
    let clock = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
    try {
      const store = memoryStore();
      let active = 0;
      const slowStore: EvalStore = {
        ...store,
        saveRun: async (...args) => {
          expect(active).toBe(0);
          clock += 1000;
          await store.saveRun(...args);
        },
      };
      // What a check reads takes its time.
      const slowHit = (id: string) => ({
        get chunk_id() {
          clock += 100;
          return id;
        },
        doc_id: id,
      });
      const run = await recordRun(
        options({
          golden: Array.from({ length: 40 }, (_, n) => query(`q${n}`)),
          store: slowStore,
          checkpointEvery: 7,
          concurrency: 1,
          retrieve: async (text) => {
            active++;
            await Promise.resolve();
            clock += 5;
            active--;
            return [slowHit(text)];
          },
          answer: () => {
            clock += 2;
            return answer("yes");
          },
        }),
      );
      expect(new Set(run.results.map(({ elapsed_ms }) => elapsed_ms))).toEqual(new Set([7]));
    } finally {
      now.mockRestore();
    }
  });

  it("has no save in it where several queries are on their way, and all are recorded", async () => {
    const store = memoryStore();
    let [active, most, saves, clock] = [0, 0, 0, 0];
    // By this clock queries take time and saves none, so that how many there are is not left to the machine.
    const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
    const run = await recordRun(
      options({
        golden: Array.from({ length: 100 }, (_, n) => query(`q${n}`)),
        store: {
          ...store,
          saveRun: async (...args) => {
            expect(active).toBe(0);
            saves++;
            await store.saveRun(...args);
          },
        },
        checkpointEvery: 10,
        concurrency: 4,
        retrieve: async () => {
          most = Math.max(most, ++active);
          await after(3);
          clock += 10;
          active--;
          return [];
        },
      }),
    );
    now.mockRestore();
    expect(run.results).toHaveLength(100);
    expect([most, saves > 3]).toEqual([4, true]);
  });
});
