import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  rebuildOrder,
  rebuildPool,
  StopRule,
  voteAgreement,
  voteSummary,
  type BatchTrace,
  type StopOptions,
} from "../../src/label/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

type Options = Readonly<Record<string, number>>;

interface Expected {
  readonly stop_batch: number;
  readonly reason: string;
  readonly also_true: readonly string[];
  readonly labelled: number;
  readonly batches: readonly (readonly (number | boolean)[])[];
}

const folder = oracle("search-evaluation");
const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder as string, name), "utf8")) as T;

/** Options in our spelling. */
function spelled(options: Options): Record<string, number> {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Labels a ranking from its head until the rule stops. */
function labelled(
  grades: readonly number[],
  options: StopOptions,
): Omit<Expected, "batches"> & { readonly batches: readonly BatchTrace[] } {
  const rule = new StopRule(options);
  const batches: BatchTrace[] = [];
  for (let at = 0; ;) {
    const [reason, ...also_true] = rule.reasons(at >= grades.length);
    if (reason !== undefined) return { stop_batch: batches.length, reason, also_true, labelled: at, batches };
    const batch = grades.slice(at, at + rule.settings.batchSize);
    batches.push(rule.add(batch));
    at += batch.length;
  }
}

/** The 32-bit hash of the UTF-8 bytes. */
function fnv1a(text: string): number {
  return new TextEncoder()
    .encode(text)
    .reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}

/** `0*939 1*20`: 939 zeros, then 20 ones. */
const gradesOf = (text: string): number[] =>
  text
    .split(" ")
    .filter((run) => run !== "")
    .flatMap((run) => {
      const [grade, count = "1"] = run.split("*");
      return new Array<number>(Number(count)).fill(Number(grade));
    });

const rowOf = (batch: BatchTrace): (number | boolean | null)[] => [
  batch.size,
  batch.exact_ratio,
  batch.irrelevant_ratio,
  batch.low_ratio,
  batch.irrelevant_plus_low_ratio,
  batch.is_bad,
  batch.is_counted,
  batch.streak,
];

function expectTrace(got: ReturnType<typeof labelled>, expected: Expected): void {
  const { batches, ...rest } = got;
  const { stop_batch, reason, also_true, labelled: count } = expected;
  expect(rest).toEqual({ stop_batch, reason, also_true, labelled: count });
  const flags = expected.batches.map((row) =>
    row.map((value, at) => (at === 5 || at === 6 ? Boolean(value) : value)),
  );
  expect(batches.map(rowOf)).toEqual(flags);
}

describe.skipIf(folder === null)(
  `a deep rebuild, by its oracle (${folder === null ? WITHOUT_ORACLES : "in full"})`,
  () => {
    const stop =
      folder === null
        ? null
        : read<{ cases: { name: string; options: Options; grades: string; expected: Expected }[] }>(
            "rebuild-stop.json",
          );
    it.each(stop?.cases ?? [])("stops where it should: $name", ({ options, grades, expected }) => {
      expectTrace(labelled(gradesOf(grades), spelled(options)), expected);
    });

    interface OrderCase {
      readonly name: string;
      readonly options: Options;
      /** Absent in the two cases at the default scale, which are made by a rule. */
      readonly hits?: readonly string[];
      readonly corpus?: readonly string[];
      readonly scores?: Readonly<Record<string, number>>;
      readonly expected: {
        readonly pool: readonly (string | number)[];
        readonly reranked: number;
        readonly high: number;
        readonly skipped: boolean;
        readonly order?: readonly string[];
        readonly order_fnv1a?: number;
      };
    }
    const order = folder === null ? null : read<{ cases: OrderCase[] }>("rebuild-order.json");
    it.each(order?.cases ?? [])(
      "labels in the right order: $name",
      ({ name, options, expected, ...given }) => {
        const made = Array.from({ length: 1600 }, (_, at) => `e${String(at).padStart(4, "0")}`);
        const high = Number(/\d+$/.exec(name)?.[0]);
        const scoreOf = (at: number): number =>
          at >= 200 && at < 200 + high ? 0.501 : at % 2 === 1 ? 0.5 : 0.25;
        const {
          hits = made.slice(0, 400),
          corpus = made,
          scores = Object.fromEntries(made.map((id, at) => [id, scoreOf(at)])),
        } = given;
        const settings = spelled(options);
        const pool = rebuildPool(hits, corpus, settings);
        const got = rebuildOrder(pool, new Map(Object.entries(scores)), settings);
        expect([pool.outside.length, got.high, got.isSkipped]).toEqual([
          expected.reranked,
          expected.high,
          expected.skipped,
        ]);
        if (expected.order === undefined) {
          expect([pool.pool[0], pool.pool.at(-1), pool.pool.length]).toEqual(expected.pool);
          expect(fnv1a(got.order.join("\n"))).toBe(expected.order_fnv1a);
        } else {
          expect(pool.pool).toEqual(expected.pool);
          expect(got.order).toEqual(expected.order);
        }
      },
    );

    interface WholeCase {
      readonly name: string;
      readonly options: Options;
      readonly hits: string;
      readonly documents: readonly (readonly [id: string, score: number, grade: number])[];
      readonly expected: Expected & {
        readonly skipped: boolean;
        readonly high: number;
        readonly order: string;
        readonly labels: readonly number[];
        readonly useful_left_below_the_stop: number;
      };
    }
    const whole = folder === null ? null : read<{ cases: WholeCase[] }>("rebuild-whole.json");
    it.each(whole?.cases ?? [])("does all of it: $name", ({ options, hits, documents, expected }) => {
      const settings = spelled(options);
      const pool = rebuildPool(
        hits.split(" "),
        documents.map(([id]) => id),
        settings,
      );
      const got = rebuildOrder(pool, new Map(documents.map(([id, score]) => [id, score])), settings);
      expect([got.isSkipped, got.high, got.order.join(" ")]).toEqual([
        expected.skipped,
        expected.high,
        expected.order,
      ]);
      if (expected.skipped) return;
      const gradeOf = new Map(documents.map(([id, , grade]) => [id, grade]));
      const grades = got.order.map((id) => gradeOf.get(id) as number);
      const trace = labelled(grades, settings);
      expectTrace(trace, expected);
      const count = (list: readonly number[], grade: number): number =>
        list.filter((each) => each === grade).length;
      const said = grades.slice(0, trace.labelled);
      expect([0, 1, 2, 3].map((grade) => count(said, grade))).toEqual(expected.labels);
      const left = grades.slice(trace.labelled).filter((grade) => grade >= 1).length;
      expect(left).toBe(expected.useful_left_below_the_stop);
    });

    interface Votes {
      readonly pairs_with_two_or_more_votes: number;
      readonly unanimous_pairs: number;
      readonly unanimous_share: number;
      readonly mean_spread: number;
      readonly cases: readonly {
        votes: (number | null)[];
        label: number | null;
        valid: number;
        spread: number | null;
        unanimous: boolean | null;
      }[];
    }
    it("takes the median of votes, the lower of two", () => {
      const { cases, ...about } = read<Votes>("votes.json");
      const summaries = cases.map(({ votes }) => voteSummary(votes));
      expect(summaries).toEqual(
        cases.map(({ label, valid, spread, unanimous }) => ({
          label,
          valid,
          spread,
          isUnanimous: unanimous,
        })),
      );
      const { pairs, unanimous, unanimousShare, meanSpread } = voteAgreement(summaries);
      expect([pairs, unanimous]).toEqual([about.pairs_with_two_or_more_votes, about.unanimous_pairs]);
      expect(unanimousShare).toBeCloseTo(about.unanimous_share, 12);
      expect(meanSpread).toBeCloseTo(about.mean_spread, 12);
    });
  },
);
