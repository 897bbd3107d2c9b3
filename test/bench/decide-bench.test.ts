import { describe, expect, it } from "vitest";
import { decideBench } from "../../src/bench/index.js";
import { aMode } from "../support/bench-modes.js";
import { pattern } from "../support/pattern.js";

const low = Array.from({ length: 20 }, (_, index) => 0.3 + (index % 4) / 20);
const plus = (gain: number, wobble = 0): number[] =>
  low.map((score, index) => score + gain + (index % 2 === 0 ? wobble : -wobble));
const fts = aMode("fts_only", low);

describe("the decision, rule by rule", () => {
  it("1: hybrid improves within the budget", () => {
    const decision = decideBench([
      fts,
      aMode("embedding_only", plus(-0.1, 0.01)),
      aMode("hybrid", plus(0.1, 0.01)),
    ]);
    expect(decision).toMatchObject({
      outcome: "keep_hybrid",
      rule: "hybrid_improves",
      run: "hybrid",
      cases_needed: null,
    });
    expect(decision?.headline).toMatch(
      pattern(
        /^hybrid with made-up-model ranks better than fts_only /,
        /by \+0\.1000 nDCG \(\+0\.09\d\d to \+0\.10\d\d\)\.$/,
      ),
    );
    expect(decision?.rollback).toContain("switch from hybrid back to fts_only");
  });
  it("2: embedding_only improves within the budget and hybrid does not beat it", () => {
    expect(
      decideBench([fts, aMode("embedding_only", plus(0.1, 0.01)), aMode("hybrid", plus(0, 0.01))]),
    ).toMatchObject({ outcome: "keep_embedding_only", rule: "embedding_improves", run: "embedding_only" });
    expect(decideBench([fts, aMode("embedding_only", plus(0.1, 0.01))])).toMatchObject({
      rule: "embedding_improves",
    });
    expect(
      decideBench([
        fts,
        aMode("embedding_only", plus(0.1, 0.01)),
        aMode("hybrid", plus(0.1, 0.01), { p95: 500 }),
      ]),
    ).toMatchObject({ rule: "embedding_improves" });
  });
  it("2 does not hold where hybrid beats it, though over the budget; then 3 does", () => {
    const decision = decideBench([
      fts,
      aMode("embedding_only", plus(0.1, 0.01)),
      aMode("hybrid", plus(0.2, 0.01), { p95: 500 }),
    ]);
    expect(decision).toMatchObject({ outcome: "fall_back_to_fts_only", rule: "latency", run: "fts_only" });
    expect(decision?.reasons.slice(0, 2)).toEqual([
      "hybrid would be kept if the 95th percentile of its latency were at most 200 ms.",
      "embedding_only ranks better within the budget, but hybrid beats it.",
    ]);
  });
  it("3: only over the latency budget, and a larger one changes it", () => {
    const modes = [
      fts,
      aMode("embedding_only", plus(0, 0.01)),
      aMode("hybrid", plus(0.1, 0.01), { p95: 250 }),
    ];
    expect(decideBench(modes)).toMatchObject({ outcome: "fall_back_to_fts_only", rule: "latency" });
    expect(decideBench(modes, { latencyBudgetMs: 250 })).toMatchObject({ outcome: "keep_hybrid" });
    expect(decideBench(modes, { latencyBudgetMs: 249.999 })).toMatchObject({ rule: "latency" });
  });
  it("4: no interval reaches above the margin", () => {
    expect(
      decideBench([fts, aMode("embedding_only", plus(-0.1, 0.01)), aMode("hybrid", plus(-0.05, 0.01))]),
    ).toMatchObject({ outcome: "fall_back_to_fts_only", rule: "no_gain" });
    expect(decideBench([fts, aMode("hybrid", low)]), "the same scores: the interval ends at 0").toMatchObject(
      { rule: "no_gain" },
    );
    expect(
      decideBench([fts, aMode("hybrid", plus(0.1, 0.01))], { margin: 0.2 }),
      "a gain below the margin",
    ).toMatchObject({ rule: "no_gain" });
  });
  it("5: otherwise it is inconclusive, with the cases that would settle it", () => {
    const decision = decideBench([
      fts,
      aMode("embedding_only", plus(-0.1, 0.01)),
      aMode("hybrid", plus(0.01, 0.1)),
    ]);
    expect(decision).toMatchObject({ outcome: "inconclusive", rule: "undecided", run: "fts_only" });
    // d = 0.01, sd = 0.1026: effect 0.0975, which the paired t test finds with power 0.8 in about (1.96 +
    // 0.84)² / 0.0975² = 826 cases and a few.
    expect(decision?.cases_needed).toBeGreaterThan(820);
    expect(decision?.cases_needed).toBeLessThan(832);
    expect(decision?.headline).toMatch(
      pattern(
        /^embedding_only with made-up-model does not rank better than fts_only; /,
        /20 cases do not tell whether hybrid with made-up-model /,
        /ranks better\. About 8[34]0 would; until then run fts_only\.$/,
      ),
    );
    const open = [aMode("embedding_only", plus(0.01, 0.1)), aMode("hybrid", plus(0.01, 0.1))];
    expect(decideBench([fts, ...open])?.headline).toMatch(
      pattern(
        /^20 cases do not tell whether hybrid with made-up-model and embedding_only with made-up-model /,
        /rank better than fts_only\. About 8[34]0 would; until then run fts_only\.$/,
      ),
    );
    const fewerHits = aMode("embedding_only", plus(0.1, 0.01), { hits: low.map((_, index) => index > 9) });
    expect(
      decideBench([fts, fewerHits, aMode("hybrid", plus(0.01, 0.1))])?.headline,
      "what ranks better is told",
    ).toMatch(/^20 cases do not tell whether hybrid with made-up-model ranks better than fts_only\. About/);
  });
});

describe("what a decision must not do", () => {
  it("decide by fewer than 5 cases, however large the gain", () => {
    expect(decideBench([aMode("fts_only", [0, 0, 0, 0]), aMode("hybrid", [1, 1, 1, 1])])).toMatchObject({
      outcome: "inconclusive",
      cases_needed: 5,
    });
    expect(decideBench([aMode("fts_only", [0]), aMode("hybrid", [1])])?.headline).toBe(
      "1 case is too few, at least 5 are needed; until then run fts_only.",
    );
    expect(
      decideBench([aMode("fts_only", [0.5, 0.5]), aMode("hybrid", [0.4, 0.3])]),
      "nor fall back by them",
    ).toMatchObject({ outcome: "inconclusive" });
  });
  it("let a hybrid that cannot be kept stand in the way of embedding_only", () => {
    const hits = low.map((_, index) => index > 9);
    expect(
      decideBench([
        fts,
        aMode("embedding_only", plus(0.1, 0.01)),
        aMode("hybrid", plus(0.2, 0.01), { hits }),
      ]),
    ).toMatchObject({ outcome: "keep_embedding_only" });
    // Below 0 and above the margin is no better.
    expect(
      decideBench(
        [fts, aMode("embedding_only", plus(0.1, 0.01)), aMode("hybrid", plus(0.08, 0.01), { p95: 500 })],
        { margin: -0.05 },
      ),
    ).toMatchObject({ outcome: "keep_embedding_only" });
  });
  it("be made of failures: a baseline that failed, or a mode whose failure may have cost it", () => {
    const failing = (mode: ReturnType<typeof aMode>): ReturnType<typeof aMode> => ({
      ...mode,
      per_case: mode.per_case.map((one, index) => (index === 0 ? { ...one, error: "down" } : one)),
    });
    expect(decideBench([failing(fts), aMode("hybrid", plus(0.1, 0.01))])).toMatchObject({
      outcome: "inconclusive",
      headline: "fts_only failed for some cases; fix it and measure again; until then run fts_only.",
    });
    expect(decideBench([fts, failing(aMode("hybrid", plus(-0.1, 0.01)))])).toMatchObject({
      outcome: "inconclusive",
      headline:
        "hybrid failed for some cases, which may have cost the decision; fix that and measure " +
        "again; until then run fts_only.",
    });
    expect(
      decideBench([fts, failing(aMode("hybrid", plus(0.1, 0.01)))]),
      "zeros did not help it",
    ).toMatchObject({ outcome: "keep_hybrid" });
  });
  it("take a baseline that finds nothing for a weak one", () => {
    expect(
      decideBench([
        aMode(
          "fts_only",
          low.map(() => 0),
        ),
        aMode("hybrid", plus(0, 0.01)),
      ]),
    ).toMatchObject({
      outcome: "inconclusive",
      headline: expect.stringMatching(/^fts_only found nothing relevant for any case/) as string,
    });
  });
  it("take a mode that finds nothing, as where ids do not agree, for proof that it does not help", () => {
    const nothing = aMode(
      "embedding_only",
      low.map(() => 0),
    );
    const both = aMode("hybrid", plus(0, 0.01));
    expect(decideBench([fts, nothing, both])).toMatchObject({
      outcome: "inconclusive",
      headline: expect.stringMatching(/^embedding_only found nothing relevant for any case/) as string,
    });
    expect(decideBench([fts, nothing, aMode("hybrid", plus(0.1, 0.01))])?.outcome).toBe("keep_hybrid");
  });
  it("hold modes against each other that were asked different cases", () => {
    expect(() => decideBench([aMode("fts_only", low.slice(1)), aMode("hybrid", low)])).toThrow(
      "fts_only and hybrid must have been asked the same cases, got `c19` for one of them only; " +
        "measure both on one fixture",
    );
  });
  it("say that embeddings do not help where only hashes were measured, or only one mode", () => {
    const hashed = { ...aMode("hybrid", plus(-0.1, 0.01)), embedding_model: "hash-128" };
    expect(decideBench([fts, hashed])?.headline).toBe(
      "No real embeddings were measured. With hashed words, hybrid does not rank better than fts_only.",
    );
    expect(decideBench([fts, aMode("hybrid", plus(-0.1, 0.01))])?.headline).toBe(
      "hybrid with made-up-model does not rank better than fts_only.",
    );
    expect(
      decideBench(
        [
          fts,
          aMode("embedding_only", plus(-0.1, 0.01)),
          { ...aMode("hybrid", plus(-0.1, 0.01)), fusion: "rrf(k=60)" },
        ],
        {
          margin: 0.02,
        },
      )?.headline,
    ).toBe(
      "hybrid by rrf(k=60) with made-up-model and embedding_only with made-up-model do not rank " +
        "better than fts_only by more than 0.02.",
    );
  });
  it("take it for proof of no gain that few cases stood still", () => {
    const few = low.slice(0, 8);
    expect(decideBench([aMode("fts_only", few), aMode("hybrid", few)])).toMatchObject({
      outcome: "inconclusive",
      cases_needed: 20,
      headline:
        "hybrid moved the nDCG of no case, which 8 cases can hide of a change for some; at least 20 are " +
        "needed; until then run fts_only.",
    });
  });
  it("take a standstill of few cases for a loss, or for a gain above a margin below 0", () => {
    const few = low.slice(0, 10);
    const open = few.map((score, at) => score + (at % 2 === 0 ? 0.12 : -0.1));
    const modes = [aMode("fts_only", few), aMode("hybrid", few), aMode("embedding_only", open)];
    expect(decideBench(modes)?.headline).toMatch(
      /^10 cases do not tell whether hybrid .* and embedding_only /,
    );
    expect(decideBench(modes.slice(0, 2), { margin: -0.05 })?.outcome).toBe("inconclusive");
  });
  it("say that no number of cases would do where one mode is settled and another is not", () => {
    const open = aMode("embedding_only", plus(0.01, 0.1));
    const alone = decideBench([fts, open])?.cases_needed;
    expect(alone).toBeGreaterThan(800);
    expect(decideBench([fts, open, aMode("hybrid", low)])?.cases_needed).toBe(alone);
  });
  it("keep a mode that ranks better and finds less", () => {
    const hits = low.map((_, index) => index > 9);
    const decision = decideBench([fts, aMode("hybrid", plus(0.1, 0.01), { hits })]);
    expect(decision).toMatchObject({ outcome: "inconclusive" });
    expect(decision).toMatchObject({
      cases_needed: null,
      headline:
        "hybrid ranks better, but finds something relevant for fewer cases, and no number of cases " +
        "settles which matters more; until then run fts_only.",
    });
  });
  it("look at modes of other names, or at the order of modes", () => {
    const [hybrid, mine] = [aMode("hybrid", plus(0.1, 0.01)), aMode("mine", plus(0.5, 0.01))];
    expect(decideBench([mine, hybrid, fts])).toEqual(decideBench([fts, hybrid]));
  });
  it("take the hash baseline for the real provider, where that was measured", () => {
    const modes = [
      fts,
      aMode("hybrid", plus(0.1, 0.01)),
      aMode("hybrid@live", plus(-0.1, 0.01), { tier: "live_shadow" }),
    ];
    expect(decideBench(modes)).toMatchObject({ outcome: "fall_back_to_fts_only", tier: "live_shadow" });
  });
  it("be made without fts_only, or without embeddings", () => {
    expect(decideBench([aMode("hybrid", low)])).toBeNull();
    expect(decideBench([fts, aMode("mine", low)])).toBeNull();
  });
  it("depend on anything but scores, settings and seed", () => {
    const modes = [fts, aMode("hybrid", plus(0.01, 0.05))];
    expect(decideBench(modes, { seed: 7 })).toEqual(decideBench(modes, { seed: 7 }));
  });
  it.each([
    [{ margin: 2 }, "margin must be a difference of nDCG from -1 to 1, got `2`"],
    [{ confidence: 1 }, "confidence must be a share between 0 and 1, such as 0.95, got `1`"],
    [{ latencyBudgetMs: -1 }, "latencyBudgetMs must be a number of milliseconds from 0, got `-1`"],
    [{ latencyBudgetMs: Number.NaN }, "latencyBudgetMs must be a number of milliseconds from 0, got `NaN`"],
    [{ seed: 0.5 }, "seed must be a whole number from -2147483648 to 4294967295, got `0.5`"],
    [{ resamples: 10 }, "resamples must be a whole number from 100, got `10`"],
  ])("take %j", (options, message) => {
    expect(() => decideBench([fts, aMode("hybrid", low)], options)).toThrow(message);
  });
});
