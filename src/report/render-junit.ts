import { formatCount } from "../foundation/numbers/index.js";
import {
  checkFindings,
  isFailure,
  ruleTitle,
  ruleWhy,
  everyWorse,
  runFindings,
  type CiFindings,
  type RunFinding,
} from "./ci-findings.js";
import { oneLine } from "../foundation/text/index.js";

/** How a JUnit file is written. */
export interface JunitOptions {
  /** Name of the whole, for servers that show several files. Default `rankproof`. */
  readonly name?: string | undefined;
  /** Most queries that are listed of each run. Default 20. */
  readonly maxRows?: number | undefined;
}

const MOST_ROWS = 20;

/** A test case as JUnit has it. */
interface TestCase {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** What a test server shows beside the name. */
  readonly message: string;
  /** Everything else that it shows, a line each. */
  readonly lines: readonly string[];
}

/**
 * JUnit XML for test servers: a suite `gates` with a case for each rule and run, and a suite `verdict` with a
 * case for each run against the baseline. A run that is not comparable has failed, and one that is worse
 * where no gate decides; otherwise it, like an inconclusive one, is skipped. Nothing is timed.
 */
export function renderJunit(
  findings: CiFindings,
  { name = "rankproof", maxRows = MOST_ROWS }: JunitOptions = {},
): string {
  checkFindings(findings);
  const { gate, comparison } = findings;
  const suites = [
    ...(gate == null
      ? []
      : [
          {
            name: "gates",
            cases: gate.rules.map((rule): TestCase => ({
              name: ruleTitle(rule),
              state: rule.passed ? "passed" : "failed",
              message: ruleWhy(rule),
              lines: [],
            })),
          },
        ]),
    ...(comparison == null
      ? []
      : [
          {
            name: "verdict",
            cases: runFindings(comparison).map((run) => verdictCase(run, isFailure(run, findings), maxRows)),
          },
        ]),
  ];
  const written = suites.map((suite) =>
    element(
      "testsuite",
      { name: suite.name, ...countCases(suite.cases), time: "0" },
      suite.cases.map((each) => testCase(suite.name, each)),
    ),
  );
  const all = countCases(suites.flatMap(({ cases }) => cases));
  const root = element("testsuites", { name: oneLine(name), ...all, time: "0" }, written);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function verdictCase(run: RunFinding, hasFailed: boolean, maxRows: number): TestCase {
  const { title, kind, headline, reasons } = run;
  const worse = everyWorse(run);
  const queries = worse
    .slice(0, maxRows)
    .map(
      ({ query_id, what, query }) =>
        `worse: ${oneLine(query_id)}: ${what}${query === "" ? "" : ` (${query})`}`,
    );
  const hidden = worse.length - queries.length;
  const isOpen = kind === "worse" || kind === "not_comparable" || kind === "inconclusive";
  return {
    name: title,
    state: hasFailed ? "failed" : isOpen ? "skipped" : "passed",
    message: headline,
    lines: [...reasons, ...queries, ...(hidden > 0 ? [`and ${formatCount(hidden)} more`] : [])],
  };
}

function countCases(cases: readonly TestCase[]): Record<string, string> {
  const count = (state: TestCase["state"]): string =>
    String(cases.filter((each) => each.state === state).length);
  return { tests: String(cases.length), failures: count("failed"), errors: "0", skipped: count("skipped") };
}

function testCase(suite: string, { name, state, message, lines }: TestCase): string {
  const text = escapeXml([message, ...lines].join("\n"));
  const outcome = {
    passed: [],
    failed: [`<failure message="${escapeXml(message)}" type="${suite}">${text}</failure>`],
    skipped: [`<skipped message="${escapeXml(message)}"/>`],
  }[state];
  // The text of a failure says it all already.
  return element(
    "testcase",
    { classname: `rankproof.${suite}`, name, time: "0" },
    state === "failed" ? outcome : [...outcome, `<system-out>${text}</system-out>`],
  );
}

function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly string[],
): string {
  const start = `<${tag}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join("")}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${tag}>`;
}

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Text for content and attributes. Characters that XML 1.0 cannot have in any form become U+FFFD: all of the
 * rest of the file would be lost.
 */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (char) => REFERENCES[char] ?? char);
}
