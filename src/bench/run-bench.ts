import type { StatisticsOptions } from "../compare/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { roundFraction, roundTo4, type Fraction } from "../foundation/numbers/index.js";
import type { BenchMode, BenchReport, EvalRun } from "../records/index.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { benchComparison } from "./bench-comparison.js";
import type { BenchFixture } from "./bench-fixture.js";
import { benchWarnings } from "./bench-warnings.js";
import { benchScores, type ScoredCase } from "./bench-scores.js";
import { caseScores, type CaseScores } from "./case-scores.js";
import { commonTopK } from "./common-top-k.js";
import { checklistOf, mayPromote } from "./checklist.js";
import { BASELINE, type BenchSystem } from "./bench-system.js";
import { decideBench } from "./decide-bench.js";
import { checkDecisionOptions, type DecisionOptions } from "./decision-options.js";
import { measureSystem, type MeasuredCase } from "./measure-system.js";

/** How a benchmark is run. */
export interface BenchOptions extends DecisionOptions {
  /** Measured times per case; the latency is their median. Default 3. */
  readonly repeats?: number | undefined;
  /** Cases that each mode answers beforehand, unmeasured. Default 10. */
  readonly warmUp?: number | undefined;
  /** Hits that are asked for and kept, or `top_k` where that is more. Default 100. */
  readonly depth?: number | undefined;
  /** How modes are compared beyond the decision. */
  readonly statistics?: StatisticsOptions | undefined;
  /** Called after every question. */
  readonly onProgress?: ((mode: string, done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of a clock that never goes back; for tests. */
  readonly now?: (() => number) | undefined;
  /** When the runs were made, as they say it. Default now. */
  readonly createdAt?: string | undefined;
}

/** A benchmark's report, and the runs that it is made of. */
export interface BenchOutcome {
  readonly report: BenchReport;
  /** One for each mode, named `fixture-mode`: to be stored, compared, gated. */
  readonly runs: readonly EvalRun[];
}

const REPEATS = 3;
const WARM_UP = 10;
const DEPTH = 100;
const OWN_SYSTEM = "your own system";
const OPTIONS: readonly (keyof BenchOptions)[] = [
  "repeats",
  "warmUp",
  "depth",
  "statistics",
  "onProgress",
  "signal",
  "now",
  "createdAt",
];

/**
 * Runs every mode over every case of a fixture, one question at a time, and reports: scores, latencies,
 * comparison, decision.
 *
 * Everything but the latencies, and what is decided by them, depends on the fixture and the retrievers alone.
 *
 * @throws InputError `ARGUMENT` for settings that are not possible, for no mode, and two of one name.
 */
export async function runBench(
  fixture: BenchFixture,
  systems: readonly BenchSystem[],
  options: BenchOptions = {},
): Promise<BenchOutcome> {
  const {
    repeats = REPEATS,
    warmUp = WARM_UP,
    depth = DEPTH,
    statistics = {},
    onProgress,
    signal,
    now = () => performance.now(),
    createdAt = new Date().toISOString(),
  } = checkKnownOptions(options, OPTIONS);
  checkSystems(systems);
  wholeNumber("repeats", repeats);
  wholeNumber("depth", depth);
  wholeNumber("warmUp", warmUp, 0);
  checkDecisionOptions(options);
  const topK = commonTopK(fixture);
  const measured: { readonly system: BenchSystem; readonly cases: readonly MeasuredCase[] }[] = [];
  for (const system of systems) {
    let done = 0;
    const onCase = (): void => onProgress?.(system.mode, ++done, repeats * fixture.cases.length);
    const settings = { repeats, warmUp, depth, now, signal, onCase };
    measured.push({ system, cases: await measureSystem(fixture, system, settings) });
  }
  const modes = measured.map(({ system, cases }) => makeMode(fixture, system, cases, topK));
  const channels = new Map(systems.map(({ mode, channels: fused = [] }) => [mode, fused]));
  const ordered = [
    ...modes.filter(({ mode }) => mode === BASELINE),
    ...modes.filter(({ mode }) => mode !== BASELINE),
  ];
  const { name, version, description, digest, unit, chunker_version, chunks, cases } = fixture;
  const facts: BenchReport["fixture"] = {
    name,
    version,
    description,
    digest,
    unit,
    chunker_version,
    chunks: chunks.length,
    cases: cases.length,
    query_types: queryTypes(fixture).map((query_type) => ({
      query_type,
      cases: cases.filter((one) => one.query_type === query_type).length,
    })),
  };
  const decision = decideBench(modes, options);
  const checklist = checklistOf({ fixture: facts, modes, decision, sampling: null });
  const { seed, resamples, confidence } = options;
  return {
    report: {
      schema_version: 1,
      kind: "bench_report",
      fixture: facts,
      settings: { repeats, warm_up: Math.min(warmUp, cases.length), depth, top_k: topK },
      modes,
      comparison:
        ordered.length > 1 && ordered[0]?.mode === BASELINE
          ? benchComparison(fixture, ordered, topK, channels, { seed, resamples, confidence, ...statistics })
          : null,
      decision,
      sampling: null,
      checklist,
      may_promote: mayPromote(decision, checklist),
      warnings: [...fixture.warnings, ...benchWarnings(systems, modes)],
    },
    runs: measured.map((each) => runOf(fixture, each.system, each.cases, createdAt)),
  };
}

function checkSystems(systems: readonly BenchSystem[]): void {
  const names = systems.map(({ mode }) => mode);
  if (names.length === 0) throw new InputError("ARGUMENT", "there is no mode to measure; give at least one");
  const copy = names.find((name, index) => names.indexOf(name) !== index);
  if (copy !== undefined)
    throw new InputError("ARGUMENT", `two modes are called ${quote(copy)}; give each a name of its own`);
}

function queryTypes({ cases }: BenchFixture): string[] {
  return [...new Set(cases.map(({ query_type }) => query_type))];
}

function makeMode(
  fixture: BenchFixture,
  { mode, tier = "offline", description = OWN_SYSTEM, embeddingModel, fusion }: BenchSystem,
  measured: readonly MeasuredCase[],
  topK: number | null,
): BenchMode {
  const { cases } = fixture;
  const scores = caseScores(
    cases,
    new Map(cases.map(({ case_id }, index) => [case_id, measured[index]?.ranked ?? []])),
  );
  const scored = cases.map(({ case_id }, index): CaseScores & ScoredCase => {
    const { latency_ms, error } = measured[index] as MeasuredCase;
    // Where nothing is relevant a mode scores 1, but not for having failed.
    return { ...(error === null ? (scores.get(case_id) as CaseScores) : NOTHING), latency_ms };
  });
  return {
    mode,
    tier,
    description,
    embedding_model: embeddingModel ?? null,
    ...(fusion !== undefined && { fusion }),
    overall: benchScores(scored, topK),
    by_query_type: Object.fromEntries(
      queryTypes(fixture).map((type) => [
        type,
        benchScores(
          scored.filter((_, index) => cases[index]?.query_type === type),
          topK,
        ),
      ]),
    ),
    per_case: cases.map(({ case_id }, index) => {
      const { exact, ndcg, is_hit } = scored[index] as CaseScores;
      const { ranked, passages, latency_ms, error } = measured[index] as MeasuredCase;
      return {
        case_id,
        ranked: [...ranked],
        ...(passages !== null && { passages: [...passages] }),
        recall: roundFraction(exact.recall),
        mrr: roundFraction(exact.mrr),
        ndcg: roundTo4(ndcg),
        is_hit,
        latency_ms,
        error,
      };
    }),
  };
}

const ZERO: Fraction = { numerator: 0, denominator: 1 };
/** The scores of a case that failed. */
const NOTHING: CaseScores = {
  recall: 0,
  mrr: 0,
  ndcg: 0,
  is_hit: false,
  exact: { recall: ZERO, mrr: ZERO },
};

function runOf(
  { name, version, digest, chunker_version, cases }: BenchFixture,
  { mode, description = OWN_SYSTEM, embeddingModel }: BenchSystem,
  measured: readonly MeasuredCase[],
  createdAt: string,
): EvalRun {
  return {
    run_id: `${name}-${mode}`,
    suite: name,
    created_at: createdAt,
    config_snapshot: {
      fixture: { name, version, digest },
      chunker_version,
      retrieval: { mode, description },
      ...(embeddingModel !== undefined && { embedding: { model: embeddingModel } }),
    },
    results: cases.map(({ case_id, query }, index) => {
      const { hits, latency_ms, error } = measured[index] as MeasuredCase;
      return {
        query_id: case_id,
        query,
        mode,
        hits_top_k: hits.map((hit, at) => ({ ...hit, rank: hit.rank ?? at + 1 })),
        answer: null,
        elapsed_ms: latency_ms,
        error,
      };
    }),
  };
}
