// Retrieval over made-up corpora of growing size: each in a process of its own, so that its memory is its
// own; ratios to SQLite's FTS5 in WebAssembly and to cosines over arrays of numbers.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import sqlite from "node-sqlite3-wasm";
import { eng } from "stopword";
import {
  embeddingIndex,
  fts5Analyzer,
  fts5Retriever,
  lexicalIndex,
  loadEmbeddingIndex,
  loadLexicalIndex,
} from "../dist/retrieve/index.js";
import { naiveCosine } from "./naive-retrieval.js";
import { generator } from "./naive-statistics.js";
import { pairedRatio } from "./paired.js";

const SIZES = [10_000, 30_000, 100_000];
const WORDS_A_CHUNK = 100;
const WORDS_A_QUESTION = 8;
const VOCABULARY = 50_000;
const QUESTIONS = 100;
const DIMENSIONS = 384;
const LIMIT = 10;
const PAIRS = 15;
const ROUNDS = 7;
/** Of work that takes seconds. */
const FEW_PAIRS = 5;

/**
 * Words by frequency: English stop words, as in English, then syllables; each chosen about as often as Zipf
 * says.
 */
function zipf(random) {
  const syllables = [
    "ba",
    "de",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "xi",
    "yo",
    "zu",
    "fla",
    "gro",
    "stre",
    "shi",
    "thon",
  ];
  const word = (number) =>
    (number < syllables.length ? "" : word(Math.floor(number / syllables.length))) +
    syllables[number % syllables.length];
  const words = [...eng, ...Array.from({ length: VOCABULARY - eng.length }, (_, index) => word(index + 400))];
  return () => words[Math.floor((VOCABULARY + 1) ** random()) - 1];
}

const text = (next, words) => Array.from({ length: words }, next).join(" ");
const vector = (random) => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
const megabytes = (bytes) => Math.round(bytes / 2 ** 20);
const peak = () => Math.round(process.resourceUsage().maxRSS / 1024);

function timed(work) {
  const start = performance.now();
  const made = work();
  return [made, performance.now() - start];
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/**
 * The mean of all questions, because they differ; the median of several rounds, because rounds should not.
 */
const perQuestion = (questions, work) =>
  median(Array.from({ length: ROUNDS }, () => timed(() => questions.forEach(work))[1])) / questions.length;

const measured = {
  lexical(size) {
    const next = zipf(generator(1));
    const chunks = Array.from({ length: size }, (_, index) => ({
      chunk_id: `c${index}`,
      doc_id: `d${index}`,
      text: text(next, WORDS_A_CHUNK),
    }));
    const questions = Array.from({ length: QUESTIONS }, () => text(next, WORDS_A_QUESTION));
    globalThis.gc();
    const corpus = process.memoryUsage.rss();
    const [index, indexing] = timed(() => lexicalIndex(chunks));
    const indexed = peak() - megabytes(corpus);
    const search = (question) => index.search(question, { limit: LIMIT });
    questions.forEach(search);
    const query = perQuestion(questions, search);
    const memory = peak();
    const [bytes, writing] = timed(() => index.toBytes());
    const [, reading] = timed(() => loadLexicalIndex(bytes));
    const database = new sqlite.Database(":memory:");
    const adapter = {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql);
        return { run: (...values) => statement.run(values), all: (...values) => statement.all(values) };
      },
    };
    const [fts5, fts5Indexing] = timed(() => fts5Retriever(adapter, chunks));
    const sameRanking = lexicalIndex(chunks, { analyzer: fts5Analyzer, idf: "fts5", weights: { title: 1 } });
    const few = questions.slice(0, 10);
    const all = (retriever) => () => few.forEach((question) => retriever.search(question, { limit: LIMIT }));
    const pairs = size > 50_000 ? FEW_PAIRS : PAIRS;
    return {
      indexing,
      indexed,
      bytes: bytes.length,
      writing,
      reading,
      query,
      memory,
      fts5Indexing,
      toFts5: pairedRatio(all(index), all(fts5), pairs),
      sameToFts5: pairedRatio(all(sameRanking), all(fts5), pairs),
    };
  },

  async embedding(size) {
    const random = generator(2);
    const vectors = Array.from({ length: size }, () => vector(random));
    const questions = Array.from({ length: QUESTIONS }, () => vector(random));
    const names = questions.map((_, number) => `q${number}`);
    const provider = {
      model: "bench",
      identity: "bench",
      embed: async (texts, { kind }) =>
        kind === "document" ? vectors : texts.map((name) => questions[Number(name.slice(1))]),
    };
    const chunks = vectors.map((_, index) => ({ chunk_id: `c${index}`, doc_id: `d${index}`, text: "x" }));
    globalThis.gc();
    let start = performance.now();
    const index = await embeddingIndex(chunks, provider);
    const indexing = performance.now() - start;
    const ours = [];
    for (const name of names) {
      start = performance.now();
      await index.search(name, { limit: LIMIT });
      ours.push(performance.now() - start);
    }
    start = performance.now();
    await index.searchAll(names, { limit: LIMIT });
    const together = performance.now() - start;
    const memory = peak();
    const [bytes, writing] = timed(() => index.toBytes());
    const [, reading] = timed(() => loadEmbeddingIndex(bytes, provider));
    const rows = vectors.map((row) => Array.from(row));
    const plain = questions.map((row) => Array.from(row));
    const theirs = [];
    const ratios = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const naive = () => theirs.push(timed(() => naiveCosine(rows, plain[pair], LIMIT))[1]);
      if (pair % 2 === 1) naive();
      start = performance.now();
      await index.search(names[pair], { limit: LIMIT });
      const own = performance.now() - start;
      if (pair % 2 === 0) naive();
      ratios.push(own / theirs.at(-1));
    }
    return {
      indexing,
      bytes: bytes.length,
      writing,
      reading,
      query: median(ours),
      together,
      memory,
      naive: median(theirs),
      ratio: median(ratios),
    };
  },
};

/** Measures in a process of its own. */
function inOwnProcess(kind, size) {
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--expose-gc", fileURLToPath(import.meta.url), kind, String(size)],
    { stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 20 },
  );
  if (status !== 0) throw new Error(`${kind} of ${size} chunks failed`);
  return JSON.parse(stdout);
}

const shown = (milliseconds) =>
  milliseconds < 10
    ? `${milliseconds.toFixed(2)} ms`
    : milliseconds < 1000
      ? `${milliseconds.toFixed(0)} ms`
      : `${(milliseconds / 1000).toFixed(1)} s`;
const label = (size) => `${size.toLocaleString("en")} chunks`.padStart(16);

const [kind, given] = process.argv.slice(2);
if (kind !== undefined) console.log(JSON.stringify(await measured[kind](Number(given))));
else {
  console.log(
    `full text: chunks of ${WORDS_A_CHUNK} words, questions of ${WORDS_A_QUESTION}, the best ` +
      `${LIMIT} (below 1 is faster)`,
  );
  let first;
  for (const size of SIZES) {
    const { indexing, indexed, bytes, writing, reading, query, memory, fts5Indexing, toFts5, sameToFts5 } =
      inOwnProcess("lexical", size);
    first ??= { indexing: indexing / size, query: query / size };
    console.log(
      `${label(size)}: indexed in ${shown(indexing)} (a chunk: ` +
        `${(indexing / size / first.indexing).toFixed(2)} of the first line), ${megabytes(bytes)} MB ` +
        `stored, written in ${shown(writing)}, read in ${shown(reading)}; a question ${shown(query)} ` +
        `(a chunk: ${(query / size / first.query).toFixed(2)}); peak ${memory} MB, ${indexed} MB of ` +
        "it for the index",
    );
    console.log(
      `${"".padStart(18)}FTS5: indexed in ${shown(fts5Indexing)}, ratio ` +
        `${(indexing / fts5Indexing).toFixed(2)}; ten questions ${shown(toFts5.b)}, ratio ` +
        `${toFts5.ratio.toFixed(3)}, with the same words and ranking ${sameToFts5.ratio.toFixed(3)}`,
    );
  }
  console.log(`embeddings: ${DIMENSIONS} dimensions, the best ${LIMIT}`);
  first = undefined;
  for (const size of SIZES) {
    const { indexing, bytes, writing, reading, query, together, memory, naive, ratio } = inOwnProcess(
      "embedding",
      size,
    );
    first ??= query / size;
    console.log(
      `${label(size)}: indexed in ${shown(indexing)}, ${megabytes(bytes)} MB stored, written in ` +
        `${shown(writing)}, read in ${shown(reading)}; a question ${shown(query)} (a chunk: ` +
        `${(query / size / first).toFixed(2)} of the first line), naive ${shown(naive)}, ratio ` +
        `${ratio.toFixed(3)}; ${QUESTIONS} together ${shown(together)}, ` +
        `${(together / QUESTIONS / query).toFixed(2)} of one by one; peak ${memory} MB`,
    );
  }
}
