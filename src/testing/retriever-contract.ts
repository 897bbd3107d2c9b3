import type { TextChunk } from "../chunk/index.js";
import type { Retriever, SearchHit } from "../records/index.js";
import type { TestRunner } from "./test-runner.js";

/** What differs between retrievers that all keep the contract. */
export interface RetrieverContractOptions {
  /** Whether words that no chunk has still find the nearest chunks, as with embeddings. Default false. */
  readonly findsUnknownWords?: boolean | undefined;
  /** Whether titles are searched, too. Default true. */
  readonly searchesTitles?: boolean | undefined;
}

const PLAIN: readonly TextChunk[] = [
  {
    chunk_id: "wing#0",
    doc_id: "wing",
    title: "Swept wings",
    text: "Lift of a swept wing in the slipstream of a propeller",
  },
  {
    chunk_id: "wing#1",
    doc_id: "wing",
    title: "Swept wings",
    text: "Drag rises when the angle of attack does",
  },
  { chunk_id: "garden#0", doc_id: "garden", text: "Tomatoes want sun, water and patience" },
  { chunk_id: "garden#1", doc_id: "garden", text: "Basil grows well beside tomatoes" },
  { chunk_id: "accents#0", doc_id: "accents", text: "Crème brûlée à la façon de Noël" },
  { chunk_id: "empty#0", doc_id: "empty", text: "" },
];

const COLOURS = [
  "violet",
  "indigo",
  "azure",
  "emerald",
  "amber",
  "scarlet",
  "ochre",
  "ivory",
  "maroon",
  "turquoise",
  "crimson",
];

/** Each has a text of its own, so that it can be asked for. */
const ODD_IDS: readonly TextChunk[] = [
  "__proto__",
  "constructor",
  "toString",
  "10",
  "a b",
  'it\'s "quoted"',
  "a\\b/../c",
  "🙂",
  "Straße#ß",
  "'; DROP TABLE chunks; --",
  "\u05d0\u200f",
].map((chunk_id, index) => ({
  chunk_id,
  doc_id: `document of ${chunk_id}`,
  text: `${COLOURS[index]} paint number ${index}`,
}));

const UNSPACED: readonly TextChunk[] = [
  { chunk_id: "中文#0", doc_id: "中文", text: "黑豹队的防守只丢了三百分" },
  { chunk_id: "中文#1", doc_id: "中文", text: "本赛季他贡献的擒杀最多" },
  { chunk_id: "日本語#0", doc_id: "日本語", title: "東京タワー", text: "東京タワーは何メートルですか" },
  { chunk_id: "한국어#0", doc_id: "한국어", text: "오늘은 비가 오니 이 노래가 생각나네" },
];

const UNTITLED: TextChunk = { chunk_id: "sky#0", doc_id: "sky", text: "They flew at noon" };

const CORPUS: readonly TextChunk[] = [...PLAIN, ...ODD_IDS, ...UNSPACED];

const BLANK = ["", " ", "\n\t\u3000", "?! … — ()"];

/** Full-text syntax, halves of characters, and text of 100 kB, of different words and of the same. */
const HOSTILE_QUESTIONS = [
  'swept "wing',
  '"""',
  "wing*",
  "NEAR(swept wing, 2)",
  "swept AND NOT wing OR",
  "text : wing",
  "{title text} : wing",
  "^wing + wing - wing",
  "title:wing) OR (1=1",
  "'; DROP TABLE chunks; --",
  "wing\0slipstream",
  "\ud800wing\udc00",
  "wing \ufffe\uffff\u202e gniw",
  "👩‍👩‍👧‍👦 wing ❤️",
  "__proto__ constructor toString wing",
  "%_\\ wing $1 ${wing}",
  Array.from({ length: 10_000 }, (_, index) => `word${index}`).join(" ") + " wing",
  "wing ".repeat(20_000),
  "黑豹队".repeat(11_000),
  "x".repeat(100_000),
];

const QUESTIONS = [
  "wing",
  "swept wing slipstream",
  "tomatoes and basil",
  "paint",
  "crème",
  "防守",
  "東京タワー",
  "노래가",
  "number 3 paint of a wing",
];

type MakeRetriever = (chunks: readonly TextChunk[]) => Retriever | Promise<Retriever>;

/**
 * The contract of {@link Retriever}, as tests that every retriever must pass:
 * `retrieverContract({ describe, it, expect }, "my search", async (chunks) => mySearch(chunks))`.
 *
 * @param make makes a retriever that searches just these chunks, in title and text; called once per test.
 */
export function retrieverContract(
  runner: TestRunner,
  name: string,
  make: (chunks: readonly TextChunk[]) => Retriever | Promise<Retriever>,
  options: RetrieverContractOptions = {},
): void {
  runner.describe(`${name} keeps the contract of a retriever`, () => {
    findsChunks(runner, make, options);
    takesQuestionsAtOnce(runner, make);
    takesAnyQuestion(runner, make, options);
  });
}

type Ask = (retriever: Retriever, query: string, limit?: number) => Promise<readonly SearchHit[]>;

/** Asks, and holds every answer against what the interface promises. */
function asking(expect: TestRunner["expect"]): Ask {
  return async (retriever, query, limit = 10) => {
    const hits = await retriever.search(query, Object.freeze({ limit }));
    expect(promisesBroken(hits, limit)).toEqual([]);
    return hits;
  };
}

function idsOf(list: readonly { readonly chunk_id: string }[]): string[] {
  return list.map(({ chunk_id }) => chunk_id);
}

function findsChunks(
  { it, expect }: TestRunner,
  make: MakeRetriever,
  { searchesTitles = true }: RetrieverContractOptions,
): void {
  const ask = asking(expect);
  const bestFor = async (
    retriever: Retriever,
    chunks: readonly TextChunk[],
  ): Promise<(string | undefined)[]> => {
    const best: (string | undefined)[] = [];
    for (const { text } of chunks) best.push((await ask(retriever, text))[0]?.chunk_id);
    return best;
  };

  it(
    "finds something, at ranks from 1 without gaps, best scores first, each chunk once and with " +
      "its document",
    async () => {
      const retriever = await make(CORPUS);
      for (const question of QUESTIONS.slice(0, 4))
        expect((await ask(retriever, question)).length > 0).toEqual(true);
      for (const question of QUESTIONS) await ask(retriever, question);
    },
  );

  it("has a chunk first for the whole of its text", async () => {
    const asked = PLAIN.filter(({ text }) => text !== "");
    expect(await bestFor(await make(CORPUS), asked)).toEqual(idsOf(asked));
  });

  if (searchesTitles)
    it("finds chunks by what stands in their titles alone", async () => {
      const retriever = await make([...PLAIN, ...ODD_IDS, { ...UNTITLED, title: "Zeppelins over the lake" }]);
      expect((await ask(retriever, "zeppelins over the lake"))[0]?.chunk_id).toEqual(UNTITLED.chunk_id);
    });

  it("has a chunk in Chinese, Japanese or Korean first for the whole of its text", async () => {
    expect(await bestFor(await make(CORPUS), UNSPACED)).toEqual(idsOf(UNSPACED));
  });

  it("gives back ids that look like something else", async () => {
    expect(await bestFor(await make(CORPUS), ODD_IDS)).toEqual(idsOf(ODD_IDS));
  });

  it("gives for a smaller limit the beginning of the longer list, from one hit on", async () => {
    const retriever = await make(CORPUS);
    for (const question of QUESTIONS) {
      const all = await ask(retriever, question, CORPUS.length);
      for (const limit of [1, 2, 5])
        expect(await ask(retriever, question, limit)).toEqual(all.slice(0, limit));
    }
  });

  it("takes a limit beyond the corpus", async () => {
    const retriever = await make(CORPUS);
    expect(await ask(retriever, "paint", 1_000_000)).toEqual(await ask(retriever, "paint", CORPUS.length));
  });

  it("gives the same hits for the same question, whatever was asked in between", async () => {
    const retriever = await make(CORPUS);
    const first: (readonly SearchHit[])[] = [];
    for (const question of QUESTIONS) first.push(structuredClone(await ask(retriever, question)));
    for (const [index, question] of QUESTIONS.entries())
      expect(await ask(retriever, question)).toEqual(first[index]);
  });
}

function takesQuestionsAtOnce({ it, expect }: TestRunner, make: MakeRetriever): void {
  const ask = asking(expect);
  it("answers questions at once as it does one after the other", async () => {
    const retriever = await make(CORPUS);
    const found = await Promise.all(ODD_IDS.map(({ text }) => ask(retriever, text)));
    expect(found.map(([first]) => first?.chunk_id)).toEqual(idsOf(ODD_IDS));
  });

  it("leaves the chunks as it was given them", async () => {
    const chunks = structuredClone(CORPUS);
    await ask(await make(chunks), "wing");
    expect(chunks).toEqual(CORPUS);
  });
}

function takesAnyQuestion(
  { it, expect }: TestRunner,
  make: MakeRetriever,
  { findsUnknownWords = false }: RetrieverContractOptions,
): void {
  const ask = asking(expect);

  it("finds nothing for a question without words", async () => {
    const retriever = await make(CORPUS);
    for (const question of BLANK) expect(await ask(retriever, question)).toEqual([]);
  });

  if (!findsUnknownWords) {
    it("finds nothing for words that no chunk has", async () => {
      expect(await ask(await make(CORPUS), "xyzzy plugh")).toEqual([]);
    });
  }

  it("answers the syntax of search engines, broken characters, and 100 kB of text", async () => {
    const retriever = await make(CORPUS);
    for (const question of HOSTILE_QUESTIONS) await ask(retriever, question);
  });

  it("finds what stands beside the syntax of search engines", async () => {
    const retriever = await make(CORPUS);
    const [{ chunk_id, text }] = PLAIN as [TextChunk];
    for (const question of [
      `"${text}`,
      `${text}*`,
      `NEAR(${text}, 2)`,
      `(${text})`,
      `^${text} NOT`,
      `title : ${text} -`,
    ])
      expect((await ask(retriever, question))[0]?.chunk_id).toEqual(chunk_id);
  });

  it("finds nothing in nothing", async () => {
    expect(await ask(await make([]), "wing")).toEqual([]);
  });
}

const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  [...CORPUS, UNTITLED].map(({ chunk_id, doc_id }) => [chunk_id, doc_id]),
);

/** What the interface promises of every answer, and this one does not keep. */
function promisesBroken(hits: readonly SearchHit[], limit: number): string[] {
  const broken: string[] = [];
  const say = (isBroken: boolean, what: string): void => void (isBroken && broken.push(what));
  say(hits.length > limit, `${hits.length} hits for a limit of ${limit}`);
  say(new Set(hits.map(({ chunk_id }) => chunk_id)).size < hits.length, "a chunk is duplicated");
  hits.forEach(({ chunk_id, doc_id, rank, score }, index) => {
    say(doc_id !== DOCUMENTS.get(chunk_id), `chunk ${chunk_id} has the document ${doc_id}`);
    say(rank !== undefined && rank !== null && rank !== index + 1, `hit ${index + 1} has rank ${rank}`);
    const before = hits[index - 1]?.score ?? Infinity;
    say(
      score !== undefined && score !== null && !(Number.isFinite(score) && score <= before),
      `hit ${index + 1} has score ${score} after ${before}`,
    );
  });
  return broken;
}
