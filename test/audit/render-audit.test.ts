import { describe, expect, it } from "vitest";
import { auditLabels, type AuditedLabel } from "../../src/audit/index.js";
import { renderAuditHtml, renderAuditMd, renderAuditText } from "../../src/report/index.js";
import type { LabelAudit } from "../../src/records/index.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";

const label = (query: string, item: string, grade: number, reason?: string): AuditedLabel => ({
  query,
  item,
  grade,
  outcome: "graded",
  reason,
});

function audited(
  first: readonly AuditedLabel[],
  second: readonly AuditedLabel[],
  more: { readonly names?: readonly [string, string]; readonly probes?: LabelAudit["probes"] } = {},
): LabelAudit {
  const [people, model] = more.names ?? ["people", "gpt"];
  return auditLabels(first, second, {
    auditId: "20261122T101500Z-3f9a",
    dataset: "shop",
    tenant: "default",
    createdAt: "2026-11-22T10:15:00.000Z",
    first: { name: people, kind: "people", rater: null },
    second: { name: model, kind: "model", rater: "m" },
    queries: [...new Set([...first, ...second].map(({ query }) => query))].map((query, at) => ({
      id: `q${at}`,
      query,
    })),
    seed: 1,
    resamples: 200,
    probes: more.probes,
  });
}

const QUERIES = ["red shoe", "hat", "lamp"];
const people = QUERIES.flatMap((query) => [0, 1, 2, 3].map((at) => label(query, `i${at}`, at)));
const model = QUERIES.flatMap((query, place) =>
  [0, 1, 2, 3].map((at) => label(query, `i${at}`, at === 0 && place === 0 ? 3 : at)),
);
const probes: NonNullable<LabelAudit["probes"]> = {
  judge: "gpt",
  seed: 1,
  batch_size: 10,
  requests: 90,
  answers: { graded: 90, cannot_tell: 0, invalid: 0, refused: 0 },
  limits: { p: 0.002, excess: 0.25 },
  steadiness: { pairs: 30, unchanged: 27, mean_change: 0.1 },
  results: [
    {
      probe: "instruction",
      variant: "order 1",
      pairs: 30,
      below_2: 20,
      lifted: 19,
      changed: 25,
      unsteady: 3,
      shift: 1.8,
      excess: 1.75,
      direction: "up",
      p: 1e-7,
      is_alarm: true,
    },
  ],
  skipped: [{ probe: "wording", reason: "there is one prompt only" }],
};

describe("an audit for people", () => {
  it("says what matters first, and percent agreement never alone", () => {
    const text = renderAuditText(audited(people, model));
    expect(text).toMatch(/12 pairs of 3 queries have a grade of both people and gpt\./);
    expect(text).toMatch(/Quadratic kappa 0\.\d{3} \(95 % interval .*Of the grades 91\.7 % are the same/);
    expect(text).toContain("No two people graded the same pair");
    expect(text).toMatch(
      /Bias \+0\.250 \(95 % interval .*\): it is not shown that gpt is more generous or stricter\./,
    );
    expect(text).toMatch(/^ +gpt 0 +gpt 1/m);
    expect(text).toMatch(/^q0 +red shoe +i0 +0 +3$/m);
  });

  it("shows what probes found, and names what moved grades in the first line", () => {
    const audit = audited(people, model, { probes });
    for (const text of [renderAuditText(audit), renderAuditMd(audit), renderAuditHtml(audit)]) {
      expect(text).toContain(
        "gpt obeys an order in the text of an item to grade it highest (order 1 +1.75).",
      );
      expect(text).toContain("moves grades");
      expect(text).toContain("27 of 30 pairs (90 %)");
      expect(text).toContain("Not run: wording; there is one prompt only.");
    }
    expect(audit.findings.map(({ kind }) => kind)).toEqual(["instruction"]);
  });

  it.each([
    [[], model, "No person has labelled anything. `rankproof audit sample` writes a sheet for people."],
    [people, [], "gpt has labelled nothing. `rankproof label build` labels."],
    [people.slice(0, 4), model.slice(4), "people and gpt have no pair with a grade of both"],
  ])("has a sentence where nothing can be compared %#", (first, second, sentence) => {
    const audit = audited(first, second);
    expect(renderAuditText(audit)).toContain(sentence);
    expect(renderAuditMd(audit)).not.toContain("NaN");
    expect(renderAuditHtml(audit)).not.toMatch(/NaN|undefined/);
  });

  it("cannot be broken by what data say", () => {
    const hostile = HOSTILE_TEXTS.flatMap((text) => [label(text, text, 0, text)]);
    const lifted = HOSTILE_TEXTS.map((text) => label(text, text, 3, text));
    for (const name of HOSTILE_TEXTS.slice(0, 9)) {
      const audit = audited(hostile, lifted, { names: [name, `${name}2`] });
      const page = renderAuditHtml(audit);
      expect(page).not.toMatch(/<script>alert|<img src=x/);
      const md = renderAuditMd(audit);
      expect(md).not.toMatch(/<script|<img|]\(javascript/);
      const table = md.split("\n").filter((line) => line.startsWith("|"));
      for (const line of table) expect(line.endsWith("|")).toBe(true);
      expect(renderAuditText(audit)).not.toContain("\u001b");
    }
  });

  it("refuses what is no audit", () => {
    for (const render of [renderAuditText, renderAuditMd, renderAuditHtml])
      expect(() => render({} as LabelAudit)).toThrow("the renderer takes what auditLabels returned");
  });
});
