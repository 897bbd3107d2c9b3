import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { formatMilliseconds } from "../../src/report/format-milliseconds.js";
import { renderBenchMd, renderBenchText } from "../../src/report/index.js";
import type { BenchReport } from "../../src/records/index.js";
import { aSamplePass, hostileBench, promotedBench, storedBench } from "../support/bench-report.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { present } from "../support/present.js";
import { pattern } from "../support/pattern.js";

describe("the Markdown report of a benchmark", () => {
  it.each(["keep-hybrid", "two-tiers", "too-few", "one-mode"] as const)(
    "%s is what stands in golden/ (else: look at it, then vitest -u)",
    async (name) => {
      await expect(renderBenchMd(storedBench(name), { maxRows: 3 })).toMatchFileSnapshot(
        `golden/bench-${name}.md`,
      );
    },
  );

  it("answers the question before anything else: decision, headline, reasons, rule, modes", () => {
    const report = storedBench("keep-hybrid");
    const lines = renderBenchMd(report)
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.slice(0, 3)).toEqual([
      "# Evidence benchmark: papers",
      "## Decision: keep hybrid",
      "**hybrid ranks better than fts_only by +0.2245 nDCG (+0.0527 to +0.4051).**",
    ]);
    expect(lines[5]).toMatch(/^Rule 1: hybrid improves and is within the latency budget of 200 ms\./);
    expect(lines[6]).toBe(
      "| mode | recall@5 | MRR@5 | nDCG@5 | nDCG against fts_only | 95 % interval | hit rate | " +
        "mean latency | p95 latency |",
    );
    expect(lines[10]).toBe(
      "| hybrid | 0.7250 | 0.9000 | 0.8683 | +0.2245 | +0.0527 to +0.4051 | 1.0000 | 4.40 ms | 5.15 ms |",
    );
    expect(lines[11]).toMatch(/^\*\*Rollback\.\*\* If these numbers do not hold/);
  });

  it.each<[string, Partial<NonNullable<BenchReport["decision"]>>, string, string]>([
    [
      "embedding_only",
      { outcome: "keep_embedding_only", rule: "embedding_improves", run: "embedding_only@live" },
      "## Decision: keep embedding_only@live\n",
      "Rule 2: embedding_only improves, is within the latency budget of 200 ms, and hybrid does not beat it.",
    ],
    [
      "fts_only for the latency",
      { outcome: "fall_back_to_fts_only", rule: "latency", run: "fts_only" },
      "## Decision: fall back to fts_only\n",
      "Rule 3: a mode improves, but only over the latency budget of 200 ms.",
    ],
    [
      "fts_only for want of a gain",
      { outcome: "fall_back_to_fts_only", rule: "no_gain", run: "fts_only", margin: 0.02 },
      "## Decision: fall back to fts_only\n",
      "Rule 4: no interval of nDCG minus that of fts_only reaches above 0.02.",
    ],
    [
      "nothing",
      { outcome: "inconclusive", rule: "undecided", run: "fts_only", confidence: 0.9 },
      "## Decision: inconclusive\n",
      "Rule 5: none of the rules before it holds. A mode improves where the 90 % interval",
    ],
  ])("says in words what keeps %s", (_, more, heading, rule) => {
    const report = storedBench("keep-hybrid");
    const text = renderBenchMd({ ...report, decision: { ...present(report.decision), ...more } });
    expect(text).toContain(heading);
    expect(text).toContain(`\n\n${rule}`);
  });

  it("says what is still open, and that embeddings may be promoted when nothing is", () => {
    expect(renderBenchMd(storedBench("keep-hybrid"))).toContain(
      "**Embeddings may not be promoted yet; still open: manual sampling pass.**",
    );
    expect(renderBenchMd(storedBench("two-tiers"))).toContain(
      "**Embeddings may not be promoted: the decision does not keep them.**",
    );
    expect(renderBenchMd(storedBench("one-mode"))).toContain(
      "**Embeddings may not be promoted: there is no decision.**",
    );
    const promoted = renderBenchMd(promotedBench());
    expect(promoted).toContain(
      "**Embeddings may be promoted: the decision keeps them, and nothing of the checklist is missing.**",
    );
    expect(promoted).not.toContain("❌");
  });

  it("has what people said of the hits", () => {
    const text = renderBenchMd({ ...storedBench("keep-hybrid"), sampling: aSamplePass() });
    expect(text).toContain(
      "## Manual sampling\n\n**Hits became more relevant: of the hits of hybrid 68 % are grounded",
    );
    expect(text).toContain("| hybrid | 41 | 10 | 9 | 0 |\n\n84 labelled hits of 20 queries.");
  });

  it("shows no interval of the comparison beside those of a decision with another confidence", () => {
    const report = storedBench("two-tiers");
    const text = renderBenchMd({ ...report, decision: { ...present(report.decision), confidence: 0.9 } });
    const rows = text.split("\n").filter((line) => /^\| (embedding_only|hybrid)(@live)? \| 0/.test(line));
    expect(rows.slice(0, 4).map((row) => row.split(" | ")[5])).toEqual([
      "—",
      "—",
      expect.stringContaining(" to "),
      expect.stringContaining(" to "),
    ]);
    expect(text).toContain("| 90 % interval |");
  });

  it("limits each table of queries, and counts what it leaves out", () => {
    const [short, long] = [1, 1_000].map((maxRows) => renderBenchMd(storedBench("two-tiers"), { maxRows }));
    expect(long).not.toContain("more, all in the JSON report");
    const [, count] = /## Lost by fusion \((\d+)\)/.exec(present(short)) ?? [];
    expect(short).toContain(`\n\nand ${Number(count) - 1} more, all in the JSON report`);
  });

  it("is not broken by hostile text, wherever it stands", () => {
    const harmless = renderBenchMd(hostileBench(HOSTILE_TEXTS.map((_, index) => `harmless ${index}`)));
    const text = renderBenchMd(hostileBench(HOSTILE_TEXTS));
    const html = (document: string): string =>
      micromark(document, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
    const elements = (document: string): string[] => html(document).match(/<[^>]*>/g) ?? [];
    expect(elements(text)).toEqual(elements(harmless));
    expect(text).not.toMatch(/<[a-z/!]/i);
    expect(text).not.toMatch(/\]\(|:\/\/|www\.|[\u0000-\u0009\u000b-\u001f\u2028\u2029\u202a-\u202e]/);
    expect(renderBenchMd(hostileBench(["x".repeat(1_000_000), "y".repeat(1_000_000)])).length).toBeLessThan(
      100_000,
    );
  });
});

describe("the terminal's report of a benchmark", () => {
  it("has the decision, the modes, the rollback and the checklist", () => {
    const text = renderBenchText(storedBench("two-tiers"));
    expect(text).toMatch(
      pattern(
        /^papers, 20 cases, 32 chunks\n\n/,
        /FALL BACK TO FTS_ONLY {2}hybrid@live ranks better, but over the latency budget\.\n/,
      ),
    );
    expect(text).toMatch(/\nhybrid@live +0\.7250 +0\.9000 +0\.8683 +\+0\.2245 /);
    expect(text).toContain("\nrollback: Run fts_only.");
    expect(text).toContain("\nopen  manual sampling pass: nobody has looked at the hits");
  });
  it("paints good and bad, says that nothing was decided, and shows no control characters", () => {
    expect(renderBenchText(promotedBench(), { paint: (text, as) => `<${as}>${text}` })).toContain(
      "<good>KEEP HYBRID",
    );
    expect(renderBenchText(storedBench("one-mode"))).toContain("\nNothing was decided: ");
    expect(renderBenchText(hostileBench(HOSTILE_TEXTS))).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe("a latency", () => {
  it("is printed as people read it", () => {
    expect([0, 0.004, 0.115, 9.999, 86.74, 145, 200.34, 1450, 1234567.89].map(formatMilliseconds)).toEqual([
      "< 0.01 ms",
      "< 0.01 ms",
      "0.12 ms",
      "10.00 ms",
      "86.7 ms",
      "145 ms",
      "200.3 ms",
      "1,450 ms",
      "1,234,567.9 ms",
    ]);
  });
});
