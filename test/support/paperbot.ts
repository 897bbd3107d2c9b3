import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A ranking with its judgments, and what PaperBot's own functions return for it. */
export interface PaperbotCase {
  readonly name: string;
  readonly judgments: Readonly<Record<string, number>>;
  readonly ranked: readonly string[];
  readonly k: { readonly ndcg: number; readonly mrr: number; readonly recall: number };
  readonly relevant_threshold: number;
  readonly expected: { readonly ndcg: number; readonly mrr: number; readonly recall: number };
}

type Means = Readonly<Record<string, number>>;

/** The stored values of PaperBot. */
export interface Paperbot {
  readonly cases: readonly PaperbotCase[];
  readonly aggregation: {
    readonly expected: { readonly overall: Means; readonly by_query_type: Readonly<Record<string, Means>> };
  };
}

export function paperbotValues(folder: string): Paperbot {
  return JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Paperbot;
}
