import {
  comparisonWarnings,
  gateSummary,
  isFailure,
  ruleTitle,
  ruleWhy,
  runFindings,
  type CiFindings,
} from "./ci-findings.js";
import { oneLine } from "../foundation/text/index.js";

/** How annotations are written. */
export interface AnnotationOptions {
  /**
   * The file in the repository that they are shown at, such as the golden set; without one they are shown at
   * the run.
   */
  readonly file?: string | undefined;
}

type Level = "error" | "warning" | "notice";

interface Annotation {
  readonly title: string;
  readonly message: string;
}

/** GitHub shows no more of each level from one step and drops the rest without a word. */
const MOST_OF_A_LEVEL = 10;
/** Queries and rules can be long; a longer message is folded by GitHub. */
const LONGEST_MESSAGE = 1000;

/**
 * Workflow commands for GitHub Actions, to be printed to the standard output: a notice that sums up, an error
 * for each rule that failed, warnings for verdicts that are no success, for what can mislead, and for queries
 * that got worse. The most important come first, and the last place of each level says how many are left out.
 */
export function renderGithubAnnotations(findings: CiFindings, { file }: AnnotationOptions = {}): string {
  const { gate, comparison } = findings;
  const runs = comparison == null ? [] : runFindings(comparison);
  const verdicts = runs.map((run) => ({
    run,
    isError: isFailure(run, findings),
    annotation: { title: run.title, message: [run.headline, ...run.reasons].join("\n") },
  }));
  const notice = [
    ...(gate == null ? [] : [gateSummary(gate)]),
    ...runs.map(({ title, headline }) => `${title}: ${headline}`),
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
    ...verdicts
      .filter(
        ({ run: { kind }, isError }) =>
          !isError && (kind === "worse" || kind === "not_comparable" || kind === "inconclusive"),
      )
      .map(({ annotation }) => annotation),
    ...(comparison == null ? [] : comparisonWarnings(comparison)).map((message) => ({
      title: "warning",
      message,
    })),
    ...runs.flatMap(({ title, worse }) =>
      worse.map(({ query_id, query, what }) => ({
        title: `query ${query_id} got worse`,
        message: `${title}: ${what}${query === "" ? "" : ` (${query})`}`,
      })),
    ),
  ];
  const lines = [
    ...(notice.length === 0
      ? []
      : [command("notice", { title: "rankproof", message: notice.join("\n") }, file)]),
    ...limited("error", errors, file),
    ...limited("warning", warnings, file),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function limited(level: Level, annotations: readonly Annotation[], file: string | undefined): string[] {
  if (annotations.length <= MOST_OF_A_LEVEL)
    return annotations.map((annotation) => command(level, annotation, file));
  const hidden = annotations.slice(MOST_OF_A_LEVEL - 1);
  const rest = {
    title: `and ${hidden.length} more`,
    message: hidden.map(({ title, message }) => `${title}: ${message.split("\n")[0] ?? ""}`).join("\n"),
  };
  return [...annotations.slice(0, MOST_OF_A_LEVEL - 1), rest].map((annotation) =>
    command(level, annotation, file),
  );
}

function command(level: Level, { title, message }: Annotation, file: string | undefined): string {
  const cut =
    message.length > LONGEST_MESSAGE
      ? `${message.slice(0, LONGEST_MESSAGE).replace(/[\ud800-\udbff]$/, "")}…`
      : message;
  const properties = [`title=${escapeProperty(title)}`];
  if (file !== undefined) properties.push(`file=${escapeProperty(file)}`);
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
