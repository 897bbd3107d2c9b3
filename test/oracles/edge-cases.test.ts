import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  evaluate,
  evaluateRunFile,
  type EvaluateOptions,
  type Evaluation,
  type ProfileName,
} from "../../src/evaluate/index.js";
import { parseTrecQrels, parseTrecRun, QrelsTableBuilder, type QrelsTable } from "../../src/formats/index.js";
import { parseMetric, trecLines, trecMeasure, type TrecLine } from "../../src/metrics/index.js";
import { oracle } from "../support/oracles.js";
import { present } from "../support/present.js";

type Values = Readonly<Record<string, number | string>>;

interface TrecResult {
  readonly args: readonly string[];
  readonly exit: number;
  readonly all?: Values;
  readonly queries?: Readonly<Record<string, Values>>;
}

interface EdgeCase {
  readonly name: string;
  readonly trec_eval_9: readonly TrecResult[];
  readonly trec_eval_10: readonly TrecResult[];
  readonly ir_measures: {
    readonly all?: Values;
    readonly queries?: Readonly<Record<string, Values>>;
    readonly error?: string;
  };
}

const folder = present(oracle("edge-cases"));
const cases = readdirSync(folder).filter((name) => /^\d\d-/.test(name));

function tableOf(name: string): QrelsTable {
  const builder = new QrelsTableBuilder("qrels.txt");
  builder.write(readFileSync(join(folder, name, "qrels.txt")));
  return builder.end();
}

/** The line of a measure as the cases name it, `ndcg_cut_10` or `num_ret`. */
function lineOf(name: string, level: number, round: "up" | "nearest"): TrecLine {
  const plain = trecMeasure(name);
  if (plain !== undefined) return present(trecLines(plain, undefined, level, round)[0]);
  const [, stem = "", cutoff = ""] = /^(.*)_([\d.]+)$/.exec(name) ?? [];
  return present(trecLines(present(trecMeasure(stem)), cutoff, level, round)[0]);
}

function optionsOf(
  args: readonly string[],
  profile: ProfileName,
): { level: number; options: EvaluateOptions } {
  const after = (flag: string): string | undefined =>
    args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
  return {
    level: Number(after("-l") ?? 1),
    options: {
      profile,
      ...(args.includes("-c") && { queries: "judged" as const }),
      ...(args.includes("-J") && { unjudged: "remove" as const }),
      ...(after("-M") !== undefined && { depth: Number(after("-M")) }),
    },
  };
}

function expectValues(
  label: string,
  values: Values,
  got: (metric: string) => number | undefined,
  metricOf: (name: string) => string,
): number {
  let compared = 0;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "number") continue;
    compared++;
    expect(
      Math.abs((got(metricOf(name)) ?? NaN) - value),
      `${label} ${name}: ${value} expected, got ${got(metricOf(name))}`,
    ).toBeLessThanOrEqual(1e-9);
  }
  return compared;
}

describe.each(cases)("%s", (name) => {
  const expected = JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8")) as EdgeCase;
  const run = readFileSync(join(folder, name, "run.txt"));

  for (const [version, profile, round] of [
    ["trec_eval_9", "trec_eval", "up"],
    ["trec_eval_10", "trec_eval-10", "nearest"],
  ] as const) {
    it.each(expected[version].map((result) => ({ label: [version, ...result.args].join(" "), result })))(
      "$label",
      async ({ result }) => {
        const { level, options } = optionsOf(result.args, profile);
        // Version 10 stops at a judged query without results unless -c is given, against its own manual:
        // version 9 is right.
        const stops = version === "trec_eval_10" && name === "04-query-missing-in-run" && result.exit !== 0;
        const right = present(
          stops ? expected.trec_eval_9.find(({ args }) => args.join() === result.args.join()) : result,
        );
        const names = new Set(
          [
            ...Object.keys(right.all ?? {}),
            ...Object.values(right.queries ?? {}).flatMap((values) => Object.keys(values)),
          ].filter((measure) => !measure.startsWith("relstring") && !(stops && /^iprec|^11pt/.test(measure))),
        );
        const lines = new Map([...names].map((measure) => [measure, lineOf(measure, level, round)]));
        const metrics = [...new Map([...lines.values()].map(({ metric }) => [metric.name, metric])).values()];
        const score = (): Promise<Evaluation> =>
          (async () => evaluateRunFile(() => [run], tableOf(name), metrics, options))();
        if (right.exit !== 0) {
          await expect(score()).rejects.toThrow();
          return;
        }
        const evaluation = await score();
        const asked = (values: Values): Values =>
          Object.fromEntries(Object.entries(values).filter(([measure]) => names.has(measure)));
        expectValues(
          "all",
          asked(right.all ?? {}),
          (metric) => evaluation.mean(metric),
          (measure) => present(lines.get(measure)).metric.name,
        );
        const queries = Object.entries(right.queries ?? {});
        for (const [query, values] of queries)
          expectValues(
            query,
            asked(values),
            (metric) => evaluation.score(query, metric),
            (measure) => present(lines.get(measure)).metric.name,
          );
        expect(queries.length).toBeGreaterThan(0);
      },
    );
  }

  // Tied scores are ordered by its providers in four ways; RBP reads the file's order, which case 16
  // shuffles.
  const isTied = [
    "01-tied-scores",
    "02-all-tied",
    "11-unicode-ids",
    "23-near-equal-scores",
    "29-deep-run",
    "17-duplicate-document-in-run",
    "18-duplicate-judgement",
    "30-huge-and-tiny-scores",
  ].includes(name);
  const isGiven = expected.ir_measures.all !== undefined && !isTied;
  if (!isGiven) return;
  it("ir_measures", () => {
    const { all = {}, queries = {} } = expected.ir_measures;
    // Its script for these two takes grades up to 4 only, and prints 5 decimals; NumQ counts what was
    // retrieved. Its Judged takes negative grades for judged.
    const differs = (metric: string): boolean =>
      /^(NumQ|NumRel)$/.test(metric) ||
      (metric.startsWith("Judged") && name === "03-negative-grades") ||
      (metric.startsWith("RBP") && name === "16-unsorted-and-interleaved") ||
      (metric.startsWith("ERR") && name === "21-grade-gaps");
    const metrics = Object.keys(all)
      .filter((metric) => !differs(metric))
      .map((metric) => parseMetric(metric));
    const evaluation = evaluate(
      parseTrecRun([run], "run.txt").run,
      parseTrecQrels([readFileSync(join(folder, name, "qrels.txt"))], "qrels.txt"),
      metrics,
      { profile: "ir_measures" },
    );
    const chosen = (values: Values): Values =>
      Object.fromEntries(Object.entries(values).filter(([metric]) => !differs(metric)));
    expectValues(
      "all",
      chosen(all),
      (metric) => evaluation.mean(metric),
      (metric) => parseMetric(metric).name,
    );
    for (const [query, values] of Object.entries(queries))
      expectValues(
        query,
        chosen(values),
        (metric) => evaluation.score(query, metric),
        (metric) => parseMetric(metric).name,
      );
  });
});

describe("what edge cases have in common", () => {
  const metrics = ["nDCG@10", "AP", "RR", "P@5", "R@10", "Bpref", "infAP", "RBP", "ERR@10"].map((metric) =>
    parseMetric(metric),
  );
  const scores = async (name: string): Promise<string> =>
    JSON.stringify(
      (
        await evaluateRunFile(() => [readFileSync(join(folder, name, "run.txt"))], tableOf(name), metrics)
      ).record({ perQuery: true }),
    );

  it.each(["14-crlf", "15-no-final-newline", "16-unsorted-and-interleaved", "25-comments-and-blank-lines"])(
    "%s has the numbers of 00-plain",
    async (name) => expect(await scores(name)).toBe(await scores("00-plain")),
  );
  it.each(cases.filter((name) => !/^(08|18|19|20|21)-/.test(name)))(
    "%s is scored the same from bytes and from Maps",
    async (name) => {
      const maps = evaluate(
        parseTrecRun([readFileSync(join(folder, name, "run.txt"))], "run.txt").run,
        parseTrecQrels([readFileSync(join(folder, name, "qrels.txt"))], "qrels.txt"),
        metrics,
      );
      expect(JSON.parse(JSON.stringify({ ...maps.record({ perQuery: true }), run: null }))).toEqual({
        ...(JSON.parse(await scores(name)) as object),
        run: null,
      });
    },
  );
  it.each(cases.filter((name) => !/^(08|18|19|20)-/.test(name)))(
    "%s does not depend on where chunks end",
    async (name) => {
      const run = readFileSync(join(folder, name, "run.txt"));
      for (const size of [1, 7, 64]) {
        const chunks = (): Uint8Array[] =>
          Array.from({ length: Math.ceil(run.length / size) }, (_, i) =>
            run.subarray(i * size, (i + 1) * size),
          );
        const graded = metrics.filter(({ definition }) => definition.name !== "ERR");
        const whole = await evaluateRunFile(() => [run], tableOf(name), graded);
        expect(JSON.stringify(await evaluateRunFile(chunks, tableOf(name), graded))).toBe(
          JSON.stringify(whole),
        );
      }
    },
  );
});
