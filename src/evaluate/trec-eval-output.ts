import { InputError } from "../foundation/errors/index.js";
import {
  trecLines,
  trecMeasure,
  trecMeasures,
  trecNicknames,
  type JudgedRanking,
  type Metric,
  type TrecLine,
} from "../metrics/index.js";
import { renderTrecEval, type TrecEvalBlock, type TrecEvalLine } from "../report/index.js";
import type { EvaluateOptions } from "./evaluate.js";
import type { Evaluation } from "./evaluation.js";

/** A line of trec_eval's output: a metric, or one of the two that are text. */
export type TrecOutputLine = TrecEvalLine &
  ({ readonly kind: "runid" } | { readonly kind: "relstring"; readonly depth: number } | TrecMetricLine);

/** A line with the values of a metric. */
export interface TrecMetricLine {
  readonly kind: "metric";
  /** The metric, and how trec_eval calls it. */
  readonly line: TrecLine;
  /** What the figure for all queries is made of. */
  readonly summary: Metric;
}

/** So many queries are printed at once. */
const QUERIES_PER_PART = 8;
/** trec_eval shows the grades of so many hits. */
const RELSTRING_DEPTH = 10;

/** Which trec_eval is followed, and how it is called. */
export interface TrecOutputOptions {
  /** The lowest grade that is relevant, trec_eval's `-l`. Default 1. */
  readonly level?: number | undefined;
  /** `trec_eval-10` rounds cutoffs of shares to the nearest rank, the others up. */
  readonly profile?: string | undefined;
  /** Whether averages are over all judged queries, trec_eval's `-c`. */
  readonly isComplete?: boolean | undefined;
}

/**
 * The lines that `-m` asks for, in trec_eval's order: its measures, nicknames, and cutoffs after a point.
 *
 * @param names as on trec_eval's command line; `official` unless given.
 * @throws InputError `METRIC_UNKNOWN`, `METRIC_PARAMETER`
 */
export function trecOutputLines(
  names: readonly string[],
  { level = 1, profile = "trec_eval", isComplete = false }: TrecOutputOptions = {},
): TrecOutputLine[] {
  const asked = new Map<string, string | undefined>();
  for (const name of names.length === 0 ? ["official"] : names) {
    const nickname = trecNicknames.get(name);
    if (nickname !== undefined) for (const each of nickname) asked.set(each, asked.get(each));
    else {
      const [stem, argument] = splitMeasure(name);
      const before = asked.get(stem);
      // The cutoffs of a measure that is named twice are put together.
      asked.set(
        stem,
        argument === undefined || before === undefined
          ? (argument ?? before)
          : [...new Set([...before.split(","), ...argument.split(",")])].join(),
      );
    }
  }
  const round = profile === "trec_eval-10" ? "nearest" : "up";
  const order = [
    "runid",
    ...trecMeasures.flatMap(({ name }) => (name === "recall" ? ["relstring", name] : [name])),
    "unj",
  ];
  return order
    .filter((name) => asked.has(name))
    .flatMap((name): TrecOutputLine[] => {
      const argument = asked.get(name);
      if (name === "runid") return [{ kind: "runid", name, isCount: false }];
      if (name === "relstring")
        return [
          {
            kind: "relstring",
            name: argument === undefined ? name : `${name}_${argument}`,
            isCount: false,
            depth: argument === undefined ? RELSTRING_DEPTH : relstringDepth(argument),
          },
        ];
      const measure = trecMeasure(name);
      if (measure === undefined) return [];
      return trecLines(measure, argument, level, round).map((line) => {
        const summary = isComplete && measure.totalIgnoresLevel === true ? measure.factory() : line.metric;
        return { kind: "metric", name: line.name, isCount: measure.isCount === true, line, summary };
      });
    });
}

function relstringDepth(argument: string): number {
  if (!/^[1-9]\d*$/.test(argument))
    throw new InputError(
      "METRIC_PARAMETER",
      `relstring takes a whole number from 1 after the point, got \`${argument}\``,
    );
  return Number(argument);
}

function splitMeasure(name: string): [string, string | undefined] {
  for (const stem of ["runid", "relstring", "unj", ...trecMeasures.map((measure) => measure.name)]) {
    if (name === stem) return [stem, undefined];
    // As it is printed, too: `ndcg_cut_10`.
    if (name.startsWith(`${stem}.`) || new RegExp(`^${stem}_[\\d.]`).test(name))
      return [stem, name.slice(stem.length + 1)];
  }
  const known = [...trecNicknames.keys(), ...trecMeasures.map((measure) => measure.name)];
  const listed = known.map((each) => `\`${each}\``).join(", ");
  throw new InputError("METRIC_UNKNOWN", `trec_eval has no measure \`${name}\`; it has ${listed}`);
}

/**
 * The scores of a run as trec_eval prints them: {@link evaluate} its `metrics`, with its `onQuery`, then
 * `render` the evaluation.
 */
export class TrecEvalOutput {
  readonly lines: readonly TrecOutputLine[];
  readonly #relstrings = new Map<string, string>();

  constructor(lines: readonly TrecOutputLine[]) {
    this.lines = lines;
  }

  /** What the evaluation has to have, each metric once. */
  get metrics(): Metric[] {
    const metrics = this.lines.flatMap((line) =>
      line.kind === "metric" ? [line.line.metric, line.summary] : [],
    );
    return [...new Map(metrics.map((metric) => [metric.name, metric])).values()];
  }

  /** To be told about each query. */
  get onQuery(): NonNullable<EvaluateOptions["onQuery"]> {
    const depth = this.lines.find(({ kind }) => kind === "relstring");
    return (queryId, judged) => {
      if (depth?.kind === "relstring") this.#relstrings.set(queryId, relstring(judged, depth.depth));
    };
  }

  /**
   * The output in parts, so that it need not be in memory as a whole.
   *
   * @param perQuery whether the queries are printed, before all together.
   */
  *render(evaluation: Evaluation, perQuery: boolean): Iterable<string> {
    if (perQuery) {
      const missing = new Set(evaluation.missingQueries);
      const valueOf = this.lines.map((line) => this.#valuesOf(line, evaluation));
      const places = [...evaluation.queryIds.keys()].filter(
        (place) => !missing.has(evaluation.queryIds[place] as string),
      );
      for (let i = 0; i < places.length; i += QUERIES_PER_PART) {
        yield renderTrecEval(
          this.lines,
          places.slice(i, i + QUERIES_PER_PART).map((place): TrecEvalBlock => ({
            query: evaluation.queryIds[place] as string,
            values: valueOf.map((value) => value(place)),
          })),
        );
      }
    }
    yield renderTrecEval(this.lines, [
      { query: "all", values: this.lines.map((line) => this.#meanOf(line, evaluation)) },
    ]);
  }

  /** What a line says of the query at a place. */
  #valuesOf(line: TrecOutputLine, evaluation: Evaluation): (place: number) => number | string | null {
    if (line.kind === "runid") return () => null;
    if (line.kind === "relstring")
      return (place) => `'${this.#relstrings.get(evaluation.queryIds[place] as string) ?? ""}'`;
    if (line.line.measure.isSummary === true) return () => null;
    const column = evaluation.column(line.line.metric.name);
    return (place) => column[place] as number;
  }

  #meanOf(line: TrecOutputLine, evaluation: Evaluation): number | string | null {
    if (line.kind === "runid") return evaluation.run ?? "";
    if (line.kind === "relstring") return null;
    const { name } = line.summary;
    return line.line.measure.isZeroUnanswered === true
      ? meanWithZeros(evaluation, name)
      : evaluation.mean(name);
  }
}

/** The mean over all queries, where those without an answer count 0. */
function meanWithZeros(evaluation: Evaluation, metric: string): number {
  const { queryIds } = evaluation;
  const missing = new Set(evaluation.missingQueries);
  return (
    queryIds.reduce(
      (sum, id) => (missing.has(id) ? sum : sum + (evaluation.score(id, metric) as number)),
      0,
    ) / queryIds.length
  );
}

const LARGEST_DIGIT = 9;

/**
 * The grades of the top hits, a character each: `-` not in the pool, `.` in the pool and not judged, `>`
 * above 9.
 */
function relstring({ hits, pooled, returned }: JudgedRanking, depth: number): string {
  const characters = Array.from({ length: Math.min(depth, returned) }, () => "-");
  for (let i = 0; i < pooled.length; i++)
    if ((pooled[i] as number) <= characters.length) characters[(pooled[i] as number) - 1] = ".";
  for (let i = 0; i < hits.ranks.length; i++) {
    const [rank, grade] = [hits.ranks[i] as number, hits.grades[i] as number];
    if (rank <= characters.length) characters[rank - 1] = grade > LARGEST_DIGIT ? ">" : String(grade);
  }
  return characters.join("");
}
