import { DOMParser, type Element } from "@xmldom/xmldom";
import { describe, expect, it } from "vitest";
import { gate } from "../../src/gate/index.js";
import { oneLine } from "../../src/foundation/text/index.js";
import {
  renderGithubAnnotations,
  renderJunit,
  renderReportHtml,
  renderStepSummary,
} from "../../src/report/index.js";
import { aQuery, aReport, aRunComparison, aScoreComparison, aVerdict } from "../support/gated-results.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { present } from "../support/present.js";

/**
 * The root of an XML text; every complaint of the parser is an error, but for U+FFFD, which is there on
 * purpose.
 */
function parsed(xml: string): Element {
  const fail = (level: string, message: string): void => {
    if (!message.startsWith("Unicode replacement character")) throw new Error(`${level}: ${message}`);
  };
  return present(new DOMParser({ onError: fail }).parseFromString(xml, "text/xml").documentElement);
}
const all = (root: Element, tag: string): Element[] => [...root.getElementsByTagName(tag)];
const textOf = (element: Element | undefined): string => present(present(element).textContent);
const attribute = (element: Element | undefined, name: string): string =>
  present(present(element).getAttribute(name));

describe("the JUnit file", () => {
  it("has a case for each rule and one for each verdict", () => {
    const comparison = aScoreComparison();
    expect(
      renderJunit({ gate: gate(comparison, ["nDCG@10 >= 0.45", "no loss of nDCG@10"]), comparison }),
    ).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="rankproof" tests="3" failures="1" errors="0" skipped="1" time="0">',
        '<testsuite name="gates" tests="2" failures="1" errors="0" skipped="0" time="0">',
        '<testcase classname="rankproof.gates" name="nDCG@10 &gt;= 0.45 (after)" time="0">',
        "<system-out>nDCG@10 is 0.45, at least 0.45</system-out>",
        "</testcase>",
        '<testcase classname="rankproof.gates" name="no loss of nDCG@10 (after)" time="0">',
        '<failure message="nDCG@10 differs by -0.0500, a loss" type="gates">nDCG@10 differs by ' +
          "-0.0500, a loss</failure>",
        "</testcase>",
        "</testsuite>",
        '<testsuite name="verdict" tests="1" failures="0" errors="0" skipped="1" time="0">',
        '<testcase classname="rankproof.verdict" name="after against before" time="0">',
        '<skipped message="after is worse than before in nDCG@10"/>',
        "<system-out>after is worse than before in nDCG@10\nnDCG@10 fell by 0.05\nworse: lost: " +
          "nDCG@10 0.8000→0.0000 (text of lost)\nworse: fell: nDCG@10 0.8000→0.5000 (text of " +
          "fell)</system-out>",
        "</testcase>",
        "</testsuite>",
        "</testsuites>",
        "",
      ].join("\n"),
    );
  });
  it.each([
    ["better", "passed"],
    ["equivalent", "passed"],
    ["inconclusive", "skipped"],
    ["worse", "failure"],
    ["not_comparable", "failure"],
  ] as const)("a verdict that is %s is %s where no gate decides", (kind, state) => {
    const comparison = aScoreComparison({
      comparisons: [aRunComparison("after", { verdict: aVerdict({ kind }) })],
    });
    const root = parsed(renderJunit({ comparison }));
    expect(["failure", "skipped"].filter((tag) => all(root, tag).length > 0)).toEqual(
      state === "passed" ? [] : [state],
    );
    const findings = { comparison, gate: gate(comparison, ["RR >= 0"]) };
    const isOpen = kind === "not_comparable";
    expect(all(parsed(renderJunit(findings)), "failure")).toHaveLength(isOpen ? 1 : 0);
    expect(renderGithubAnnotations(findings).includes("::error")).toBe(isOpen);
    const said = "The checks of the gate hold, but the runs are not comparable.";
    expect(renderStepSummary(findings).includes(said)).toBe(isOpen);
    expect(renderReportHtml(comparison, findings).includes(said)).toBe(isOpen);
  });
  it.each([
    [{}, "the renderer takes `{ gate, comparison }`, or one of them, got `{}`"],
    [{ gate: {} }, "the gate is what `gate` returned, got `{}`"],
    [{ comparison: 5 }, "the comparison is what compareRuns or another comparison returned, got `5`"],
    [aScoreComparison(), "the renderer takes `{ gate, comparison }`, or one of them"],
  ])("what is none is refused, and not without a failure (%#)", (findings, message) => {
    for (const render of [renderJunit, renderGithubAnnotations, renderStepSummary])
      expect(() => render(findings as never)).toThrow(message);
  });
  it("of a report without statistics says what became of the queries", () => {
    const [verdict] = all(parsed(renderJunit({ comparison: aReport() })), "system-out");
    expect(textOf(verdict).split("\n")).toEqual([
      expect.stringMatching(/^Mixed: of 40 queries 2 improved, 2 got worse/),
      "worse: lost: hit→miss (text of lost)",
      "worse: fell: rank 1→3 (text of fell)",
    ]);
  });
  it("counts what it does not list", () => {
    const comparison = aScoreComparison({
      per_query: Array.from({ length: 30 }, (_, index) => aQuery(`q${index}`, [[1], [0.5]])),
    });
    expect(renderJunit({ comparison })).toContain("\nand 10 more</failure>");
    expect(renderJunit({ comparison }, { maxRows: 1 })).toContain("\nand 29 more</failure>");
  });
  it("of nothing is an empty one", () =>
    expect(attribute(parsed(renderJunit({ gate: null }, { name: "empty" })), "tests")).toBe("0"));

  it.each(HOSTILE_TEXTS)("is not broken by %j", (text) => {
    const harmless = (name: string) =>
      aScoreComparison({
        runs: [
          { run: name, means: {}, queries: 1, latency_ms: null },
          { run: name, means: { RR: 1 }, queries: 1, latency_ms: null },
        ],
        comparisons: [aRunComparison(name, { verdict: aVerdict({ headline: name, reasons: [name] }) })],
        per_query: [aQuery(name, [[1], [0]], { query: name })],
      });
    const rendered = (name: string): Element => {
      const report = gate(harmless(name), ["RR >= 2"]);
      return parsed(
        renderJunit(
          {
            gate: { ...report, rules: report.rules.map((rule) => ({ ...rule, rule: name, why: name })) },
            comparison: harmless(name),
          },
          { name },
        ),
      );
    };
    const shape = (root: Element): string[] =>
      all(root, "*").map(
        (element) =>
          `${element.tagName} ${[...element.attributes].map(({ name }) => name).join()} ` +
          `${textOf(element).split("\n").length}`,
      );
    const root = rendered(text);
    expect(shape(root)).toEqual(shape(rendered("harmless")));
    // What is shown is the text itself, on one line; what XML cannot have is replaced.
    const line = oneLine(text).replace(
      /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      "\ufffd",
    );
    expect(attribute(root, "name")).toBe(line);
    expect(attribute(all(root, "testcase")[0], "name")).toBe(`${line} (${line})`);
    expect(attribute(all(root, "failure")[0], "message")).toBe(line);
    expect(textOf(all(root, "failure")[0]).split("\n")[0]).toBe(line);
  });
});
