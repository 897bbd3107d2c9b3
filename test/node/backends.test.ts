import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBackend } from "../../src/node/index.js";
import type { BackendConfig, LabelItem } from "../../src/records/index.js";
import { httpBackend } from "../../src/retrieve/index.js";
import { backendContract } from "../../src/testing/index.js";
import { loopback } from "../support/loopback.js";

const datasetOf = (items: readonly LabelItem[]) => ({
  id: "shop",
  tenant: "default",
  queries: [],
  items: new Map(items.map((item) => [item.id, item])),
  config: { queries: "queries.txt", corpus: "items.jsonl" },
});
const opened = (items: readonly LabelItem[], backend?: BackendConfig) =>
  openBackend(datasetOf(items), backend, 500);

/** Ids of items whose title has a word of the question, those with most of them first. */
const search = (query: string, items: readonly LabelItem[]): string[] => {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const count = ({ fields }: LabelItem): number =>
    String(fields["title"])
      .split(" ")
      .filter((word) => words.has(word)).length;
  return items
    .filter((item) => count(item) > 0)
    .sort((a, b) => count(b) - count(a))
    .map(({ id }) => id);
};

backendContract({ describe, it, expect }, "the built-in search", (items) => opened(items));

backendContract({ describe, it, expect }, "a module", async (items) => {
  const path = join(mkdtempSync(join(tmpdir(), "rankproof-module-")), "search.mjs");
  writeFileSync(
    path,
    `const items = ${JSON.stringify(items)};
     const search = ${search.toString()};
     export const retrieve = (query) => search(query, items);`,
  );
  return opened(items, { kind: "module", path });
});

backendContract({ describe, it, expect }, "a service that is posted to", async (items) => {
  const url = await loopback((body, response) => {
    const { query } = JSON.parse(body) as { readonly query: string };
    response.end(JSON.stringify(search(query, items)));
  });
  return opened(items, { kind: "http", url });
});

backendContract({ describe, it, expect }, "a service that is described", async (items) => {
  const url = await loopback((_, response, request) => {
    const params = new URL(request.url ?? "", "http://localhost").searchParams;
    const from = Number(params.get("from"));
    const byId = new Map(items.map(({ id, fields }) => [id, { sku: id, ...fields }]));
    const all = search(params.get("q") ?? "", items).map((id) => byId.get(id));
    response.end(
      JSON.stringify(
        params.has("q")
          ? { found: all.length, hits: all.slice(from, from + 7) }
          : { hits: [...byId.values()].slice(from, from + 7) },
      ),
    );
  });
  const page = { from: "{offset}", size: "{limit}" };
  return httpBackend({
    url,
    search: {
      method: "GET",
      params: { q: "{query}", ...page },
      hits: "/hits",
      hit: { id: "/sku", omit: ["sku"] },
      total: "/found",
      pageSize: 7,
      list: { params: page },
    },
  });
});

describe("a backend of a configuration", () => {
  it("shows of a hit what raters see, and nothing else", async () => {
    const url = await loopback(
      (_, response) => void response.end('{"hits":[{"id":"1","title":"A","cost":3}]}'),
    );
    const dataset = { ...datasetOf([]), config: { queries: "q", fields: ["title", "brand"] } };
    const backend = await openBackend(dataset, { kind: "http", url, body: {}, hits: "/hits" }, 5);
    const [hit] = await backend.search("a", { limit: 5 });
    expect(hit?.fields).toEqual({ title: "A" });
  });
});
