// What one would write by hand: read the file, split it into lines, keep a Map of Maps, sort each query,
// compute.
import { readFileSync } from "node:fs";

function mapOfMaps(path, columns) {
  const [id, value] = columns;
  const queries = new Map();
  for (const line of linesOf(path)) {
    const fields = line.split(/\s+/);
    if (fields.length <= value) continue;
    let query = queries.get(fields[0]);
    if (query === undefined) queries.set(fields[0], (query = new Map()));
    query.set(fields[id], Number(fields[value]));
  }
  return queries;
}

/** Lines of a file that may be longer than the longest string. */
function* linesOf(path) {
  const bytes = readFileSync(path);
  const most = 1 << 26;
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(bytes.length, start + most);
    if (end < bytes.length) end = bytes.lastIndexOf(10, end) + 1;
    yield* bytes.toString("utf8", start, end).split("\n");
    start = end;
  }
}

const CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

function scoresOf(ranking, judged) {
  const grades = ranking.map((doc) => judged.get(doc) ?? 0);
  const ideal = [...judged.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const relevant = ideal.length;
  const dcg = (list, k) => list.slice(0, k).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
  const scores = {};
  let hits = 0;
  let precisions = 0;
  let first = 0;
  const hitsAt = grades.map((grade, i) => {
    if (grade >= 1) {
      hits++;
      precisions += hits / (i + 1);
      if (first === 0) first = i + 1;
    }
    return hits;
  });
  const at = (k) => (hitsAt.length === 0 ? 0 : hitsAt[Math.min(k, hitsAt.length) - 1]);
  scores.AP = relevant === 0 ? 0 : precisions / relevant;
  scores.RR = first === 0 ? 0 : 1 / first;
  scores.Rprec = relevant === 0 ? 0 : at(relevant) / relevant;
  scores.nDCG = relevant === 0 ? 0 : dcg(grades, Infinity) / dcg(ideal, Infinity);
  for (const k of CUTOFFS) {
    scores[`P@${k}`] = at(k) / k;
    scores[`R@${k}`] = relevant === 0 ? 0 : at(k) / relevant;
    scores[`nDCG@${k}`] = relevant === 0 ? 0 : dcg(grades, k) / dcg(ideal, k);
    scores[`Success@${k}`] = at(k) > 0 ? 1 : 0;
  }
  return scores;
}

/** The means of about forty metrics. */
export function naiveEvaluate(qrelsPath, runPath) {
  const qrels = mapOfMaps(qrelsPath, [2, 3]);
  const run = mapOfMaps(runPath, [2, 4]);
  return naiveScores(run, qrels);
}

/** The same for what is in memory already. */
export function naiveScores(run, qrels) {
  const sums = {};
  for (const [query, judged] of qrels) {
    const hits = [...(run.get(query) ?? new Map())]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1))
      .map(([doc]) => doc);
    for (const [name, score] of Object.entries(scoresOf(hits, judged)))
      sums[name] = (sums[name] ?? 0) + score;
  }
  for (const name of Object.keys(sums)) sums[name] /= qrels.size;
  return sums;
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  console.log(naiveEvaluate(process.argv[2], process.argv[3]));
