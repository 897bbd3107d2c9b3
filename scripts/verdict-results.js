// Makes a comparison of every kind from made-up runs: `node scripts/verdict-results.js FOLDER`. Their files
// lie in fixtures/results, one folder for each version, and must still be read and rendered by later ones;
// never make those of an earlier version again.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareSystems } from "rankproof";
import { seededRandom } from "../dist/foundation/numbers/index.js";

const HITS = 20;
const GRADES = [3, 2, 1, 1];
const LANGS = ["en", "ko", "zh"];

/** A collection in which every hit is judged, but for the share that is not. */
function collection(queries, seed, unjudged = 0) {
  const random = seededRandom(seed);
  const ids = Array.from({ length: queries }, (_, index) => `q-${String(index + 1).padStart(3, "0")}`);
  const docs = (id) => Array.from({ length: HITS + GRADES.length }, (_, index) => `${id}/doc-${index + 1}`);
  const qrels = new Map(
    ids.map((id) => [
      id,
      new Map(
        docs(id).flatMap((doc, index) =>
          index >= GRADES.length && random() < unjudged ? [] : [[doc, GRADES[index] ?? 0]],
        ),
      ),
    ]),
  );
  const known = new Map(
    ids.map((id, index) => [
      id,
      {
        query: `made-up question ${index + 1}`,
        labels: { lang: LANGS[index % LANGS.length], query_type: index % 2 === 0 ? "fact" : "how-to" },
      },
    ]),
  );
  return { ids, docs, qrels, known };
}

/** A run that ranks by grade as far as its quality goes, and by chance otherwise. */
function run({ ids, docs }, seed, quality) {
  return new Map(
    ids.map((id, index) => {
      const random = seededRandom(seed + 7919 * index);
      const scored = docs(id).map((doc, at) => [doc, quality(index, at) * (GRADES[at] ?? 0) + random()]);
      return [id, new Map(scored.sort((a, b) => b[1] - a[1]).slice(0, HITS))];
    }),
  );
}

const even = (value) => () => value;
const METRICS = ["nDCG@10", "AP", "RR", "R@10"];

function compared(data, systems, options = {}) {
  return compareSystems(
    Object.entries(systems).map(([name, ranking]) => ({ name, run: ranking })),
    data.qrels,
    METRICS,
    { known: data.known, permutations: 10_000, resamples: 2_000, ...options },
  );
}

/** Every comparison by the name of its file. */
export function verdictResults() {
  const data = collection(48, 1);
  const few = collection(4, 2);
  const sparse = collection(48, 3, 0.75);
  const baseline = run(data, 10, even(0.2));
  const swapped = new Map(
    [...baseline].map(([id, hits], index) => [
      id,
      index === 0 ? new Map([...hits].map(([doc, score], at) => [doc, at >= 10 ? -score : score])) : hits,
    ]),
  );
  return new Map([
    ["better", compared(data, { baseline, candidate: run(data, 10, even(0.5)) }, { guards: ["R@10"] })],
    ["worse", compared(data, { baseline, candidate: run(data, 10, even(0.05)) })],
    [
      "guard-broken",
      compared(
        data,
        { baseline, candidate: run(data, 10, (_, at) => (at === 0 ? 1.5 : -0.3)) },
        { primary: "RR", guards: ["R@10"] },
      ),
    ],
    ["equivalent", compared(data, { baseline, candidate: swapped })],
    ["inconclusive", compared(data, { baseline, candidate: run(data, 11, even(0.22)) })],
    [
      "hidden-loss",
      compared(data, {
        baseline,
        candidate: run(data, 10, (index) => (LANGS[index % LANGS.length] === "ko" ? 0 : 0.35)),
      }),
    ],
    [
      "unjudged",
      compared(sparse, { baseline: run(sparse, 20, even(0.15)), candidate: run(sparse, 21, even(0.3)) }),
    ],
    [
      "not-comparable",
      compared(few, { baseline: run(few, 10, even(0.2)), candidate: run(few, 10, even(0.5)) }),
    ],
    [
      "several",
      compared(data, {
        baseline,
        "candidate-1": run(data, 10, even(0.5)),
        "candidate-2": run(data, 12, even(0.25)),
      }),
    ],
  ]);
}

const [, script, folder] = process.argv;
if (script?.endsWith("verdict-results.js")) {
  for (const [name, comparison] of verdictResults()) {
    writeFileSync(join(folder ?? ".", `${name}.json`), `${JSON.stringify(comparison)}\n`);
    console.log(
      name,
      comparison.comparisons
        .map(
          ({ verdict }) => `${verdict.kind}: ${verdict.headline} ${verdict.unjudged?.could_overturn ?? ""}`,
        )
        .join(" | "),
    );
  }
}
