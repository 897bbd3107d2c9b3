import type { IncomingMessage } from "node:http";
import type { EngineBackendConfig, LabelItem } from "../../src/records/index.js";
import { loopback } from "./loopback.js";

/** One request to an engine. */
export interface EngineRequest {
  readonly method: string;
  readonly path: string;
  readonly params: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage["headers"];
}

type Answer = (request: EngineRequest, items: readonly LabelItem[]) => unknown;

/** Items that have all words of a question, or else any, and how many of them. */
function found(
  query: unknown,
  items: readonly LabelItem[],
): { readonly item: LabelItem; readonly score: number }[] {
  const words =
    String(query)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return items
    .map((item) => {
      const title = String(item.fields["title"]).split(" ");
      return { item, score: words.filter((word) => title.includes(word)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

const slice = <T>(list: readonly T[], offset: unknown, limit: unknown): readonly T[] =>
  list.slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit));

/** By id in code units, as engines list. */
const byId = (items: readonly LabelItem[]): LabelItem[] => [...items].sort((a, b) => (a.id < b.id ? -1 : 1));

/**
 * What each engine answers, in the shape that its documentation shows (the pages that the presets name).
 * They search for words in titles.
 */
const ENGINES: Readonly<Record<EngineBackendConfig["kind"], Answer>> = {
  elasticsearch({ method, path, body }, items) {
    if (method === "GET" && path === "/shop")
      return { shop: { settings: { index: { number_of_shards: "1" } } } };
    const hit = (item: LabelItem, score: number | null) => ({
      _index: "shop",
      _id: item.id,
      _score: score,
      _source: item.fields,
    });
    if (body["sort"] === undefined) {
      const query = body["query"] as { multi_match: { query: string } };
      const all = found(query.multi_match.query, items);
      return {
        took: 3,
        timed_out: false,
        _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
        hits: {
          total: { value: all.length, relation: "eq" },
          max_score: all[0]?.score ?? null,
          hits: slice(all, 0, body["size"]).map(({ item, score }) => hit(item, score)),
        },
      };
    }
    const after = (body["search_after"] as readonly string[] | undefined)?.[0] ?? "";
    const page = byId(items)
      .filter(({ id }) => id > after)
      .slice(0, Number(body["size"]));
    return {
      hits: {
        total: { value: items.length, relation: "eq" },
        max_score: null,
        hits: page.map((item) => ({ ...hit(item, null), sort: [item.id] })),
      },
    };
  },
  solr({ path, body }, items) {
    if (path === "/shop/config")
      return { responseHeader: { status: 0 }, config: { luceneMatchVersion: "9.12" } };
    const doc = ({ id, fields }: LabelItem) => ({
      id,
      ...fields,
      _version_: Math.floor(Math.random() * 1e15),
    });
    const { cursorMark } = (body["params"] ?? {}) as { cursorMark?: string };
    const responseHeader = { status: 0, QTime: 1 };
    if (cursorMark === undefined) {
      const all = found(body["query"], items);
      const docs = slice(all, 0, body["limit"]).map(({ item, score }) => ({ ...doc(item), score }));
      return { responseHeader, response: { numFound: all.length, start: 0, numFoundExact: true, docs } };
    }
    const after = cursorMark === "*" ? "" : decodeURIComponent(cursorMark.slice(1));
    const docs = byId(items)
      .filter(({ id }) => id > after)
      .slice(0, Number(body["limit"]));
    const last = docs.at(-1);
    return {
      responseHeader,
      response: { numFound: items.length, start: 0, docs: docs.map(doc) },
      nextCursorMark: last === undefined ? cursorMark : `A${encodeURIComponent(last.id)}`,
    };
  },
  vespa({ path, params, body }, items) {
    if (!path.startsWith("/document/")) {
      const all = found(body["query"], items);
      return {
        root: {
          id: "toplevel",
          relevance: 1,
          fields: { totalCount: all.length },
          coverage: { coverage: 100, documents: items.length, full: true },
          ...(all.length > 0 && {
            children: slice(all, 0, body["hits"]).map(({ item, score }) => ({
              id: item.id,
              relevance: score / 10,
              source: "shop",
              fields: { ...item.fields, documentid: item.id, sddocname: "shop" },
            })),
          }),
        },
      };
    }
    const start = Number(params.get("continuation") ?? 0);
    const documents = slice(items, start, Math.min(20, Number(params.get("wantedDocumentCount"))));
    const end = start + documents.length;
    return {
      pathId: path,
      documents: documents.map(({ id, fields }) => ({ id, fields })),
      documentCount: documents.length,
      ...(end < items.length && { continuation: String(end) }),
    };
  },
  typesense({ path, params }, items) {
    if (path === "/collections/shop/documents/export")
      return items.map(({ id, fields }) => JSON.stringify({ id, ...fields })).join("\n");
    if (path === "/collections/shop") return { name: "shop", num_documents: items.length };
    const all = found(params.get("q"), items);
    const size = Number(params.get("per_page"));
    const page = Number(params.get("page"));
    return {
      found: all.length,
      out_of: items.length,
      page,
      hits: slice(all, (page - 1) * size, size).map(({ item, score }) => ({
        document: { id: item.id, ...item.fields },
        highlights: [],
        text_match: 578730123365187705 + score,
      })),
    };
  },
  meilisearch({ path, params, body }, items) {
    if (path === "/indexes/shop/settings")
      return { rankingRules: ["words"], pagination: { maxTotalHits: 1000 } };
    const document = ({ id, fields }: LabelItem) => ({ id, ...fields });
    if (path === "/indexes/shop/documents") {
      const [offset, limit] = [Number(params.get("offset")), Number(params.get("limit"))];
      return { results: slice(items, offset, limit).map(document), offset, limit, total: items.length };
    }
    const all = found(body["q"], items);
    return {
      hits: slice(all, 0, body["limit"]).map(({ item, score }) => ({
        ...document(item),
        _rankingScore: score / 10,
      })),
      query: body["q"],
      estimatedTotalHits: all.length,
    };
  },
  qdrant({ path, body }, items) {
    if (path === "/collections/shop")
      return { result: { status: "green", points_count: items.length }, status: "ok" };
    const point = ({ id, fields }: LabelItem) => ({ id, version: 1, payload: fields });
    if (path.endsWith("/query")) {
      const { text } = body["query"] as { text: string };
      const all = slice(found(text, items), 0, body["limit"]);
      return {
        result: { points: all.map(({ item, score }) => ({ ...point(item), score: score / 10 })) },
        status: "ok",
      };
    }
    const start = items.findIndex(({ id }) => id === body["offset"]);
    const page = slice(items, Math.max(0, start), Math.min(20, Number(body["limit"])));
    const next = items[Math.max(0, start) + page.length];
    return { result: { points: page.map(point), next_page_offset: next?.id ?? null }, status: "ok" };
  },
};

/** An engine on this machine that searches items, until the test has finished. */
export async function searchEngine(
  kind: EngineBackendConfig["kind"],
  items: readonly LabelItem[],
  change: (answer: unknown, request: EngineRequest) => unknown = (answer) => answer,
): Promise<{ readonly url: string; readonly asked: readonly EngineRequest[] }> {
  const asked: EngineRequest[] = [];
  const address = await loopback((text, response, { method = "", url = "", headers }) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const request: EngineRequest = {
      method,
      path: decodeURIComponent(pathname),
      params: searchParams,
      body: text === "" ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>),
      headers,
    };
    asked.push(request);
    const answer = change(ENGINES[kind](request, items), request);
    const { status = 200, body = answer } = (answer ?? {}) as { status?: unknown; body?: unknown };
    response
      .writeHead(typeof status === "number" && body !== answer ? status : 200)
      .end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { url: address.replace("/search", ""), asked };
}
