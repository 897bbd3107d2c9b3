import { isRankproofError } from "../foundation/errors/index.js";
import type { Qrels } from "../records/index.js";
import { parseMetric } from "../metrics/index.js";
import type { ProfileName } from "./conventions.js";
import { evaluate } from "./evaluate.js";
import type { RunInput } from "./run-input.js";

/** What another program printed of a run, by query; those over all queries are those of `all`. */
export interface PrintedScores {
  /** The program. */
  readonly program: string;
  /** Measures, as the program names them. */
  readonly columns: readonly string[];
  /** A query and its values in the order of the columns; empty where there is none. */
  readonly rows: readonly (readonly string[])[];
}

/** How far a profile agrees with a program. */
export interface ProfileAgreement {
  readonly profile: ProfileName;
  readonly program: string;
  /** How many values were compared: those of measures that are known here. */
  readonly compared: number;
  readonly agreeing: number;
  /** Measures of which some value differs. */
  readonly differing: readonly string[];
}

/** Values that differ by no more agree. */
const TOLERANCE = 1e-9;

/** What ir_measures does that its profile does not follow; docs/tools.md says why. */
const KNOWN_DIFFERENCES = [
  { measure: /^SetF\(beta=/, why: "does not square the beta of SetF" },
  { measure: /^Accuracy$/, why: "averages Accuracy over queries with a relevant hit only" },
  { measure: /^Num(?:Q|Rel)$/, why: "leaves unanswered queries out of NumQ and NumRel" },
] as const;

/** How far the scores of a run under a profile agree with what a program printed of the run. */
export function profileAgreement(
  run: RunInput,
  qrels: Qrels,
  { program, columns, rows }: PrintedScores,
  profile: ProfileName,
): ProfileAgreement {
  const known = columns.filter(isMetric);
  const evaluation = evaluate(run, qrels, known, { profile });
  const nameOf = new Map(
    known.map((column, at) => [column, evaluation.aggregates[at]?.metric.name ?? column]),
  );
  const differing = new Set<string>();
  let compared = 0;
  let agreeing = 0;
  for (const [query = "", ...cells] of rows)
    cells.forEach((cell, at) => {
      const column = columns[at] ?? "";
      const name = nameOf.get(column);
      if (cell === "" || name === undefined) return;
      const got = query === "all" ? evaluation.mean(name) : evaluation.score(query, name);
      compared++;
      if (got !== undefined && Math.abs(got - Number(cell)) <= TOLERANCE) agreeing++;
      else differing.add(column);
    });
  return { profile, program, compared, agreeing, differing: [...differing] };
}

/** The agreement over several runs. */
export function mergeAgreements(a: ProfileAgreement, b: ProfileAgreement): ProfileAgreement {
  return {
    ...a,
    compared: a.compared + b.compared,
    agreeing: a.agreeing + b.agreeing,
    differing: [...new Set([...a.differing, ...b.differing])],
  };
}

/** Why values differ under the profile that is named after the program, in one line; null where none does. */
export function explainDifferences({
  program,
  compared,
  agreeing,
  differing,
}: ProfileAgreement): string | null {
  if (differing.length === 0) return null;
  const known = KNOWN_DIFFERENCES.filter(({ measure }) => differing.some((name) => measure.test(name)));
  const others = differing.filter((name) => !known.some(({ measure }) => measure.test(name)));
  const why = [
    ...known.map((one) => `it ${one.why}`),
    ...(others.length === 0 ? [] : [`the reason is not known for ${others.join(", ")}`]),
  ];
  return (
    `${compared - agreeing} of ${compared} values of ${program} differ under its profile: ` +
    `${why.join("; ")}`
  );
}

/** Whether a measure is known here by the name that a program has for it. */
function isMetric(column: string): boolean {
  try {
    parseMetric(column);
    return true;
  } catch (error) {
    if (isRankproofError(error)) return false;
    throw error;
  }
}
