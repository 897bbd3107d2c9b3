import { type BenchMode, type BenchReport, scoreField } from "../records/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { nearestHint } from "../foundation/ids/index.js";

/** A score that a mode must reach: `hybrid.recall=0.5`. */
export interface BenchLimit {
  readonly mode: string;
  readonly score: (typeof SCORES)[number];
  /** The least that is accepted; for latencies the most. */
  readonly value: number;
}

/** What became of a limit. */
export interface BenchLimitResult extends BenchLimit {
  readonly actual: number;
  readonly is_held: boolean;
}

const SCORES = ["recall", "mrr", "ndcg", "hit_rate", "avg_latency_ms", "p95_latency_ms"] as const;
const FORM = /^(.+)\.([a-z0-9_]+)\s*=\s*(\S+)$/;

/**
 * Reads a limit as it is written: mode, a dot, a score, an equals sign, a number.
 *
 * @throws InputError `ARGUMENT`
 */
export function parseBenchLimit(text: string): BenchLimit {
  const [, mode, score, number] = FORM.exec(text.trim()) ?? [];
  const value = Number(number);
  if (mode === undefined || score === undefined || !Number.isFinite(value))
    throw new InputError("ARGUMENT", `a limit must look like \`hybrid.recall=0.5\`, got ${quote(text)}`);
  const known = SCORES.find((name) => name === score);
  if (known !== undefined) return { mode, score: known, value };
  throw new InputError(
    "ARGUMENT",
    `${quote(text)}: the score must be one of ${SCORES.join(", ")}${nearestHint(score, SCORES)}`,
  );
}

/**
 * Refuses limits of modes that are not measured: a gate that looks at nothing would always pass.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkLimitedModes(limits: readonly BenchLimit[], modes: readonly string[]): void {
  const unknown = limits.find(({ mode }) => !modes.includes(mode));
  if (unknown === undefined) return;
  throw new InputError(
    "ARGUMENT",
    `${quote(unknown.mode)} was not measured; a limit can be set for ` +
      `${modes.join(", ")}${nearestHint(unknown.mode, modes)}`,
  );
}

/**
 * Holds a report against limits.
 *
 * @throws InputError `ARGUMENT` for a mode that was not measured.
 */
export function checkBenchLimits(
  { modes, settings }: BenchReport,
  limits: readonly BenchLimit[],
): BenchLimitResult[] {
  checkLimitedModes(
    limits,
    modes.map(({ mode }) => mode),
  );
  return limits.map((limit) => {
    const found = modes.find(({ mode }) => mode === limit.mode) as BenchMode;
    const isLatency = limit.score.endsWith("_latency_ms");
    const field =
      limit.score === "hit_rate"
        ? "evidence_hit_rate"
        : isLatency
          ? limit.score
          : scoreField(limit.score as "recall" | "mrr" | "ndcg", settings.top_k);
    const actual = (found.overall as Readonly<Record<string, number>>)[field] as number;
    return { ...limit, actual, is_held: isLatency ? actual <= limit.value : actual >= limit.value };
  });
}
