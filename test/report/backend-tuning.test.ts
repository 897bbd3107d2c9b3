import { describe, expect, it } from "vitest";
import { backendTuning, type MeasuredExperiment } from "../../src/batch/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import type { BackendTuning } from "../../src/records/index.js";
import { backendTuningSchema } from "../../src/records/schema/index.js";
import { renderTuningHtml, renderTuningMd, renderTuningText } from "../../src/report/index.js";

const trust: MeasuredExperiment["trust"] = {
  status: "unknown",
  sentence: "Nobody knows.",
  next: null,
  labeler: null,
  labels: null,
  sample: null,
  missing_pairs: 0,
  pool: null,
  self_judged: [],
};

/** A measured configuration by the scores of its queries; all hits in view but the first have a label. */
const measured = (rankings: string, ...scores: number[]): MeasuredExperiment => ({
  run: `run-${rankings}`,
  scores: new Map(scores.map((score, at) => [`q${at}`, score])),
  failed: new Set(),
  inView: new Map(
    scores.map((_, at) => [
      `q${at}`,
      new Map([
        ["a", at > 0],
        [rankings, true],
      ]),
    ]),
  ),
  trust,
  rankings,
});

function made(names: readonly string[], results: readonly (MeasuredExperiment | string)[]): BackendTuning {
  const all = ["current", ...names];
  return backendTuning({
    tuningId: "t",
    dataset: "shop",
    tenant: "default",
    backend: { name: "engine", kind: "http" },
    topK: 10,
    queries: [0, 1, 2, 3].map((at) => ({ id: `q${at}`, query: `words ${at}` })),
    tried: all.map((name, at) => ({
      name,
      parameters: at === 0 ? null : { boost: at },
      error: typeof results[at] === "string" ? results[at] : null,
      configuration: `configuration ${at}`,
    })),
    measured: new Map(
      all.flatMap((name, at) => {
        const result = results[at];
        return typeof result === "object" ? [[name, result] as const] : [];
      }),
    ),
    metric: parseMetric("nDCG@10"),
    originals: new Map([["/etc/search.json", "00ff"]]),
    startedAt: "2026-01-01T00:00:00.000Z",
    evaluatedAt: "2026-01-01T00:01:00.000Z",
  });
}

const HOSTILE = "a | <script>alert(1)</script> \u001b[31m\n# head";

describe("a report on experiments", () => {
  const report = made(
    [HOSTILE, "broken", "same"],
    [
      measured("x", 0, 0.2, 0.4, 0.6),
      measured("y", 0.1, 0.3, 0.5, 0.7),
      "no\nboost",
      measured("x", 0, 0.2, 0.4, 0.6),
    ],
  );

  it("has the published shape, and says what was measured", () => {
    expect(backendTuningSchema.parse(report)).toEqual(report);
    expect(
      report.experiments.map(({ mean, difference, improved, error }) => [mean, difference, improved, error]),
    ).toEqual([
      [0.3, 0, 0, null],
      [0.4, 0.1, 4, null],
      [null, null, 0, "no\nboost"],
      [0.3, 0, 0, null],
    ]);
    // Of q0 nobody labelled a, which three configurations bring into view; x and y are two items more.
    expect(report.unjudged).toEqual({ items: 1, of: 12 });
    expect(report.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^same: every query/),
    ]);
  });

  it("says first that a search found nothing, where it did", () => {
    const nothing = made(["worse"], [measured("x", 0.5, 0.5, 0.5, 0.6), measured("y", 0.4, 0.5, 0.5, 0.6)]);
    for (const text of [renderTuningText(nothing), renderTuningMd(nothing)])
      expect(text.split("\n")[2]).toMatch(/^(\*\*)?Not better than the current setting/);
    expect(renderTuningText(nothing)).toContain("No experiment has a higher mean");
  });

  it("cannot be broken by what names and errors say", () => {
    const text = renderTuningText(report);
    expect(text).not.toContain("\u001b");
    expect(text).toMatch(/^broken .*not measured: no boost$/m);
    const md = renderTuningMd(report);
    expect(md).not.toMatch(/^# head/m);
    expect(md).not.toContain("<script>");
    expect(renderTuningHtml(report)).not.toContain("<script>alert");
  });
});
