import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  evaluatePartial,
  evaluationOfPartials,
  mergePartials,
  type EvaluationPartial,
} from "../../src/index.js";
import { oracle, oracleTable, qrelsOf, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";

const folder = present(oracle("partials"));
const read = <T>(name: string): T =>
  (JSON.parse(readFileSync(join(folder, name), "utf8")) as { cases: T }).cases;

/** A partial as it would be made, of which a case says what matters. */
function partial(given: Partial<EvaluationPartial>): EvaluationPartial {
  const empty = evaluatePartial([], [], ["P@10"]);
  const counts = { ...empty.counts, queries: given.query_ids?.length ?? 0 };
  return { ...empty, run: "made up", warnings: [], counts, ...given };
}

type Nested = number | readonly Nested[];
interface MeanCase {
  readonly name: string;
  readonly kind: "double" | "fraction";
  readonly scores: readonly (number | readonly [number, number])[];
  readonly expected: { readonly count: number; readonly mean: number | null; readonly mean_4: number | null };
  readonly splits: readonly { readonly shards: number; readonly assign: string; readonly merge: Nested }[];
}

const shardOf = (sign: string): number => parseInt(sign, 36);

describe.each(read<MeanCase[]>("means.json"))("means of $name", ({ kind, scores, expected, splits }) => {
  it.each(splits)("in $shards shards, assigned as $assign", ({ shards, assign, merge }) => {
    const made = Array.from({ length: shards }, (_, shard): EvaluationPartial => {
      const rows = scores.flatMap((score, at) =>
        shardOf(assign[at] ?? "") === shard ? [{ score, at }] : [],
      );
      const fractions = rows.flatMap(({ score }) => (typeof score === "number" ? [] : [score]));
      const byDenominator = new Map<number, number>();
      for (const [numerator, denominator] of fractions)
        byDenominator.set(denominator, (byDenominator.get(denominator) ?? 0) + numerator);
      return partial({
        metrics: [kind === "double" ? "nDCG@10" : "P@10"],
        shards: { of: shards, has: [shard + 1] },
        query_ids: rows.map(({ at }) => `q${at}`),
        scores: [rows.map(({ score }) => (typeof score === "number" ? score : score[0] / score[1]))],
        fractions: [
          {
            count: fractions.length,
            terms: [...byDenominator].map(([denominator, numerator]) => [numerator, denominator]),
          },
        ],
      });
    });
    const merged = (nested: Nested): EvaluationPartial =>
      typeof nested === "number" ? present(made[nested]) : mergePartials(nested.map(merged));
    const [aggregate] = evaluationOfPartials([merged(merge)]).aggregates;
    expect(evaluationOfPartials([merged(merge)]).queryIds).toHaveLength(expected.count);
    if (expected.mean === null) return;
    expect(aggregate?.value).toBe(expected.mean);
    expect(aggregate?.rounded).toBe(expected.mean_4);
  });
});

interface RefusalCase {
  readonly name: string;
  readonly shards: readonly {
    readonly shard?: string;
    readonly merged_from?: readonly string[];
    readonly queries: readonly string[];
    readonly conventions: string;
    readonly metrics: readonly string[];
    readonly qrels: string;
  }[];
  readonly incomplete?: true;
  readonly expected: string;
}

const CODES: Readonly<Record<string, RegExp>> = {
  "refused: gap": /PARTIAL_GAP/,
  "refused: overlap": /PARTIAL_CONFLICT.*(twice|overlap)/,
  "refused: conventions differ": /PARTIAL_CONFLICT.*conventions differ/,
  "refused: metrics differ": /PARTIAL_CONFLICT.*metrics differ/,
  "refused: judgments differ": /PARTIAL_CONFLICT.*judgments differ/,
  "refused: number of shards differs": /PARTIAL_CONFLICT.*number of shards differs/,
  "refused: no partials": /PARTIAL_CONFLICT.*no partials/,
};

describe("merging refuses what does not belong together", () => {
  it.each(read<RefusalCase[]>("refusals.json"))("$name: $expected", ({ shards, incomplete, expected }) => {
    const made = shards.map(({ shard, merged_from, queries, conventions, metrics, qrels }) => {
      const names = (merged_from ?? [present(shard)]).map((name) => name.split("/").map(Number));
      const empty = partial({});
      return partial({
        metrics: [...metrics],
        conventions: { ...empty.conventions, ties: conventions === "A" ? "trec" : "input" },
        judgments: { ...empty.judgments, digest: qrels },
        shards: { of: present(names[0]?.[1]), has: names.map(([index]) => present(index)) },
        query_ids: [...queries],
        scores: metrics.map(() => queries.map(() => 0.5)),
        fractions: metrics.map(() => ({ count: 0, terms: [] })),
      });
    });
    const merge = (): string => {
      try {
        const { warnings } = evaluationOfPartials(made, { isIncomplete: incomplete === true });
        return warnings.some(({ code }) => code === "SHARDS_MISSING")
          ? "merged, marked incomplete"
          : "merged";
      } catch (error) {
        const { code, message } = error as { code: string; message: string };
        return `${code} ${message}`;
      }
    };
    expect(merge()).toMatch(CODES[expected] ?? new RegExp(`^${expected}$`));
  });
});

describe("cranfield in shards", () => {
  const cranfield = oracle("cranfield");
  if (cranfield === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  it("has the means of its queries' scores, whatever the number of shards", () => {
    const { expected } = JSON.parse(readFileSync(join(folder, "cranfield-shards.json"), "utf8")) as {
      expected: Record<string, { mean: number; mean_4: number }>;
    };
    const metrics = Object.keys(expected);
    const run = runOf(join(cranfield, "runs/bm25.run"));
    const qrels = qrelsOf(cranfield);
    for (const of of [1, 2, 7, 225]) {
      const partials = Array.from({ length: of }, (_, at) =>
        evaluatePartial(run, qrels, metrics, {
          profile: "ir_measures",
          means: "exact",
          shard: { index: at + 1, of },
        }),
      );
      const evaluation = evaluationOfPartials(partials);
      for (const [name, { mean, mean_4 }] of Object.entries(expected)) {
        expect(Math.abs(evaluation.mean(name) - mean)).toBeLessThan(1e-12);
        expect(evaluation.record().metrics[name]).toBe(mean_4);
      }
    }
    expect(present(oracleTable(join(cranfield, "expected/ir_measures/bm25.tsv"))).rows.length).toBe(226);
  });
});
