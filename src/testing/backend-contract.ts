import type { Backend, BackendHit, LabelItem } from "../records/index.js";
import type { TestRunner } from "./test-runner.js";

/** What differs between backends that all keep the contract. */
export interface BackendContractOptions {
  /** Whether words that no item has still find the nearest items, as with embeddings. Default false. */
  readonly findsUnknownWords?: boolean | undefined;
}

const ITEMS: readonly LabelItem[] = [
  ["1", "red running shoe"],
  ["02", "blue running shoe"],
  ["1e5", "red woollen hat"],
  ["a b/c?d=é", "green woollen scarf"],
  ["__proto__", "yellow rubber duck"],
  ["🙂", "black rubber boot"],
].map(([id, title]) => ({ id: id as string, fields: { title } }));

/** Many items that one word finds, for pages and limits. */
const MANY: readonly LabelItem[] = Array.from({ length: 45 }, (_, at) => ({
  id: `sock-${at}`,
  fields: { title: `striped sock ${at}` },
}));

/** Syntax of engines, halves of characters, and long text. */
const HOSTILE = [
  'red "shoe',
  "title:shoe) OR (1=1",
  "'; DROP TABLE items; --",
  "{query} {limit} ${shoe} $1",
  "red AND NOT shoe OR",
  "\\ / ? * ~ ^ [a TO b]",
  "shoe\u202e eohs 👩‍👩‍👧‍👦",
  "\ud800shoe\udc00",
  "shoe ".repeat(2000),
  " ",
];

/**
 * The contract of {@link Backend}, as tests that every backend must pass:
 * `backendContract({ describe, it, expect }, "my search", async (items) => mySearch(items))`.
 *
 * @param open a backend that searches just these items in their `title`; called once per test.
 */
export function backendContract(
  runner: TestRunner,
  name: string,
  open: (items: readonly LabelItem[]) => Promise<Backend>,
  options: BackendContractOptions = {},
): void {
  runner.describe(`${name} keeps the contract of a backend`, () => {
    answersQuestions(runner, open, options);
    tellsOfItself(runner, open);
  });
}

type OpenBackend = (items: readonly LabelItem[]) => Promise<Backend>;
type Ask = (backend: Backend, query: string, limit?: number) => Promise<readonly BackendHit[]>;

/** Asks, and holds every answer against what the interface promises. */
function asking(expect: TestRunner["expect"]): Ask {
  return async (backend, query, limit = 10) => {
    const hits = await backend.search(query, Object.freeze({ limit }));
    expect(promisesBroken(hits, limit)).toEqual([]);
    return hits;
  };
}

const idsOf = (hits: readonly BackendHit[]): readonly string[] => hits.map(({ chunk_id }) => chunk_id);

function answersQuestions(
  { it, expect }: TestRunner,
  open: OpenBackend,
  { findsUnknownWords = false }: BackendContractOptions,
): void {
  const askBackend = asking(expect);
  it("finds each item by its words, whatever its id", async () => {
    const backend = await open(ITEMS);
    for (const { id, fields } of ITEMS)
      expect(idsOf(await askBackend(backend, String(fields["title"])))[0]).toEqual(id);
    if (!findsUnknownWords) expect(await askBackend(backend, "zeppelin")).toEqual([]);
    await backend.close?.();
  });
  it("answers questions at once as it does one after the other", async () => {
    const backend = await open(ITEMS);
    const asked = [...ITEMS, ...ITEMS];
    const found = await Promise.all(asked.map(({ fields }) => askBackend(backend, String(fields["title"]))));
    expect(found.map((hits) => idsOf(hits)[0])).toEqual(asked.map(({ id }) => id));
    await backend.close?.();
  });
  it("gives as many hits as are wanted, each once, the best of all, where there are so many", async () => {
    const backend = await open([...ITEMS, ...MANY]);
    const scoresOf = async (limit: number): Promise<readonly (number | null)[]> =>
      (await askBackend(backend, "striped sock", limit)).map(({ score }) => score ?? null);
    const all = await scoresOf(40);
    for (const limit of [1, 10, 40]) expect(await scoresOf(limit)).toEqual(all.slice(0, limit));
    expect(all.length).toEqual(40);
    if (!findsUnknownWords)
      expect((await askBackend(backend, "striped sock", 500)).length).toEqual(MANY.length);
    await backend.close?.();
  });
  it("says of an item what it was made of, in hits that have fields, and in the list", async () => {
    const backend = await open(ITEMS);
    const [hit] = await askBackend(backend, "red woollen hat");
    if (hit?.fields !== undefined) expect(hit.fields["title"]).toEqual("red woollen hat");
    await backend.close?.();
  });
  it("answers any question, or rejects with an error that has a code, and goes on", async () => {
    const backend = await open(ITEMS);
    for (const question of HOSTILE) {
      try {
        await askBackend(backend, question);
      } catch (error) {
        expect(typeof (error as { code?: unknown }).code).toEqual("string");
      }
    }
    expect(idsOf(await askBackend(backend, "yellow rubber duck"))[0]).toEqual("__proto__");
    await backend.close?.();
  });
  it("refuses a limit that is none", async () => {
    const backend = await open(ITEMS);
    const search = async (limit: number): Promise<unknown> => backend.search("shoe", { limit });
    for (const limit of [0, -1, 1.5, Number.NaN])
      await expect(search(limit)).rejects.toMatchObject({ code: "ARGUMENT" });
    await backend.close?.();
  });
  it("ends with the reason of whoever aborts", async () => {
    const backend = await open(ITEMS);
    const search = async (): Promise<unknown> =>
      backend.search("shoe", { limit: 3, signal: AbortSignal.abort("enough") });
    expect(await search().catch((reason: unknown) => reason)).toEqual("enough");
    await backend.close?.();
  });
}

function tellsOfItself({ it, expect }: TestRunner, open: OpenBackend): void {
  const askBackend = asking(expect);
  it("lists every item once, the same again, where it can", async () => {
    const backend = await open([...ITEMS, ...MANY]);
    const listItems = async (): Promise<readonly LabelItem[]> => {
      const items: LabelItem[] = [];
      for await (const item of backend.list?.() ?? []) items.push(item);
      return items;
    };
    if (backend.list !== undefined) {
      const items = await listItems();
      expect(items.map(({ id }) => id).sort()).toEqual([...ITEMS, ...MANY].map(({ id }) => id).sort());
      expect(items.find(({ id }) => id === "02")?.fields["title"]).toEqual("blue running shoe");
      expect(await listItems()).toEqual(items);
    }
    await backend.close?.();
  });
  it("says what a search and a list know of one item alike, so that labels do not go stale", async () => {
    const backend = await open(ITEMS);
    const listed = new Map<string, LabelItem["fields"]>();
    for await (const { id, fields } of backend.list?.() ?? []) listed.set(id, fields);
    for (const { fields } of ITEMS)
      for (const hit of await askBackend(backend, String(fields["title"])))
        if (hit.fields !== undefined && listed.has(hit.chunk_id))
          expect(hit.fields).toEqual(listed.get(hit.chunk_id));
    await backend.close?.();
  });
  it("tells its configuration as JSON, where it can", async () => {
    const backend = await open(ITEMS);
    const told = (await backend.configuration?.()) ?? null;
    expect(JSON.parse(JSON.stringify(told))).toEqual(told);
    await backend.close?.();
  });
}

/** What an answer breaks of what the interface promises. */
function promisesBroken(hits: readonly BackendHit[], limit: number): string[] {
  const ids = hits.map(({ chunk_id }) => chunk_id);
  return [
    hits.length > limit && `${hits.length} hits where ${limit} were wanted`,
    new Set(ids).size < ids.length && "an id twice",
    ids.some((id) => typeof id !== "string" || id === "") && "an id that is no text",
    hits.some(({ doc_id }) => typeof doc_id !== "string" || doc_id === "") && "a hit without a document",
    hits.some(({ rank }, at) => rank != null && rank !== at + 1) && "ranks that are not 1, 2, 3",
    hits.some(({ score }) => score != null && !Number.isFinite(score)) && "a score that is no number",
    hits.some(({ score }, at) => (score ?? -Infinity) > (hits[at - 1]?.score ?? Infinity)) &&
      "a score above the one before it",
  ].filter((broken) => broken !== false);
}
