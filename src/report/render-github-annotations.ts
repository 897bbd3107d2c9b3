import { isComparable } from "../records/index.js";
import { formatCount } from "../foundation/numbers/index.js";
import { clip } from "../foundation/errors/index.js";
import {
  comparisonWarnings,
  checkFindings,
  everyWorse,
  gateSummary,
  isFailure,
  ruleTitle,
  ruleWhy,
  runFindings,
  type CiFindings,
  type RunFinding,
} from "./ci-findings.js";
import { oneLine } from "../foundation/text/index.js";

/** How annotations are written. */
export interface AnnotationOptions {
  /**
   * The file in the repository that they are shown at, such as the golden set; without one they are shown at
   * the run.
   */
  readonly file?: string | undefined;
  /** Where queries stand: a note on one is shown there. */
  readonly queries?: QueryPlaces | undefined;
}

/** The file of a golden set in the repository, and the line of each query in it, from 1. */
export interface QueryPlaces {
  readonly file: string;
  readonly lines: ReadonlyMap<string, number>;
}

type Level = "error" | "warning" | "notice";

interface Annotation {
  readonly title: string;
  readonly message: string;
  /** The query that it is about. */
  readonly query?: string;
}

/** Where an annotation is shown. */
type PlaceOf = (annotation: Annotation) => { readonly file?: string | undefined; readonly line?: number };

/** GitHub shows no more of each level from one step and drops the rest without a word. */
const MOST_OF_A_LEVEL = 10;
/** Queries and rules can be long; a longer message is folded by GitHub. */
const LONGEST_MESSAGE = 1000;

/**
 * Workflow commands for GitHub Actions, to be printed to the standard output: a notice that sums up, an error
 * for each rule that failed, warnings for verdicts that are no success, for what can mislead, and for queries
 * that got worse. The most important come first, and the last place of each level says how many are left out.
 */
export function renderGithubAnnotations(
  findings: CiFindings,
  { file, queries }: AnnotationOptions = {},
): string {
  checkFindings(findings);
  const placeOf: PlaceOf = ({ query }) => {
    const line = query === undefined ? undefined : queries?.lines.get(query);
    return queries === undefined || line === undefined ? { file } : { file: queries.file, line };
  };
  const { gate, comparison } = findings;
  const runs = comparison == null ? [] : runFindings(comparison);
  const verdicts = runs.map((run) => ({
    run,
    isError: isFailure(run, findings),
    annotation: { title: run.title, message: [run.headline, ...run.reasons].join("\n") },
  }));
  const isWarned = ({ kind }: RunFinding): boolean =>
    kind === "worse" || kind === "not_comparable" || kind === "inconclusive";
  const notice = [
    ...(gate == null ? [] : [gateSummary(gate, comparison == null || isComparable(comparison))]),
    ...runs.map(({ title, headline }) => `${title}: ${headline}`),
    // What speaks against a verdict that is no warning stands nowhere else.
    ...runs.flatMap((run) =>
      isWarned(run)
        ? []
        : run.reasons.map((reason) => (runs.length === 1 ? reason : `${run.title}: ${reason}`)),
    ),
  ];
  const errors = [
    ...(gate?.rules ?? [])
      .filter(({ passed }) => !passed)
      .map((rule) => ({ title: ruleTitle(rule), message: ruleWhy(rule) })),
    ...verdicts.filter(({ isError }) => isError).map(({ annotation }) => annotation),
  ];
  const warnings = [
    ...(gate?.rules ?? []).flatMap((rule) =>
      rule.passed && rule.warning !== undefined
        ? [{ title: ruleTitle(rule), message: oneLine(rule.warning) }]
        : [],
    ),
    ...verdicts.filter(({ run, isError }) => !isError && isWarned(run)).map(({ annotation }) => annotation),
    ...(comparison == null ? [] : comparisonWarnings(comparison)).map((message) => ({
      title: "warning",
      message,
    })),
    ...runs.flatMap((run) =>
      everyWorse(run).map(({ query_id, query, what }) => ({
        title: `query ${oneLine(query_id)} got worse`,
        query: query_id,
        message: `${run.title}: ${what}${query === "" ? "" : ` (${query})`}`,
      })),
    ),
  ];
  const lines = [
    ...(notice.length === 0
      ? []
      : [command("notice", { title: "rankproof", message: notice.join("\n") }, placeOf)]),
    ...limitAnnotations("error", errors, placeOf),
    ...limitAnnotations("warning", warnings, placeOf),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function limitAnnotations(level: Level, annotations: readonly Annotation[], placeOf: PlaceOf): string[] {
  if (annotations.length <= MOST_OF_A_LEVEL)
    return annotations.map((annotation) => command(level, annotation, placeOf));
  const hidden = annotations.slice(MOST_OF_A_LEVEL - 1);
  const rest = {
    title: `and ${formatCount(hidden.length)} more`,
    message: hidden.map(({ title, message }) => `${title}: ${message.split("\n")[0] ?? ""}`).join("\n"),
  };
  return [...annotations.slice(0, MOST_OF_A_LEVEL - 1), rest].map((annotation) =>
    command(level, annotation, placeOf),
  );
}

function command(level: Level, annotation: Annotation, placeOf: PlaceOf): string {
  const { title, message } = annotation;
  const cut = clip(message, LONGEST_MESSAGE);
  const properties = [`title=${escapeProperty(title)}`];
  const { file, line } = placeOf(annotation);
  if (file !== undefined) properties.push(`file=${escapeProperty(file)}`);
  if (line !== undefined) properties.push(`line=${line}`);
  return `::${level} ${properties.join(",")}::${escapeData(cut)}`;
}

/**
 * As GitHub's own toolkit does it: a line break could begin a command that the text contains. Other
 * controls reach no terminal.
 */
function escapeData(text: string): string {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return escaped.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\ufffd");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
