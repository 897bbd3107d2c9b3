// Makes a TREC run and its judgments of a given size, the same every time.
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

/**
 * Writes `run.txt` and `qrels.txt` into a folder: `queries` x `hits` lines, grouped by query and falling, `judged` judgments a
 * query, of which about a third are found.
 */
export function writeTrecInput(folder, { queries, hits, judged, shuffled = false }) {
  mkdirSync(folder, { recursive: true });
  const next = random(queries * 31 + hits);
  const run = openSync(join(folder, "run.txt"), "w");
  const qrels = openSync(join(folder, "qrels.txt"), "w");
  const kept = [];
  for (let q = 0; q < queries; q++) {
    const id = 301 + q;
    const base = Math.floor(next() * 1e6);
    let score = 20 + next() * 10;
    const lines = [];
    for (let i = 0; i < hits; i++) {
      score -= next() * 0.02;
      lines.push(`${id} Q0 clueweb-${String((base + i * 7919) % 10_000_000).padStart(9, "0")} ${i + 1} ${score.toFixed(6)} bench\n`);
    }
    const judgments = [];
    const seen = new Set();
    while (judgments.length < judged) {
      const place = Math.floor(next() * hits * 3);
      const doc = `clueweb-${String((base + place * 7919) % 10_000_000).padStart(9, "0")}`;
      if (seen.has(doc)) continue;
      seen.add(doc);
      const roll = next();
      judgments.push(`${id} 0 ${doc} ${roll < 0.6 ? 0 : roll < 0.85 ? 1 : roll < 0.95 ? 2 : 3}\n`);
    }
    writeSync(qrels, judgments.join(""));
    if (shuffled) kept.push(...lines);
    else writeSync(run, lines.join(""));
  }
  if (shuffled) {
    for (let i = kept.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [kept[i], kept[j]] = [kept[j], kept[i]];
    }
    for (let i = 0; i < kept.length; i += 10_000) writeSync(run, kept.slice(i, i + 10_000).join(""));
  }
  closeSync(run);
  closeSync(qrels);
}
