import { checkLimit, isRecord } from "../foundation/checks/index.js";
import { InputError, kindInWords, quote } from "../foundation/errors/index.js";
import { canonicalJson, parseJson } from "../foundation/text/index.js";
import {
  isRoundedId,
  ROUNDED_ID,
  searchHitsFrom,
  type Backend,
  type BackendHit,
  type HttpBackendConfig,
  type ItemListConfig,
  type LabelItem,
} from "../records/index.js";
import { confidentialValues } from "./confidential-values.js";
import { checkNames, fillTemplate, fillText, namesIn, type TemplateValues } from "./fill-template.js";
import { atPointer } from "./json-pointer.js";
import {
  jsonOf,
  searchService,
  type SearchRequest,
  type SearchService,
  type SearchServiceOptions,
} from "./search-service.js";

/** How a search service is asked, and where its answers have what, as data. */
export type HttpSearch = Omit<HttpBackendConfig, "kind" | "url" | keyof ServiceSettings>;

/** A search whose answer without a list may say that nothing was found, also where hits are not counted. */
export type AskedSearch = HttpSearch & { readonly countedAt?: string | undefined };

/** How a service is spoken to, as a configuration says it. */
export type ServiceSettings = Pick<
  HttpBackendConfig,
  "headers" | "timeoutMs" | "retries" | "concurrency" | "requestsPerMinute" | "maxAnswerBytes"
>;

/** A search service behind HTTP. */
export interface HttpBackendOptions extends SearchServiceOptions {
  readonly url: string;
  /** Default: `{"query", "limit", "query_id"}` is posted, and hits are read as `httpRetriever` reads them. */
  readonly search?: AskedSearch | undefined;
  /** Ids of requests, for tests; random ones by default. */
  readonly requestId?: (() => string) | undefined;
}

/** What a template of a search may name, and what one of a list, besides the variables. */
const OF_SEARCH = ["query", "limit", "offset", "page", "query_id"];
/** What stands for something in the list of items. */
export const listNames: readonly string[] = ["limit", "offset", "page", "cursor"];
const PLAIN_BODY = { query: "{query}", limit: "{limit}", query_id: "{query_id}" };
const RETRIES = 2;
const CONCURRENCY = 4;
const LIST_PAGE = 1000;
/** A list that never ends is one whose cursor stands still or turns in a circle. */
const MOST_PAGES = 1_000_000;
/** No answer has a member of this name. */
const NOWHERE = "/ ";

/**
 * A live search that is described by data: what is sent, and by JSON Pointers where its answers have hits,
 * ids, scores and fields. Each request has an `X-Request-ID` of its own.
 *
 * @throws InputError `ARGUMENT` for an address that is none, `CONFIG` for a name that stands for nothing.
 */
export function httpBackend({
  url,
  search = {},
  requestId = randomId,
  ...options
}: HttpBackendOptions): Backend {
  const service = searchService(url, {
    ...options,
    retries: options.retries ?? RETRIES,
    concurrency: options.concurrency ?? CONCURRENCY,
  });
  const { variables = {}, configuration } = search;
  const { path, method } = search;
  const list = search.list && {
    path,
    method,
    ...(search.list.path === undefined && { items: search.hits }),
    ...search.list,
  };
  const known = Object.keys(variables);
  const { where } = service;
  for (const part of [search, list, configuration])
    if (/[?#]/.test(part?.path ?? ""))
      throw new InputError(
        "CONFIG",
        `${where}: a path has no ? and no #; give what follows under \`params\``,
      );
  // A key may stand in a parameter of its own.
  const secrets = [search, list, configuration]
    .flatMap((part) => [
      ...Object.values(part?.params ?? {}).filter((value) => !value.includes("{")),
      ...confidentialValues({ ...part, variables }),
    ])
    .sort((a, b) => b.length - a.length);
  checkNames([search.path, search.params, search.body], [...OF_SEARCH, ...known], where);
  checkNames([list?.path, list?.params, list?.body], [...listNames, ...known], where);
  checkNames([configuration?.path, configuration?.params, configuration?.body], known, where);
  const ask = (shape: RequestShape, values: TemplateValues, id: string, signal?: AbortSignal) =>
    service.ask(
      { ...requestOf(shape, { ...variables, ...values }), headers: { "x-request-id": id }, secrets, signal },
      (body) => reasonIn(body, search.error),
    );
  return {
    async search(query, { limit, queryId, signal, onTrace }) {
      checkLimit(limit);
      const ids: string[] = [];
      let answer: unknown;
      try {
        return await pageHits(search, service, limit, async (values) => {
          const id = requestId();
          ids.push(id);
          // What is never answered is looked for in the log, too.
          onTrace?.({ request_ids: [...ids] });
          const plain = search.body === undefined && search.params === undefined && method !== "GET";
          const shape = plain ? { ...search, body: PLAIN_BODY } : search;
          answer = jsonOf(await ask(shape, { ...values, query, query_id: queryId }, id, signal), service);
          return answer;
        });
      } finally {
        onTrace?.({ request_ids: ids, ...traceOf(search, answer) });
      }
    },
    ...(list && {
      list: ({ signal } = {}) =>
        listPages(search, list, service, async (values) => {
          const reply = await ask(list, values, requestId(), signal);
          return list.isJsonl === true ? linesOf(reply.body, service) : jsonOf(reply, service);
        }),
    }),
    ...(configuration && {
      configuration: async ({ signal } = {}) =>
        jsonOf(await ask(configuration, {}, requestId(), signal), service),
    }),
  };
}

type RequestShape = Pick<HttpSearch, "method" | "path" | "params" | "body">;

function requestOf({ method, path, params = {}, body }: RequestShape, values: TemplateValues): SearchRequest {
  return {
    method,
    ...(path !== undefined && { path: fillText(path, values, pathPart) }),
    params: Object.entries(params).flatMap(([name, template]) => {
      const value = fillTemplate(template, values) as string | number | undefined;
      return value === undefined ? [] : [[name, String(value)] as const];
    }),
    body: fillTemplate(body, values),
  };
}

/** @throws InputError `ARGUMENT` for what an address would take for a way upwards. */
function pathPart(value: string): string {
  if (value === "." || value === "..")
    throw new InputError("ARGUMENT", `${quote(value)} cannot stand in the path of an address`);
  return encodeURIComponent(value);
}

/** As many hits as are wanted, of as many pages as that takes; of two with one id the first. */
async function pageHits(
  search: AskedSearch,
  service: SearchService,
  limit: number,
  ask: (values: TemplateValues) => Promise<unknown>,
): Promise<BackendHit[]> {
  const { pageSize = limit } = search;
  const total = pointerOfTotal(search);
  const size = Math.min(limit, pageSize);
  const isPaged = namesIn([search.path, search.params, search.body]).some(
    (name) => name === "offset" || name === "page",
  );
  if (size < limit && !isPaged)
    throw service.failed(
      `gives ${pageSize} hits at most, and ${limit} are wanted; ask for fewer, or name \`{offset}\` or ` +
        "`{page}` in what is sent",
    );
  const hits = new Map<string, BackendHit>();
  let last: readonly string[] = [];
  for (let [offset, page] = [0, 1]; ; page++) {
    const answer = await ask({ limit: size, offset, page });
    refusePart(search, service, answer);
    const found = hitsOf(search, service, answer, offset);
    const before = hits.size;
    for (const hit of found) if (!hits.has(hit.chunk_id)) hits.set(hit.chunk_id, hit);
    // Hits of one id may fill several pages; the same ones in the same order are the same page.
    const ids = found.map(({ chunk_id }) => chunk_id);
    const isSame = new Set(ids).size > 1 && ids.join("\n") === last.join("\n");
    last = ids;
    offset += isSame ? 0 : found.length;
    // A service may give fewer than a page has; only one without new hits is the last.
    if (isPaged && offset < limit && hits.size > before) continue;
    const counted = total === undefined ? undefined : atPointer(answer, total);
    if (total !== undefined && counted === undefined)
      throw service.failed(
        `answered without a count of hits at ${quote(total)} (\`total\`); say where it is, or ` +
          "`total: false`",
      );
    // A service that shortens the list without a word would make every score a lie.
    if (typeof counted === "number" && offset < Math.min(limit, counted))
      throw service.failed(
        `answered with ${offset} of ${counted} hits, and ${limit} were wanted; ` +
          (isSame
            ? `page ${page} was the one before again: does it read what is sent as ` +
              "`{offset}` or `{page}`?"
            : "give its limit as `pageSize`, or `total: false` where it counts what it then puts together " +
              "(collapse, grouping)"),
      );
    return [...hits.values()].slice(0, limit).map((hit, at) => ({ ...hit, rank: at + 1 }));
  }
}

/** Undefined where hits are not counted. */
function pointerOfTotal({ total }: HttpSearch): string | undefined {
  return total === false ? undefined : total;
}

/** Hits that a busy engine has left out would be taken for worse ones. */
function refusePart({ partial = [] }: HttpSearch, service: SearchService, answer: unknown): void {
  for (const pointer of partial) {
    const found = atPointer(answer, pointer);
    const isNothing = !found || (Array.isArray(found) && found.length === 0);
    if (!isNothing)
      throw service.failed(`answered with a part of its hits: ${quote(pointer)} is ${quote(found)}`);
  }
}

/** The hits of one answer, repeated ones included. */
function hitsOf(search: AskedSearch, service: SearchService, answer: unknown, offset: number): BackendHit[] {
  const { hits, hit: { id = "/id", score, lowerIsBetter = false, fields = "", omit, features } = {} } =
    search;
  if (hits === undefined) return searchHitsFrom(answer, service.where);
  const list = atPointer(answer, hits);
  // Some services leave the list out where nothing is found.
  const counted = pointerOfTotal(search) ?? search.countedAt;
  if (list === undefined && counted !== undefined && atPointer(answer, counted) === 0) return [];
  if (!Array.isArray(list))
    throw service.failed(`must answer with a list at ${quote(hits)}, got ${kindInWords(list)}`);
  const read = (list as readonly unknown[]).map((hit, at): BackendHit => {
    const wrong = (pointer: string, what: string): Error =>
      service.failed(`answered with hit ${offset + at + 1}, which has no ${what} at ${quote(pointer)}`);
    const name = idOf(atPointer(hit, id));
    if (name === undefined)
      throw service.failed(`answered with hit ${offset + at + 1}, ${idProblem(hit, id)}`);
    const value = score === undefined ? null : (atPointer(hit, score) ?? null);
    if (value !== null && !Number.isFinite(value)) throw wrong(score ?? "", "finite score");
    const own = fieldsOf(atPointer(hit, fields), omit);
    const numbers = features === undefined ? undefined : atPointer(hit, features);
    return {
      chunk_id: name,
      doc_id: name,
      score: value === null || !lowerIsBetter ? (value as number | null) : -(value as number),
      ...(own && { fields: own }),
      ...(isRecord(numbers) && {
        features: Object.fromEntries(
          Object.entries(numbers).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
        ),
      }),
    };
  });
  if (score !== undefined && list.length > 0 && list.every((hit) => atPointer(hit, score) === undefined))
    throw service.failed(`answered with hits of which none has a score at ${quote(score)} (\`hit.score\`)`);
  return read;
}

async function* listPages(
  search: HttpSearch,
  list: ItemListConfig,
  service: SearchService,
  ask: (values: TemplateValues) => Promise<unknown>,
): AsyncGenerator<LabelItem> {
  const { items = "", next, nextOfLast, start, pageSize = LIST_PAGE } = list;
  const { id = "/id", fields = "", omit } = list.item ?? search.hit ?? {};
  const isPaged = namesIn([list.path, list.params, list.body]).some((name) =>
    ["cursor", "offset", "page"].includes(name),
  );
  const seen = new Set<string>();
  let cursor: unknown = start;
  for (let [offset, page] = [0, 1]; page <= MOST_PAGES; page++) {
    const answer = await ask({
      limit: pageSize,
      offset,
      page,
      cursor: cursor as string | number | undefined,
    });
    const found = atPointer(answer, items);
    if (!Array.isArray(found))
      throw service.failed(
        `must have a list at ${items === "" ? "the top of its answer" : quote(items)}, where ` +
          `\`list.items\` points, got ${kindInWords(found)}`,
      );
    const before = seen.size;
    for (const each of found as readonly unknown[]) {
      const name = idOf(atPointer(each, id));
      if (name === undefined) throw service.failed(`lists item ${offset + 1}, ${idProblem(each, id)}`);
      offset++;
      if (seen.has(name)) continue;
      seen.add(name);
      const own = fieldsOf(atPointer(each, fields), omit);
      if (own === undefined)
        throw service.failed(`lists item ${quote(name)}, which has no fields at ${quote(fields)}`);
      yield { id: name, fields: own };
    }
    if (!isPaged && list.isJsonl !== true && found.length >= pageSize)
      throw service.failed(
        `lists ${found.length} items in one answer, and there may be more; name \`{cursor}\`, ` +
          "`{offset}` or `{page}` in what is sent",
      );
    const following =
      next === undefined ? atPointer(found.at(-1), nextOfLast ?? NOWHERE) : atPointer(answer, next);
    const hasCursor = next !== undefined || nextOfLast !== undefined;
    const isLast = hasCursor
      ? following == null || canonicalJson(following) === canonicalJson(cursor ?? null)
      : seen.size === before;
    if (!isPaged || isLast || (found.length === 0 && next === undefined)) {
      const total = pointerOfTotal(search);
      const counted = total === undefined ? undefined : atPointer(answer, total);
      if (typeof counted === "number" && counted > offset)
        throw service.failed(
          `lists ${offset} of ${counted} items; name \`{cursor}\`, \`{offset}\` or \`{page}\` in what ` +
            "is sent",
        );
      return;
    }
    cursor = following;
  }
  throw service.failed("lists its items without an end");
}

function traceOf({ plan, channels }: HttpSearch, answer: unknown): object {
  return {
    ...(plan !== undefined && { plan: atPointer(answer, plan) }),
    ...(channels && {
      channels: Object.fromEntries(
        Object.entries(channels).map(([name, pointer]) => {
          const list = atPointer(answer, pointer);
          return [name, Array.isArray(list) ? list.map(idOf).filter((id) => id !== undefined) : []];
        }),
      ),
    }),
  };
}

function linesOf(body: string, service: SearchService): unknown[] {
  return body
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, at) => {
      try {
        return parseJson(line);
      } catch {
        throw service.failed(`answered with something that is not JSON in line ${at + 1}`);
      }
    });
}

function reasonIn(body: string, pointers: HttpSearch["error"] = []): string | undefined {
  try {
    const answer = parseJson(body);
    return [pointers]
      .flat()
      .map((pointer) => atPointer(answer, pointer))
      .find((reason) => typeof reason === "string" && reason !== "") as string | undefined;
  } catch {
    return undefined;
  }
}

/** A number becomes text once, here; one that JSON may have rounded is another item's. */
function idOf(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" && !isRoundedId(value) ? String(value) : undefined;
}

function idProblem(item: unknown, pointer: string): string {
  return isRoundedId(atPointer(item, pointer))
    ? `whose id at ${quote(pointer)} ${ROUNDED_ID}`
    : `which has no id at ${quote(pointer)}`;
}

function fieldsOf(value: unknown, omit: readonly string[] = []): LabelItem["fields"] | undefined {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !omit.includes(name)))
    : undefined;
}

const randomId = (): string => globalThis.crypto.randomUUID();
