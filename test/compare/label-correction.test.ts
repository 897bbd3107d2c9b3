import { describe, expect, it } from "vitest";
import {
  compareSystems,
  type GradesByQuery,
  type LabelEvidence,
  type ScoreComparison,
} from "../../src/index.js";
import { gate } from "../../src/gate/index.js";
import { modelFamily, type StatisticsOptions } from "../../src/compare/index.js";
import { selfJudgedRuns } from "../../src/compare/label-evidence.js";
import { pairsNeeded, stratifiedMean } from "../../src/stats/index.js";
import { pattern } from "../support/pattern.js";
import { aRun, hit, result } from "../support/records.js";

const QUERIES = Array.from({ length: 12 }, (_, at) => `q${at}`);
const ITEMS = ["a", "b", "c", "d", "e", "f"];
const truth = (query: number, item: number): number => (query * 7 + item * 5) % 4;
/** A judge that is a grade too generous with every third pair. */
const opinion = (query: number, item: number): number =>
  Math.min(3, truth(query, item) + ((query + item) % 3 === 0 ? 1 : 0));

function grades(of: (query: number, item: number) => number, most = QUERIES.length): GradesByQuery {
  return new Map(
    QUERIES.slice(0, most).map((id, query) => [
      id,
      new Map(ITEMS.map((name, item) => [name, of(query, item)])),
    ]),
  );
}

const run = (score: (query: number, item: number) => number): Map<string, Map<string, number>> =>
  new Map(
    QUERIES.map((id, query) => [
      id,
      new Map(ITEMS.slice(0, 5).map((name, item) => [name, score(query, item)])),
    ]),
  );
const SYSTEMS = [
  { name: "base", run: run((_, item) => -item) },
  { name: "oracle", run: run((query, item) => truth(query, item) - item / 10) },
];
const frame = new Map(QUERIES.map((id) => [id, "all"]));

function evidence(given: Partial<LabelEvidence> = {}): LabelEvidence {
  return {
    labeler: "judge",
    counts: { people: 36, model: 36 },
    byPeople: grades(truth, 6),
    byModel: grades(opinion),
    sample: { frame, drawn: new Set(QUERIES.slice(0, 6)) },
    ...given,
  };
}

function compared(labels: LabelEvidence | undefined, options: StatisticsOptions = {}): ScoreComparison {
  return compareSystems(SYSTEMS, grades(opinion), ["nDCG@3", "P@3", "AP"], {
    ...options,
    labels,
    resamples: 200,
  });
}

describe("labels of a model", () => {
  it("give no verdict by themselves, whatever they say", () => {
    const found = compared(evidence({ sample: null }));
    expect(compared(undefined).comparisons[0]?.verdict.kind).toBe("better");
    expect(found.comparisons[0]?.verdict).toMatchObject({ kind: "inconclusive", queries_needed: null });
    expect(found.comparisons[0]?.corrected).toBeNull();
    expect(found.trust).toMatchObject({ status: "not_audited", sample: null, self_judged: [] });
    expect(compared(undefined).trust).toBeUndefined();
  });

  it("are corrected by people's, metric by metric", () => {
    const found = compared(evidence());
    expect(found.trust).toMatchObject({
      status: "audited",
      pool: "labelled",
      sample: { drawn: 6, frame: 12 },
    });
    const corrected = found.comparisons[0]?.corrected ?? [];
    expect(corrected.map(({ metric }) => metric)).toEqual(["nDCG@3", "P@3", "AP"]);
    // The model's own mean is over all queries of the frame, as without any evidence.
    expect(corrected[0]?.raw).toBeCloseTo(found.comparisons[0]?.metrics[0]?.difference ?? NaN, 4);
    const people = compareSystems(SYSTEMS, grades(truth, 6), ["nDCG@3"]).comparisons[0]?.metrics[0]
      ?.difference;
    expect(corrected[0]?.people.mean).toBeCloseTo(people ?? NaN, 4);
    expect(found.comparisons[0]?.verdict.reasons[0]).toBe(
      "6 queries labelled by people; what the model's labels add to them cannot be told from fewer than 20.",
    );
  });

  it(
    "are not corrected where a drawn query lacks a label in view of any run: no query is " + "dropped for it",
    () => {
      const lacking = new Map([...grades(truth, 6)].map(([id, of]) => [id, new Map(of)]));
      // The third hit of the baseline for one query.
      lacking.get("q2")?.delete("c");
      const found = compared(evidence({ byPeople: lacking }), { primary: "nDCG@3" });
      expect(found.trust).toMatchObject({ status: "not_audited", missing_pairs: 1 });
      expect(found.trust?.next).toMatch(/--complete( --run base)? --run /);
      // An item that no run shows within the cutoff may lack one: then ideals are over what is in view.
      const unseen = new Map(
        [...grades(truth, 6)].map(([id, of]) => [id, new Map([...of].filter(([item]) => item !== "f"))]),
      );
      expect(compared(evidence({ byPeople: unseen })).trust).toMatchObject({
        status: "audited",
        pool: "viewed",
      });
    },
  );

  it("wait for five queries", () => {
    const found = compared(evidence({ sample: { frame, drawn: new Set(QUERIES.slice(0, 4)) } }));
    expect(found.trust?.sentence).toBe(
      "Only 4 queries of the sample can be measured; at least 5 are needed.",
    );
  });

  it("are corrected over the queries that a recorded baseline was asked", () => {
    const recorded = (name: string, order: readonly string[], asked: readonly string[]) => ({
      name,
      run: aRun({
        run_id: name,
        results: asked.map((id) =>
          result(
            id,
            order.map((item, at) => hit(item, at + 1)),
          ),
        ),
      }),
    });
    const best = grades(truth);
    const asked = (drawn: number): readonly string[] => [...QUERIES.slice(0, drawn), ...QUERIES.slice(6, 9)];
    const found = (drawn: number) =>
      compareSystems(
        [recorded("base", ["a", "b"], asked(drawn)), recorded("other", ["a", "b"], QUERIES)],
        grades(opinion),
        ["nDCG@2"],
        { labels: evidence({ byPeople: best }), resamples: 200 },
      ).comparisons[0];
    expect(found(5)?.corrected?.[0]).toMatchObject({ queries: 5, further: 3, corrected: 0, raw: 0 });
    expect(found(5)?.answered_by_both).toBeUndefined();
    expect(found(0)?.verdict).toMatchObject({
      kind: "inconclusive",
      headline: expect.stringMatching(/^Of the queries that people labelled the baseline answered/) as string,
    });
  });

  it("are estimated by stratum where the sample has some", () => {
    const kinds = new Map(QUERIES.map((id, at) => [id, at % 2 === 0 ? "even" : "odd"]));
    const found = compared(evidence({ sample: { frame: kinds, drawn: new Set(QUERIES.slice(0, 6)) } }));
    expect(found.trust?.status).toBe("audited");
    expect(found.comparisons[0]?.corrected?.[0]).toMatchObject({ queries: 6, further: 6, correlation: null });
    // Three queries each are fitted too well by a lambda of their own.
    const at = found.metrics.indexOf("nDCG@3");
    const differencesBy = (judge: typeof truth): ReadonlyMap<string, number> =>
      new Map(
        compareSystems(SYSTEMS, grades(judge), ["nDCG@3"]).per_query.map(({ query_id, scores }) => [
          query_id,
          (scores[1]?.[at] ?? NaN) - (scores[0]?.[at] ?? NaN),
        ]),
      );
    const [people, model] = [differencesBy(truth), differencesBy(opinion)];
    const strata = [0, 1].map((kind) => {
      const [drawn, further] = [QUERIES.slice(0, 6), QUERIES.slice(6)].map((ids) =>
        ids.filter((id) => Number(id.slice(1)) % 2 === kind),
      );
      const of = (scores: ReadonlyMap<string, number>, ids: readonly string[] = []): number[] =>
        ids.map((id) => scores.get(id) as number);
      return {
        human: of(people, drawn),
        model: of(model, drawn),
        modelOnly: of(model, further),
        weight: 0.5,
      };
    });
    const wanted = stratifiedMean(strata, 0.95, { lambda: "shared" });
    expect(found.comparisons[0]?.corrected?.[0]?.lambda).toBeCloseTo(wanted.lambda, 3);
    expect(Math.abs(stratifiedMean(strata).lambda - wanted.lambda)).toBeGreaterThan(0.01);
    const one = new Map(QUERIES.map((id, at) => [id, at === 0 ? "rare" : "usual"]));
    const lonely = compared(evidence({ sample: { frame: one, drawn: new Set(QUERIES.slice(0, 6)) } }));
    expect(lonely.trust?.sentence).toContain("fewer than 2");
  });

  it(
    "say nothing where most of people's queries are alike: no interval, and not the same for " +
      "all that matters",
    () => {
      // People see a difference in two of 9 queries.
      const sparse = (query: number, item: number): number => (query % 5 === 0 ? opinion(query, item) : 0);
      const drawn = QUERIES.slice(0, 9);
      const found = compared(
        evidence({ byPeople: grades(sparse, 9), sample: { frame, drawn: new Set(drawn) } }),
        { primary: "nDCG@3" },
      );
      const [comparison] = found.comparisons;
      expect(comparison?.verdict).toMatchObject({ kind: "inconclusive" });
      expect(comparison?.verdict.headline).toMatch(
        pattern(
          /^Of 9 queries labelled by people all but \d have the /,
          /same difference in nDCG@3, from which nothing follows/,
        ),
      );
      expect(comparison?.corrected?.[0]).toMatchObject({ interval: null, p: null });
      const none = compared(
        evidence({ byPeople: grades(() => 0, 9), sample: { frame, drawn: new Set(drawn) } }),
      ).comparisons[0];
      expect(none?.verdict.kind).toBe("inconclusive");
      expect(gate(found, ["verdict is better or equivalent"]).passed).toBe(false);
      // Nor does a rule take one difference of all that people saw for that of the others.
      expect(gate(found, ["nDCG@3 not worse by 0.5"]).rules[0]).toMatchObject({
        passed: false,
        why: expect.stringContaining("is the same for nearly all queries that people labelled") as string,
      });
    },
  );

  it("are counted by the queries that people labelled, in rules of a gate, too", () => {
    const labels = evidence();
    const found = compareSystems(SYSTEMS.toReversed(), grades(opinion), ["nDCG@3"], { labels });
    const [corrected] = found.comparisons[0]?.corrected ?? [];
    const { improved = 0, equal = 0, worse = 0 } = corrected ?? {};
    expect(worse).toBeGreaterThan(3);
    expect(improved + equal + worse).toBe(6);
    expect(gate(found, ["at most 0% worse queries of nDCG@3"]).rules[0]?.why).toMatch(
      new RegExp(`^${worse} of 6 queries got worse in nDCG@3: `),
    );
    // So many queries need what people's differences vary by, not the model's.
    const { low, high } = corrected?.interval ?? { low: NaN, high: NaN };
    const deviation = ((high - low) / 2 / 2.570581836) * Math.sqrt(6);
    const allowed = 0.5;
    expect(-low).toBeGreaterThan(allowed);
    const needed = pairsNeeded(((corrected?.corrected ?? NaN) + allowed) / deviation) ?? NaN;
    expect(gate(found, [`nDCG@3 not worse by ${allowed}`]).rules[0]?.why).toContain(
      `about ${Math.max(7, needed)} queries needed, there are 6`,
    );
    // Reports of before have no counts.
    const earlier = structuredClone(found);
    for (const score of earlier.comparisons[0]?.corrected ?? []) delete score.worse;
    expect(gate(earlier, ["at most 99% worse queries of nDCG@3"])).toMatchObject({ passed: false });
  });

  it("name the queries that the sample could not be drawn from", () => {
    const early = new Map(QUERIES.slice(0, 10).map((id) => [id, "all"]));
    const found = compared(evidence({ sample: { frame: early, drawn: new Set(QUERIES.slice(0, 6)) } }));
    expect(found.trust).toMatchObject({ status: "audited", sample: { drawn: 6, frame: 10 } });
    expect(found.trust?.next).toMatch(/^2 queries came after the sample was drawn/);
  });

  it("of nobody are no labels of people", () => {
    const { trust } = compared(evidence({ counts: { people: 0, model: 0 }, sample: null }));
    expect(trust).toMatchObject({ status: "unknown", sentence: "Nothing is labelled yet." });
    const empty = compared(evidence({ counts: { people: 0, model: 0 }, sample: null }));
    expect(gate(empty, ["labels audited"]).passed).toBe(false);
  });

  it("have no tests of all pairs, which would be tests of an opinion", () => {
    const three = [...SYSTEMS, { name: "third", run: run((query, item) => (query * item) % 3) }];
    const of = (labels: LabelEvidence | undefined) =>
      compareSystems(three, grades(opinion), ["nDCG@3"], { labels, resamples: 200 });
    expect(of(evidence())).toMatchObject({ all_pairs: null, leaderboard: null });
    expect(of(evidence({ sample: null }))).toMatchObject({ all_pairs: null, leaderboard: null });
    expect(of(undefined).leaderboard).not.toBeNull();
  });

  it("are gated by what people make of them", () => {
    const found = compared(evidence());
    const corrected = found.comparisons[0]?.corrected?.find(({ metric }) => metric === "nDCG@3");
    const { rules } = gate(found, ["nDCG@3 not worse by 0.5", "no significant loss of nDCG@3"]);
    expect(rules[0]?.why).toContain((corrected?.interval?.low ?? 0).toFixed(4).slice(0, 5));
    const opinions = gate(compared(evidence({ sample: null })), ["no significant loss of nDCG@3"]);
    expect(opinions.rules.map(({ rule, passed }) => [rule, passed])).toContainEqual([
      "labels audited",
      false,
    ]);
  });

  it("that are all people's, or of nobody known, hold nothing back", () => {
    expect(compared(evidence({ counts: { people: 72, model: 0 } })).trust?.status).toBe("people");
    const unknown = compared({ labeler: null, counts: null });
    expect([unknown.trust?.status, unknown.comparisons[0]?.verdict.kind]).toEqual(["unknown", "better"]);
    const elsewhere = compared({ labeler: "judge", counts: { people: 0, model: 72 } });
    expect(elsewhere.trust?.sentence).toBe(
      "The labels are those of judge, which people have not checked here.",
    );
  });
});

it("a configuration is looked through, however deep it is", () => {
  let deep: object = { reranker: { model: "gpt-4o" } };
  for (let depth = 0; depth < 20_000; depth++) deep = { a: deep };
  const run = aRun({ config_snapshot: deep as Record<string, unknown> });
  expect(selfJudgedRuns([{ name: "mine", run }], "openai/gpt-4o-2024-08-06")).toEqual(["mine"]);
  expect(selfJudgedRuns([{ name: "mine", run }], "gpt-5")).toEqual([]);
});

it.each([
  ["openai/GPT-4o-2024-08-06", "gpt-4o"],
  ["gpt-4o-latest", "gpt-4o"],
  ["anthropic/claude-3-5-sonnet@20240620", "claude-3-5-sonnet"],
  ["models/vendor/Bge-Reranker-v2", "bge-reranker-v2"],
  ["openai:gpt-4o", "gpt-4o"],
  ["gpt-4.1", "gpt-4.1"],
  ["gpt-4-0613", "gpt-4"],
  ["us.anthropic.claude-3-5-sonnet-20240620-v1:0", "claude-3-5-sonnet"],
  ["bedrock:us-gov.anthropic.claude-3-5-sonnet-20240620-v1:0", "claude-3-5-sonnet"],
  ["ai21.jamba-1-5-large-v1:0", "jamba-1-5-large-v1:0"],
  ["google_genai:gemini-2.0-flash", "gemini-2.0-flash"],
  ["mistral:mistral-large-2402", "mistral-large"],
  ["ollama:mistral:7b", "mistral:7b"],
  ["mistral:v0.1", "mistral:v0.1"],
  ["command:r7b", "command:r7b"],
  ["gemma:7b", "gemma:7b"],
  ["mistral:latest", "mistral"],
  ["gpt-4o ", "gpt-4o"],
  ["anthropic.claude-3-5-sonnet-20240620-v1:0", "claude-3-5-sonnet"],
])("the model %s is %s", (model, family) => {
  expect(modelFamily(model)).toBe(family);
});

it("a model that is named before its tag is not taken for a vendor", () => {
  const run = aRun({ config_snapshot: { reranker: { model: "gemma:7b" } } });
  expect(selfJudgedRuns([{ name: "mine", run }], "mistral:7b")).toEqual([]);
  expect(selfJudgedRuns([{ name: "mine", run }], "gemma:7b")).toEqual(["mine"]);
});
