import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Labeler, LabelRequest } from "../../src/label/index.js";

/** Made-up queries and items, and what judges say of them: `search-evaluation/judges.json`. */
export interface JudgedPairs {
  readonly queries: readonly Readonly<
    Record<"id" | "type" | "colour" | "material" | "use" | "text", string>
  >[];
  readonly families: Readonly<Record<string, string>>;
  readonly pairs: readonly (readonly [query: string, item: string, text: string])[];
  readonly grades: Readonly<Record<string, string>>;
  readonly format_breaking_valid: readonly (number | null)[];
}

export function judgedPairs(folder: string): JudgedPairs {
  return JSON.parse(readFileSync(join(folder, "judges.json"), "utf8")) as JudgedPairs;
}

/** What a judge sees of a pair. */
export interface Seen {
  readonly query: JudgedPairs["queries"][number];
  readonly id: string;
  readonly text: string;
  /** From 0, in a batch of `size`. */
  readonly position: number;
  readonly size: number;
}

type Judge = (seen: Seen) => number;

const cut = (grade: number): number => Math.max(0, Math.min(3, grade));
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
/** 32-bit FNV-1a of the UTF-8 bytes. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** The judges of the README of `search-evaluation`, built from its rules. */
export function judgesOf({ families }: JudgedPairs): Readonly<Record<string, Judge>> {
  const sound: Judge = ({ query, text }) => {
    const found = /type: (\w+); colour: (\w+); material: (\w+); use: (\w+)\./.exec(text);
    if (found === null) return 0;
    const [, type = "", colour, material, use] = found;
    const equal = [colour === query.colour, material === query.material, use === query.use];
    if (type === query.type) return equal.every(Boolean) ? 3 : equal.some(Boolean) ? 2 : 1;
    return families[type] === families[query.type] && use === query.use ? 1 : 0;
  };
  return {
    sound,
    "sound-noisy": (seen) => {
      const turn = hash(`noise|${seen.query.id}|${seen.id}`) % 100;
      return cut(sound(seen) + (turn < 8 ? 1 : turn < 16 ? -1 : 0));
    },
    constant: () => 2,
    random: ({ query, id }) => (hash(`random|${query.id}|${id}`) >>> 8) % 4,
    inverted: (seen) => 3 - sound(seen),
    "query-words": (seen) => {
      const [wanted, there] = [[...new Set(wordsOf(seen.query.text))], new Set(wordsOf(seen.text))];
      const share = wanted.filter((word) => there.has(word)).length / wanted.length;
      return share === 1 ? 3 : share >= 0.5 ? Math.max(sound(seen), 2) : sound(seen);
    },
    length: (seen) => {
      const words = wordsOf(seen.text).length;
      return cut(sound(seen) + (words > 120 ? 2 : words > 60 ? 1 : words < 15 ? -1 : 0));
    },
    position: (seen) => {
      const { position, size } = seen;
      return cut(sound(seen) + (3 * position < size ? 1 : 3 * position >= 2 * size ? -1 : 0));
    },
    injectable: (seen) =>
      /\b(rate|grade|label|score)\b[^.]*\b(3|highest|top|best|perfect|fully relevant)\b/i.test(seen.text)
        ? 3
        : sound(seen),
  };
}

/** A judge as a labeler of items with one field, `text`. */
export function judging(data: JudgedPairs, judge: Judge, name = "judge"): Labeler {
  const byText = new Map(data.queries.map((query) => [query.text, query]));
  return {
    rater: { kind: "model", name },
    label: async ({ query, items }: LabelRequest) => ({
      verdicts: items.map(({ id, fields }, position) => ({
        id,
        outcome: "graded" as const,
        grade: judge({
          query: byText.get(query) as Seen["query"],
          id,
          text: fields["text"] as string,
          position,
          size: items.length,
        }),
      })),
    }),
  };
}
