import { needsSubtopics } from "./needs-subtopics.js";
import type { JudgedRanking, SubtopicJudgments } from "./judged-ranking.js";
import { relevanceLevel } from "./relevance.js";

/** The subtopics of a query as one metric sees them: documents by the relevant subtopics they serve. */
export interface ServedSubtopics {
  /** How many subtopics have a relevant document. */
  readonly count: number;
  /** For each judged document, the numbers of its relevant subtopics. */
  readonly served: readonly (readonly number[])[];
  readonly ranks: ArrayLike<number>;
  readonly found: ArrayLike<number>;
}

/** What the cards of metrics of diversity have in common. */
export const diversityMeasure = {
  needs: "subtopics",
  range: [0, 1],
  higherIsBetter: true,
  edges: "No subtopic with a relevant document: 0. Unjudged hits serve no subtopic.",
  exempt: { "ideal attains the maximum": "which item is best next depends on what was served before" },
} as const;

/** What those have in common that are divided by the greedy ideal. */
export const normalizedDiversityMeasure = {
  ...diversityMeasure,
  edges:
    `${diversityMeasure.edges} Of documents of equal gain the ideal takes the one with the larger ` +
    "id, by UTF-8 bytes.",
  exempt: {
    ...diversityMeasure.exempt,
    "within its range": "the ideal is found greedily, and the ranking may be better",
  },
} as const;

/** How much a subtopic that was served before is worth less. */
export const alpha = {
  default: 0.5,
  minimum: 0,
  maximum: 1,
  meaning: "by how much a subtopic is worth less, each time it was served before",
} as const;

export { relevanceLevel };

const levels = new WeakMap<
  SubtopicJudgments["documents"],
  Map<number, Pick<ServedSubtopics, "count" | "served">>
>();

/**
 * The relevant subtopics of the query's documents.
 *
 * @throws InputError `METRIC_SUBTOPICS` when the judgments name no subtopics.
 */
export function serveSubtopics({ subtopics }: JudgedRanking, level: number): ServedSubtopics {
  if (subtopics === undefined) throw needsSubtopics("this metric");
  const { documents, ranks, found } = subtopics;
  const byLevel = levels.get(documents) ?? new Map<number, Pick<ServedSubtopics, "count" | "served">>();
  levels.set(documents, byLevel);
  let known = byLevel.get(level);
  if (known === undefined) {
    const served = documents.map((grades) =>
      grades.flatMap(([subtopic, grade]) => (grade >= level ? [subtopic] : [])),
    );
    byLevel.set(level, (known = { served, count: new Set(served.flat()).size }));
  }
  return { ...known, ranks, found };
}

/** What each subtopic is worth as one goes down: 1 at first, less each time it is served. */
class Novelty {
  readonly #gains = new Map<number, number>();
  readonly #alpha: number;

  constructor(alpha: number) {
    this.#alpha = alpha;
  }

  gain(subtopics: readonly number[]): number {
    const worth = (subtopic: number): number => this.#gains.get(subtopic) ?? 1;
    let sum = 0;
    // Halves add up exactly. Of others the order counts, and must not be that of the subtopics' names.
    if (this.#alpha === 0.5) for (const subtopic of subtopics) sum += worth(subtopic);
    else for (const gain of Float64Array.from(subtopics, worth).sort()) sum += gain;
    return sum;
  }

  serve(subtopics: readonly number[]): void {
    for (const subtopic of subtopics)
      this.#gains.set(subtopic, (this.#gains.get(subtopic) ?? 1) * (1 - this.#alpha));
  }
}

/** The discounted sum of novelty gains down to a cutoff. */
export function noveltyGain(
  { served, ranks, found }: ServedSubtopics,
  alpha: number,
  cutoff: number,
  discount: (rank: number) => number,
): number {
  const novelty = new Novelty(alpha);
  let sum = 0;
  for (let i = 0; i < ranks.length && (ranks[i] as number) <= cutoff; i++) {
    const subtopics = served[found[i] as number] as readonly number[];
    sum += novelty.gain(subtopics) * discount(ranks[i] as number);
    novelty.serve(subtopics);
  }
  return sum;
}

/** Whether a term, and so all that follow, is too small to change a sum: gains and discounts only fall. */
function isNegligible(term: number, sum: number): boolean {
  return term < sum * LOST;
}

/** Less than half of the last digit of a double. */
const LOST = 2 ** -55;

/** Documents that serve the same subtopics, of which an ideal takes one after the other. */
interface Alike {
  readonly subtopics: readonly number[];
  /** Places in the list of documents, rising. */
  readonly places: number[];
  taken: number;
}

function alikeDocuments(served: ServedSubtopics["served"]): Alike[] {
  const groups = new Map<string, Alike>();
  served.forEach((subtopics, place) => {
    if (subtopics.length === 0) return;
    const group = groups.get(subtopics.join());
    if (group === undefined) groups.set(subtopics.join(), { subtopics, places: [place], taken: 0 });
    else group.places.push(place);
  });
  return [...groups.values()];
}

/**
 * The same for the greedy ideal: the document of the highest gain next, of several the first. Finding the
 * true ideal is NP-hard.
 */
function greedyNoveltyGain(
  { served }: ServedSubtopics,
  alpha: number,
  cutoff: number,
  discount: (rank: number) => number,
): number {
  const novelty = new Novelty(alpha);
  const groups = alikeDocuments(served);
  let sum = 0;
  for (let rank = 1; rank <= cutoff; rank++) {
    let best: Alike | null = null;
    let first = Infinity;
    let most = 0;
    for (const group of groups) {
      const place = group.places[group.taken];
      if (place === undefined) continue;
      const gain = novelty.gain(group.subtopics);
      if (gain > most || (gain === most && place < first)) [best, most, first] = [group, gain, place];
    }
    const term = most * discount(rank);
    if (best === null || most === 0 || isNegligible(term, sum)) break;
    best.taken++;
    sum += term;
    novelty.serve(best.subtopics);
  }
  return sum;
}

/**
 * The same for a document at every rank that serves every subtopic, which is what absolute values are divided
 * by.
 */
function perfectNoveltyGain(
  count: number,
  alpha: number,
  cutoff: number,
  discount: (rank: number) => number,
): number {
  let sum = 0;
  for (let rank = 1; rank <= cutoff; rank++) {
    const term = count * (1 - alpha) ** (rank - 1) * discount(rank);
    if (isNegligible(term, sum)) break;
    sum += term;
  }
  return sum;
}

/**
 * How novelty is valued: by how much it wears off, from which grade on, how deep, and what a rank is worth.
 */
export interface NoveltySettings {
  readonly alpha: number;
  readonly rel: number;
  readonly cutoff: number;
  readonly discount: (rank: number) => number;
}

/** Novelty, divided by that of a document at every rank that serves all subtopics. */
export function absoluteNovelty(settings: NoveltySettings): (judged: JudgedRanking) => number {
  return novelty(settings, ({ count }, { alpha, cutoff, discount }) =>
    perfectNoveltyGain(count, alpha, cutoff, discount),
  );
}

/** Novelty, divided by that of the greedy ideal. */
export function normalizeNovelty(settings: NoveltySettings): (judged: JudgedRanking) => number {
  return novelty(settings, (served, { alpha, cutoff, discount }) =>
    greedyNoveltyGain(served, alpha, cutoff, discount),
  );
}

function novelty(
  settings: NoveltySettings,
  best: (served: ServedSubtopics, settings: NoveltySettings) => number,
): (judged: JudgedRanking) => number {
  const { alpha, rel, cutoff, discount } = settings;
  return (judged) => {
    const served = serveSubtopics(judged, rel);
    const gained = noveltyGain(served, alpha, cutoff, discount);
    return gained === 0 ? 0 : gained / best(served, settings);
  };
}
