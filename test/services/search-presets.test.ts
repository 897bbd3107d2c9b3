import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { engineBackend, httpBackend, searchPresets, type HttpSearch } from "../../src/retrieve/index.js";
import type { Backend, EngineBackendConfig, LabelItem, SearchTrace } from "../../src/records/index.js";
import { backendContract } from "../../src/testing/index.js";
import { loopback } from "../support/loopback.js";
import { searchEngine } from "../support/search-engines.js";

const KINDS = Object.keys(searchPresets) as EngineBackendConfig["kind"][];
const KEY = "key-0123456789abcdefghijklmnop";
const VARIABLES = { query_by: "title", model: "bge-small", namespace: "shop" };
const items = (count: number): LabelItem[] =>
  Array.from({ length: count }, (_, at) => ({ id: `i${at}`, fields: { title: `red shoe ${at}` } }));
const backendAt = (kind: EngineBackendConfig["kind"], url: string): Backend =>
  engineBackend(
    { kind, url, index: "shop", variables: VARIABLES, headers: { authorization: `Bearer ${KEY}` } },
    { sleep: async () => undefined },
  );
const failureOf = async (backend: Backend): Promise<Error> =>
  Promise.resolve(backend.search("shoe", { limit: 3 })).then(
    () => expect.fail("should have failed"),
    (error: unknown) => error as Error,
  );

for (const kind of KINDS) {
  backendContract({ describe, it, expect }, `the preset ${kind}`, async (given) =>
    backendAt(kind, (await searchEngine(kind, given)).url),
  );

  describe(`the preset ${kind}`, () => {
    it("is at most 15 lines of data, with the pages that it follows", () => {
      const file = readFileSync(join(import.meta.dirname, `../../src/services/presets/${kind}.ts`), "utf8");
      const data = file.slice(file.indexOf("export const")).trimEnd();
      // Between its braces.
      expect(data.split("\n").length - 2).toBeLessThanOrEqual(15);
      expect(file).toMatch(/^\/\/ .*\d.*https:\/\/|^\/\/ .*\d[^]*?\/\/ .*https:\/\//m);
    });

    it("lists what does not fit into one answer", async () => {
      const all = items(2345);
      const { url, asked } = await searchEngine(kind, all);
      const listed: string[] = [];
      for await (const { id } of backendAt(kind, url).list?.() ?? []) listed.push(id);
      expect(listed.sort()).toEqual(all.map(({ id }) => id).sort());
      expect(asked.length).toBeGreaterThan(kind === "typesense" ? 0 : 2);
    });

    it("sends an id with each request, and tells it", async () => {
      const { url, asked } = await searchEngine(kind, items(3));
      const traces: SearchTrace[] = [];
      await backendAt(kind, url).search("shoe", { limit: 2, onTrace: (trace) => traces.push(trace) });
      // The last call counts; the first comes before the answer.
      expect(traces.at(-1)?.request_ids).toEqual(asked.map(({ headers }) => headers["x-request-id"]));
      expect(traces[0]?.request_ids?.[0]).toMatch(/^[0-9a-f-]{36}$/);
    });

    it.each([
      ["nothing", null],
      ["a list", []],
      ["a text", "<html>"],
      ["a number", 7],
    ])("fails with %s for an answer", async (_, answer) => {
      const { url } = await searchEngine(kind, items(3), () => answer);
      const backend = backendAt(kind, url);
      expect(await failureOf(backend)).toMatchObject({ code: "RETRIEVER_FAILED" });
    });

    it("says why the engine refuses, without the key that it repeats", async () => {
      const said = `no such index [shop], Bearer ${KEY}`;
      const errors: Readonly<Record<typeof kind, unknown>> = {
        elasticsearch: { error: { type: "index_not_found_exception", reason: said }, status: 404 },
        solr: { responseHeader: { status: 404 }, error: { msg: said, code: 404 } },
        vespa: { root: { errors: [{ code: 4, summary: "Invalid", message: said }] } },
        typesense: { message: said },
        meilisearch: { message: said, code: "index_not_found", type: "invalid_request" },
        qdrant: { status: { error: said }, time: 0 },
      };
      const { url } = await searchEngine(kind, [], () => ({ status: 404, body: errors[kind] }));
      const error = await failureOf(backendAt(kind, url));
      expect(error.message).toContain("answered with status 404: ");
      expect(error.message).toContain("no such index [shop]");
      expect(inspect(error, { depth: 9 })).not.toContain(KEY);
    });

    const parts: Readonly<Partial<Record<typeof kind, readonly (readonly [object, object])[]>>> = {
      elasticsearch: [
        [{ timed_out: true }, { timed_out: false }],
        [{ _shards: { total: 5, failed: 3 } }, { _shards: { total: 5, failed: 0 } }],
      ],
      solr: [[{ responseHeader: { partialResults: true } }, { responseHeader: { status: 0 } }]],
      vespa: [
        [{ errors: [{ code: 12, summary: "Timed out" }] }, { errors: [] }],
        [
          { coverage: { degraded: { timeout: true } } },
          { coverage: { degraded: { "match-phase": true, timeout: false } } },
        ],
      ],
      typesense: [[{ search_cutoff: true }, { search_cutoff: false }]],
    };
    it.each(parts[kind] ?? [])("fails with a part of the hits: %o, but not %o", async (part, whole) => {
      for (const [more, isPart] of [
        [whole, false],
        [part, true],
      ] as const) {
        const { url } = await searchEngine(kind, items(3), (answer) =>
          kind === "vespa"
            ? { root: { ...(answer as { readonly root: object }).root, ...more } }
            : { ...(answer as object), ...more },
        );
        const backend = backendAt(kind, url);
        if (isPart)
          expect((await failureOf(backend)).message).toContain("answered with a part of its hits: `/");
        else expect(await backend.search("shoe", { limit: 2 })).toHaveLength(2);
      }
    });

    it("tries again what may pass", async () => {
      let tries = 0;
      const { url } = await searchEngine(kind, items(3), (answer) =>
        tries++ < 2 ? { status: 503, body: "busy" } : answer,
      );
      expect(await backendAt(kind, url).search("shoe", { limit: 3 })).toHaveLength(3);
      expect(tries).toBe(3);
    });
  });
}

describe("a preset that is changed", () => {
  it("sends a body of one's own, and reads another field", async () => {
    const { url, asked } = await searchEngine("elasticsearch", items(3));
    const backend = engineBackend({
      kind: "elasticsearch",
      url,
      index: "shop",
      body: { size: "{limit}", query: { multi_match: { query: "{query}", fields: ["{best}^2", "brand"] } } },
      variables: { best: "title" },
    });
    const hits = await backend.search("shoe", { limit: 2 });
    expect(asked[0]?.body).toEqual({
      size: 2,
      query: { multi_match: { query: "shoe", fields: ["title^2", "brand"] } },
    });
    expect(hits[0]).toMatchObject({ chunk_id: "i0", score: 1, fields: { title: "red shoe 0" } });
  });

  it("needs what it lists items by only where they are listed", async () => {
    const { url } = await searchEngine("vespa", items(3));
    const backend = engineBackend({ kind: "vespa", url, index: "shop" });
    expect(await backend.search("shoe", { limit: 2 })).toHaveLength(2);
    expect(() => backend.list?.()).toThrow(
      `${url}: to list its items, kind vespa needs \`variables: { namespace: … }\`; or name a file of them ` +
        "as `corpus`",
    );
  });

  it("counts nothing where an engine counts what it then puts together", async () => {
    const { url } = await searchEngine("elasticsearch", items(3), (answer) => ({
      hits: { ...(answer as { hits: object }).hits, total: { value: 50 } },
    }));
    const collapsing: EngineBackendConfig = { kind: "elasticsearch", url, index: "shop" };
    await expect(engineBackend(collapsing).search("shoe", { limit: 9 })).rejects.toThrow("`total: false`");
    const backend = engineBackend({ ...collapsing, total: false });
    expect(await backend.search("shoe", { limit: 9 })).toHaveLength(3);
  });

  it("finds nothing where the engine counts nothing and has no list, counted or not", async () => {
    const url = await loopback((_, response) => {
      response.end(JSON.stringify({ root: { fields: { totalCount: 0 } } }));
    });
    const backend = engineBackend({ kind: "vespa", url, index: "shop", total: false });
    expect(await backend.search("shoe", { limit: 3 })).toEqual([]);
  });

  it("says the cause of what all shards failed of", async () => {
    const error = { root_cause: [{ reason: "Unknown query [mach]" }], reason: "all shards failed" };
    const { url } = await searchEngine("elasticsearch", [], () => ({ status: 400, body: { error } }));
    const { message } = await failureOf(backendAt("elasticsearch", url));
    expect(message).toContain("answered with status 400: `Unknown query [mach]`");
  });

  it("tells nothing that is sent in confidence, wherever it stands", async () => {
    const url = await loopback((body, response, { url: address }) => {
      response
        .writeHead(400)
        .end(JSON.stringify({ error: { reason: `${address ?? ""} ${body}`.replace(/[&,]/g, " ") } }));
    });
    const { message } = await failureOf(
      engineBackend({
        kind: "elasticsearch",
        url,
        index: "shop",
        variables: { token: "VTOKEN1234567", plain: "PVALUE1234567", field: "PLAINFIELD" },
        params: { key: "{plain}", auth: "{token}", sort: "{field}" },
        body: { api_key: "BODYKEY12345", query: "{query}" },
      }),
    );
    expect(message).toContain("PLAINFIELD");
    for (const secret of ["VTOKEN", "PVALUE", "BODYKEY"]) expect(message).not.toContain(secret);

    const described = httpBackend({
      url,
      search: {
        error: "/error/reason",
        body: { auth: { value: "WITHIN1234567" }, password: "BESIDE1234567 {query}", query: "{query}" },
        configuration: { params: { apikey: "LITERAL1234567" }, body: { password: "{deep}" } },
        variables: { deep: "VARIABLE1234567" },
      },
    });
    const said = await failureOf(described);
    const settings = await Promise.resolve(described.configuration?.()).catch(String);
    for (const secret of ["WITHIN", "BESIDE", "LITERAL", "VARIABLE"])
      expect(`${said.message} ${String(settings)}`).not.toContain(secret);
  });

  it("names what stands for nothing, and what it needs", () => {
    const engine = (given: Partial<EngineBackendConfig>) => () =>
      engineBackend({ kind: "typesense", url: "http://localhost:1", index: "shop", ...given });
    expect(engine({})).toThrow(/`\{query_by\}` stands for nothing; known are .*under `variables`/);
    expect(engine({ kind: "elasticsearch", index: undefined })).toThrow(/`\{index\}` stands for nothing/);
    expect(engine({ kind: "elasticsearch", url: "localhost" })).toThrow(/must begin with http/);
  });
});

describe("a search service that is described by data", () => {
  const answering = async (
    answer: (body: Record<string, unknown>, url: string) => unknown,
  ): Promise<string> =>
    loopback(
      (body, response, { url = "" }) =>
        void response.end(
          JSON.stringify(answer(body === "" ? {} : (JSON.parse(body) as Record<string, unknown>), url)),
        ),
    );

  it("is asked and read as `httpRetriever` does where nothing is said", async () => {
    const seen: unknown[] = [];
    const url = await answering((body) => (seen.push(body), [{ id: 7, score: 1 }, "b"]));
    const hits = await httpBackend({ url }).search("wing", { limit: 2, queryId: "q1" });
    expect(seen).toEqual([{ query: "wing", limit: 2, query_id: "q1" }]);
    expect(hits.map(({ chunk_id }) => chunk_id)).toEqual(["7", "b"]);
    await httpBackend({ url }).search("wing", { limit: 2 });
    expect(seen[1]).toEqual({ query: "wing", limit: 2 });
  });

  it("is paged as far as is wanted, and numeric ids become text once", async () => {
    const asked: unknown[] = [];
    const url = await answering((body) => {
      asked.push(body);
      const from = Number(body["from"]);
      return {
        list: Array.from({ length: Math.min(4, 10 - from) }, (_, at) => ({
          id: Math.floor((from + at) / 2),
        })),
      };
    });
    const search = { body: { q: "{query}", from: "{offset}", n: "{limit}" }, hits: "/list", pageSize: 4 };
    const hits = await httpBackend({ url, search }).search("a", { limit: 9 });
    expect(hits.map(({ chunk_id, rank }) => [chunk_id, rank])).toEqual([
      ["0", 1],
      ["1", 2],
      ["2", 3],
      ["3", 4],
      ["4", 5],
    ]);
    expect(asked).toEqual([0, 4, 8].map((from) => ({ q: "a", from, n: 4 })));
  });

  it(
    "goes on where a service gives shorter pages than it is asked " + "for, in searches and in lists",
    async () => {
      const all = items(55);
      const url = await answering((body) => {
        const from = Number(body["from"]);
        return { list: all.slice(from, from + Math.min(10, Number(body["n"]))) };
      });
      const body = { q: "{query}", from: "{offset}", n: "{limit}" };
      const list = { body: { from: "{offset}", n: "{limit}" }, items: "/list" };
      const backend = httpBackend({ url, search: { body, hits: "/list", list } });
      expect(await backend.search("a", { limit: 40 })).toHaveLength(40);
      expect(await backend.search("a", { limit: 500 })).toHaveLength(55);
      const listed: string[] = [];
      for await (const { id } of backend.list?.() ?? []) listed.push(id);
      expect(listed).toEqual(all.map(({ id }) => id));
    },
  );

  it("refuses a list that gives one full page and names no other", async () => {
    const url = await answering((body) => ({ list: items(55).slice(0, Number(body["n"])) }));
    const search = { hits: "/list", list: { body: { n: "{limit}" }, items: "/list", pageSize: 50 } };
    const all = async (): Promise<void> => {
      for await (const { id } of httpBackend({ url, search }).list?.() ?? []) expect(id).not.toBe("");
    };
    await expect(all()).rejects.toThrow(/lists 50 items in one answer, and there may be more/);
  });

  it("refuses numbers as ids that JSON has rounded", async () => {
    const url = await loopback((_, response) => void response.end('{"list":[{"id":9007199254740993}]}'));
    await expect(
      Promise.resolve(httpBackend({ url, search: { body: {}, hits: "/list" } }).search("a", { limit: 3 })),
    ).rejects.toThrow(/hit 1, whose id at `\/\w+` is too large to be read exactly/);
  });

  it("shows neither the address nor a key that stands in it or in a parameter", async () => {
    const url = await loopback(
      (_, response, request) =>
        void response
          .writeHead(400)
          .end(JSON.stringify({ error: `bad ${decodeURIComponent(request.url ?? "")}` })),
    );
    const search = {
      params: { q: "{query}", token: "token-in-a-parameter" },
      hits: "/list",
      error: "/error",
    };
    const error = await failureOf(
      httpBackend({ url: `${url}?key=key-in-the-address`, headers: { "x-shop": "a" }, search }),
    );
    expect(error.message).toMatch(/answered with status 400: `bad \/search\?key=\*\*\*/);
    expect(error.message).not.toMatch(/in-the-address|in-a-parameter/);
    expect(() => httpBackend({ url: "elastic:a-long-password@localhost:9200" })).toThrow(
      /^the address of a search service must begin with http:\/\/ or https:\/\/$/,
    );
  });

  it("is asked by no more than so many at once", async () => {
    let [now, most] = [0, 0];
    const url = await loopback((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.end("[]");
      }, 15);
    });
    const backend = httpBackend({ url, concurrency: 3 });
    await Promise.all(items(12).map(({ id }) => backend.search(id, { limit: 1 })));
    expect(most).toBe(3);
  });

  it("says where a count, a score and a list are not that are pointed at", async () => {
    const url = await answering(() => ({ list: [{ id: 1, rank: 2 }], count: 3 }));
    const failing = (search: HttpSearch) =>
      failureOf(httpBackend({ url, search: { body: {}, hits: "/list", ...search } }));
    expect((await failing({ total: "/total" })).message).toMatch(/without a count of hits at `\/total`/);
    expect((await failing({ hit: { score: "/score" } })).message).toMatch(/none has a score at `\/score`/);
    const list = async (search: HttpSearch): Promise<void> => {
      for await (const { id } of httpBackend({ url, search }).list?.() ?? []) expect(id).toBe("1");
    };
    await expect(list({ list: {} })).rejects.toThrow(
      /must have a list at the top of its answer, where `list.items`/,
    );
    await expect(list({ total: "/count", list: { items: "/list" } })).rejects.toThrow(
      /lists 1 of 3 items; name/,
    );
  });

  it("never gives fewer hits than there are without a word", async () => {
    const url = await answering(() => ({ found: 50, list: Array.from({ length: 10 }, (_, id) => ({ id })) }));
    const search = { body: { q: "{query}" }, hits: "/list", total: "/found" };
    await expect(Promise.resolve(httpBackend({ url, search }).search("a", { limit: 20 }))).rejects.toThrow(
      /answered with 10 of 50 hits, and 20 were wanted; give its limit as `pageSize`/,
    );
    expect(await httpBackend({ url, search }).search("a", { limit: 10 })).toHaveLength(10);
    await expect(
      Promise.resolve(httpBackend({ url, search: { ...search, pageSize: 10 } }).search("a", { limit: 20 })),
    ).rejects.toThrow(/gives 10 hits at most, and 20 are wanted/);
  });

  it("never takes a page that came before for another one", async () => {
    const all = items(30);
    const search = { body: { from: "{offset}" }, hits: "/list", total: "/found", pageSize: 10 };
    const ignoring = await answering(() => ({ found: 30, list: all.slice(0, 10) }));
    await expect(
      Promise.resolve(httpBackend({ url: ignoring, search }).search("a", { limit: 20 })),
    ).rejects.toThrow(
      /answered with 10 of 30 hits, and 20 were wanted; page 2 was the one before again: does it /,
    );
    // A service may give one id on several pages.
    const pages = [
      ["d1", "d1", "d2", "d3", "d4"],
      ["d1", "d5", "d6", "d2", "d7"],
    ];
    const healthy = await answering(({ from }) => ({
      found: 10,
      list: (pages[Number(from) / 5] ?? []).map((id) => ({ id })),
    }));
    const backend = httpBackend({ url: healthy, search: { ...search, pageSize: 5 } });
    const hits = await backend.search("a", { limit: 10 });
    expect(hits.map(({ chunk_id }) => chunk_id)).toEqual(["d1", "d2", "d3", "d4", "d5", "d6", "d7"]);
  });

  it.each([
    ["an id that is none", { id: null }, /answered with hit 1, which has no id at `\/id`/],
    ["a score that is none", { id: 1, s: "high" }, /hit 1, which has no finite score at `\/s`/],
    ["no object", 7, /hit 1, which has no id/],
  ])("fails with %s", async (_, hit, message) => {
    const url = await answering(() => ({ list: [hit] }));
    const search = { body: {}, hits: "/list", hit: { score: "/s" } };
    await expect(Promise.resolve(httpBackend({ url, search }).search("a", { limit: 3 }))).rejects.toThrow(
      message,
    );
  });

  it("turns distances round, keeps numbers by name, and tells plan and stages", async () => {
    const url = await answering(() => ({
      plan: { steps: 2 },
      stages: { text: ["a", 7, null], vector: "none" },
      list: [{ id: "a", distance: 0.25, features: { bm25: 3, note: "x" }, title: "A", brand: "B" }],
    }));
    const traces: SearchTrace[] = [];
    const [hit] = await httpBackend({
      url,
      search: {
        method: "GET",
        params: { q: "{query}", id: "{query_id}" },
        hits: "/list",
        hit: {
          score: "/distance",
          lowerIsBetter: true,
          features: "/features",
          omit: ["id", "distance", "features"],
        },
        plan: "/plan",
        channels: { text: "/stages/text", vector: "/stages/vector" },
      },
      requestId: () => "r1",
    }).search("a & b", { limit: 3, onTrace: (trace) => traces.push(trace) });
    expect(hit).toEqual({
      rank: 1,
      chunk_id: "a",
      doc_id: "a",
      score: -0.25,
      features: { bm25: 3 },
      fields: { title: "A", brand: "B" },
    });
    expect(traces.slice(-1)).toEqual([
      { request_ids: ["r1"], plan: { steps: 2 }, channels: { text: ["a", "7"], vector: [] } },
    ]);
  });

  it("leaves out fields where there are none, so that nobody judges an empty item", async () => {
    const { url } = await searchEngine("elasticsearch", items(2));
    const backend = engineBackend({ kind: "elasticsearch", url, index: "shop", hit: { fields: "/_sauce" } });
    const hits = await backend.search("shoe", { limit: 2 });
    expect(hits.map(({ fields }) => fields)).toEqual([undefined, undefined]);
    const list = async (): Promise<void> => {
      for await (const { id } of backend.list?.() ?? []) expect(id).toBe("never");
    };
    await expect(list()).rejects.toThrow(/lists item `i0`, which has no fields at `\/_sauce`/);
  });

  it("ends a list whose cursor stands still", async () => {
    const url = await answering(() => ({ list: [{ id: 1 }], next: ["same"] }));
    const search = { hits: "/list", list: { body: { after: "{cursor}" }, items: "/list", next: "/next" } };
    const ids: string[] = [];
    for await (const { id } of httpBackend({ url, search }).list?.() ?? []) ids.push(id);
    expect(ids).toEqual(["1"]);
  });

  it("writes what it fills in so that no path and no query is changed by it", async () => {
    const seen: string[] = [];
    const url = await answering((_, path) => (seen.push(path), { list: [] }));
    const search = {
      method: "GET" as const,
      path: "/{index}/find",
      params: { q: "{query}", size: "{limit}" },
      hits: "/list",
      variables: { index: "a/b?c" },
    };
    await httpBackend({ url, search }).search("x&size=9#é {limit}", { limit: 2 });
    expect(seen).toEqual(["/search/a%2Fb%3Fc/find?q=x%26size%3D9%23%C3%A9+%7Blimit%7D&size=2"]);
    const inPath = httpBackend({ url, search: { path: "/find/{query}", method: "GET", hits: "/list" } });
    await inPath.search("red \ud800shoe", { limit: 1 });
    expect(seen[1]).toBe("/search/find/red%20%EF%BF%BDshoe");
    await expect(Promise.resolve(inPath.search("..", { limit: 1 }))).rejects.toMatchObject({
      code: "ARGUMENT",
    });
    expect(() => httpBackend({ url, search: { path: "/find?x=1" } })).toThrow(/a path has no \? and no #/);
  });
});
