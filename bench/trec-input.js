// Makes a TREC run and its judgments that look like what users have; the same every time.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** splitmix32 */
function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const hex = (number) => (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");

/** Document ids by their number: short ones, names with a common beginning, long ones without. */
const idForms = {
  numbers: (number) => String(number),
  names: (number) =>
    `clueweb12-0000tw-${String(number % 100).padStart(2, "0")}-${String(number).padStart(7, "0")}`,
  uuids: (number) =>
    [
      hex(number),
      hex(number + 1).slice(4),
      `4${hex(number + 2).slice(5)}`,
      `a${hex(number + 3).slice(5)}`,
      hex(number + 4) + hex(number + 5).slice(4),
    ].join("-"),
};

/** As search engines print scores, and as dense models do. */
const scoreForms = {
  decimals: (score) => score.toFixed(6),
  dense: (score) => String(Math.fround(score / 32)),
};

const DOCUMENTS = 8_841_823;
/** One in a hundred hits has the score of the one before, as with BM25 at 6 decimals. */
const TIED = 0.01;
const FOUND = 0.75;

/** Query ids that do not rise; all different, because the factor is odd. */
const queryId = (query) => String(Math.imul(query + 1, 0x9e3779b1) & 0xffffff);

function gradeOf(roll) {
  return roll < 0.9 ? 0 : roll < 0.95 ? 1 : roll < 0.98 ? 2 : 3;
}

/** The judged documents of a query with their grades, and its hits with their scores, best first. */
function queryOf(query, { hits, judged }) {
  const next = random(query * 31 + hits);
  const judgments = new Map();
  while (judgments.size < judged)
    judgments.set(Math.floor(next() * DOCUMENTS), judgments.size === 0 ? 3 : gradeOf(next()));
  const found = new Set([...judgments.keys()].filter(() => next() < FOUND).slice(0, hits));
  while (found.size < hits) found.add(Math.floor(next() * DOCUMENTS));
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const scored = [...found]
    .map((document) => ({ document, score: 12 + 2 * normal() + 2 * (judgments.get(document) ?? 0) }))
    .sort((a, b) => b.score - a.score);
  for (let i = 1; i < scored.length; i++) if (next() < TIED) scored[i].score = scored[i - 1].score;
  return { judgments, scored };
}

/** A file that is written in large pieces. */
function output(path) {
  const file = openSync(path, "w");
  let lines = [];
  const flush = () => {
    writeSync(file, lines.join(""));
    lines = [];
  };
  return {
    add(line) {
      if (lines.push(line) === 100_000) flush();
    },
    end() {
      flush();
      closeSync(file);
    },
  };
}

/** In which order lines stand: for the place of a line, that of the line in a file of grouped queries. */
function placeOf(order, queries, hits) {
  if (order === "grouped") return (place) => place;
  if (order === "interleaved") return (place) => (place % queries) * hits + Math.floor(place / queries);
  const places = Uint32Array.from({ length: queries * hits }, (_, place) => place);
  const next = random(queries);
  for (let i = places.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [places[i], places[j]] = [places[j], places[i]];
  }
  return (place) => places[place];
}

/**
 * Writes `run.txt` and `qrels.txt` into a folder: `queries` x `hits` lines, falling within a query, and
 * `judged` judgments a query, of which three in four are found.
 */
export function writeTrecInput(
  folder,
  { queries, hits, judged = 200, ids = "numbers", scores = "decimals", order = "grouped" },
) {
  mkdirSync(folder, { recursive: true });
  const [idOf, printed] = [idForms[ids], scoreForms[scores]];
  const [run, qrels] = [output(join(folder, "run.txt")), output(join(folder, "qrels.txt"))];
  const kept =
    order === "grouped"
      ? null
      : { documents: new Uint32Array(queries * hits), scores: new Float64Array(queries * hits) };
  const write = (query, document, rank, score) =>
    run.add(`${queryId(query)} Q0 ${idOf(document)} ${rank} ${printed(score)} bench\n`);
  for (let query = 0; query < queries; query++) {
    const { judgments, scored } = queryOf(query, { hits, judged });
    for (const [document, grade] of judgments) qrels.add(`${queryId(query)} 0 ${idOf(document)} ${grade}\n`);
    scored.forEach(({ document, score }, index) => {
      if (kept === null) write(query, document, index + 1, score);
      else [kept.documents[query * hits + index], kept.scores[query * hits + index]] = [document, score];
    });
  }
  const at = placeOf(order, queries, hits);
  for (let place = 0; kept !== null && place < kept.documents.length; place++) {
    const from = at(place);
    write(Math.floor(from / hits), kept.documents[from], (from % hits) + 1, kept.scores[from]);
  }
  run.end();
  qrels.end();
}
