import { rankByScore, type ScoredRun } from "../../src/fusion/index.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";

/** Two runs, and what is relevant. */
export interface Searched {
  readonly a: ScoredRun;
  readonly b: ScoredRun;
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** How good the runs are: both alike, the second better, or neither any good. */
export type Quality = "equal" | "better" | "noise";

const ITEMS = 40;
const DEPTH = 25;

/** Runs over made-up queries: scores are what is relevant, and chance. */
export function madeSearch(seed: number, queries: number, quality: Quality, digits = 17): Searched {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const ids = Array.from({ length: ITEMS }, (_, item) => `d${item}`);
  const a = new Map<string, ReturnType<typeof rankByScore>>();
  const b = new Map<string, ReturnType<typeof rankByScore>>();
  const qrels = new Map<string, Map<string, number>>();
  const head = (scores: readonly number[]): ReturnType<typeof rankByScore> => {
    const all = rankByScore(
      ids,
      scores.map((score) => Number(score.toPrecision(digits))),
    );
    return { ids: all.ids.slice(0, DEPTH), scores: Array.from(all.scores).slice(0, DEPTH) };
  };
  for (let query = 0; query < queries; query++) {
    const grades = ids.map(() => (random() < 0.15 ? 1 + Math.floor(random() * 3) : 0));
    const worth = quality === "noise" ? 0 : 0.5;
    const bonus = quality === "better" ? 2 : 1;
    a.set(`q${query}`, head(grades.map((grade) => worth * grade + 0.8 * normal())));
    b.set(`q${query}`, head(grades.map((grade) => bonus * worth * grade + 0.8 * normal())));
    qrels.set(`q${query}`, new Map(ids.map((id, item) => [id, grades[item] ?? 0])));
  }
  return { a, b, qrels };
}
