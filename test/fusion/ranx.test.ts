import { describe, expect, it } from "vitest";
import {
  combSum,
  fuse,
  fusionCatalog,
  normalizerCatalog,
  parseFusion,
  parseNormalizer,
  type ScoredRun,
} from "../../src/fusion/index.js";
import { agree, grouped, readRun, readTable, SETS } from "./oracle.js";

const FUSED_KEYS = ["norm", "query", "doc"];
const NORMALIZED_KEYS = ["run", "query", "doc"];

/** Cells that were compared, so that a renamed column cannot make the suite empty. */
const compared = { normalized: 0, fused: 0, bordaRanks: 0, condorcetExact: 0, condorcetPairs: 0 };

/** `id value` of what differs. */
function differences(actual: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): string[] {
  return [...expected]
    .filter(([id, value]) => !agree(actual.get(id), value))
    .map(([id, value]) => `${id}: ${actual.get(id)} instead of ${value}`);
}

function scoresOf(run: ScoredRun, query: string): Map<string, number> {
  const { ids, scores } = run.get(query) ?? { ids: [], scores: [] };
  return new Map(ids.map((id, index) => [id, scores[index] as number]));
}

/**
 * The one cell that is wrong in the table: ranx gives an item -1e9 for each run that lacks it, so its CombMAX
 * is never lower. The only score of d2 is -2.5 divided by 1e-9.
 */
const WRONG = {
  set: "degenerate",
  norm: "max",
  method: "max",
  query: "negative",
  id: "d2",
  value: -1e9,
  right: -2.5e9,
} as const;

describe.each(SETS)("ranx 0.3.20 on $set", ({ set, runs: names }) => {
  const runs = names.map((name) => readRun(set, name));
  const normalized = readTable(`${set}/expected-normalised.tsv`);
  const fused = readTable(`${set}/expected-fused.tsv`);
  const methods = fused.columns.filter((name) => !FUSED_KEYS.includes(name));
  const norms = [...new Set(fused.rows.map((row) => row.get("norm") ?? ""))];

  it.each(normalized.columns.filter((name) => !NORMALIZED_KEYS.includes(name)))("normalizer %s", (norm) => {
    const { normalize } = parseNormalizer(norm);
    for (const [key, expected] of grouped(normalized.rows, ["run", "query"], "doc", norm)) {
      const [name = "", query = ""] = key.split("\t");
      const all = new Set(runs.flatMap((run) => run.get(query)?.ids ?? []));
      const { ids, scores } = runs[names.findIndex((one) => one === name)]?.get(query) ?? {
        ids: [],
        scores: [],
      };
      const result = normalize(scores, all.size);
      const actual = new Map(
        result.lacking === undefined ? [] : [...all].map((id) => [id, result.lacking ?? NaN] as const),
      );
      ids.forEach((id, index) => actual.set(id, result.scores[index] as number));
      expect(differences(actual, expected), `${name}, query ${query}`).toEqual([]);
      expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
      compared.normalized += expected.size;
    }
  });

  for (const norm of norms) {
    for (const method of methods.filter((name) => name !== "condorcet")) {
      const settled = parseFusion(method);
      // After Borda normalization ranx numbers the items in the order of a hash set, which is the same for
      // every run.
      const isArbitrary = norm === "borda" && settled.definition.reads === "ranks";
      it(`${method} of ${norm} scores${isArbitrary ? ", up to the arbitrary order" : ""}`, () => {
        const result = fuse(runs, { method: settled, normalize: norm });
        for (const [key, expected] of grouped(
          fused.rows.filter((row) => row.get("norm") === norm),
          ["query"],
          "doc",
          method,
        )) {
          const actual = scoresOf(result, key);
          if (set === WRONG.set && norm === WRONG.norm && method === WRONG.method && key === WRONG.query) {
            expect(expected.get(WRONG.id)).toBe(WRONG.value);
            expected.set(WRONG.id, WRONG.right);
          }
          expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
          if (isArbitrary) {
            const anyOrder = new Map(
              [...expected.keys()].map((id, index, { length }) => [id, length - index] as const),
            );
            const same: ScoredRun = new Map([
              ["q", { ids: [...anyOrder.keys()], scores: [...anyOrder.values()] }],
            ]);
            const alike = [
              ...scoresOf(
                fuse(
                  runs.map(() => same),
                  { method: settled },
                ),
                "q",
              ).values(),
            ].sort((a, b) => a - b);
            const values = [...expected.values()].sort((a, b) => a - b);
            expect(
              values.filter((value, index) => !agree(alike[index], value)),
              `query ${key}`,
            ).toEqual([]);
            compared.bordaRanks += expected.size;
          } else {
            expect(differences(actual, expected), `query ${key}`).toEqual([]);
            compared.fused += expected.size;
          }
        }
      });
    }

    // The runs of ranx are in an arbitrary order after Borda normalization; see above.
    if (norm !== "borda") {
      it(`condorcet of ${norm} scores: every pair that no circle and no draw leaves open`, () => {
        const result = fuse(runs, { method: "condorcet", normalize: norm });
        for (const [query, expected] of grouped(
          fused.rows.filter((row) => row.get("norm") === norm),
          ["query"],
          "doc",
          "condorcet",
        )) {
          const actual = scoresOf(result, query);
          const decided = decidedPairs(norm === "min-max-inverted" ? runs.map(reversed) : runs, query);
          for (const [better, worse] of decided) {
            expect(
              (expected.get(better) ?? NaN) > (expected.get(worse) ?? NaN),
              `ranx, query ${query}: ${better} before ${worse}`,
            ).toBe(true);
            expect(
              (actual.get(better) ?? NaN) > (actual.get(worse) ?? NaN),
              `query ${query}: ${better} before ${worse}`,
            ).toBe(true);
          }
          compared.condorcetPairs += decided.length;
          if (decided.length !== (expected.size * (expected.size - 1)) / 2) continue;
          expect(differences(actual, expected), `query ${query}`).toEqual([]);
          compared.condorcetExact += expected.size;
        }
      });
    }
  }
});

/** A run with every list turned round. */
function reversed(run: ScoredRun): ScoredRun {
  return new Map(
    [...run].map(([query, { ids, scores }]) => [
      query,
      { ids: [...ids].reverse(), scores: Array.from(scores, (score) => -score).reverse() },
    ]),
  );
}

/**
 * Pairs of items whose order every sorting by majority gives: `a` reaches `b` and `b` does not reach `a`,
 * when a step goes from an item to each that it is not beaten by with more than half of all runs. Written
 * without a look at the implementation.
 */
function decidedPairs(runs: readonly ScoredRun[], query: string): [string, string][] {
  const lists = runs.map((run) => run.get(query)?.ids ?? []);
  const ids = [...new Set(lists.flat())];
  const rank = (list: readonly string[], id: string): number =>
    list.includes(id) ? list.indexOf(id) : Infinity;
  const reaches = ids.map((a) =>
    ids.map(
      (b) => a !== b && lists.filter((list) => rank(list, b) < rank(list, a)).length <= lists.length / 2,
    ),
  );
  for (let via = 0; via < ids.length; via++) {
    for (let from = 0; from < ids.length; from++)
      if (reaches[from]?.[via])
        reaches[from] = (reaches[from] ?? []).map((known, to) => known || (reaches[via]?.[to] ?? false));
  }
  return ids.flatMap((a, i) =>
    ids.filter((_, j) => reaches[i]?.[j] && !reaches[j]?.[i]).map((b): [string, string] => [a, b]),
  );
}

describe("the comparison", () => {
  it("has seen every filled cell, except those of condorcet, whose pairs it has seen", () => {
    const { normalized, fused, bordaRanks } = compared;
    const cells = (path: string, keys: readonly string[], left: string[]): number =>
      readTable(path).rows.reduce(
        (sum, row) => sum + row.size - keys.length - left.filter((name) => row.has(name)).length,
        0,
      );
    expect(normalized).toBe(
      SETS.reduce((sum, { set }) => sum + cells(`${set}/expected-normalised.tsv`, NORMALIZED_KEYS, []), 0),
    );
    expect(fused + bordaRanks).toBe(
      SETS.reduce((sum, { set }) => sum + cells(`${set}/expected-fused.tsv`, FUSED_KEYS, ["condorcet"]), 0),
    );
    expect(compared).toEqual({
      normalized: 2199,
      fused: 26276,
      bordaRanks: 1528,
      condorcetExact: 7,
      condorcetPairs: 1973,
    });
  });
  it(
    "has every normalizer of the catalogue, and every method but one that ranx names and the " +
      "tables lack",
    () => {
      const { columns } = readTable("degenerate/expected-fused.tsv");
      const inTables = new Set(
        columns.filter((name) => !FUSED_KEYS.includes(name)).map((name) => parseFusion(name).definition.name),
      );
      expect(
        fusionCatalog.map(({ definition }) => definition.name).filter((name) => !inTables.has(name)),
      ).toEqual(["w_condorcet"]);
      const norms = new Set(readTable("degenerate/expected-fused.tsv").rows.map((row) => row.get("norm")));
      expect(normalizerCatalog.map(({ name }) => name).filter((name) => !norms.has(name))).toEqual([]);
    },
  );
  it("would see a wrong value: sums are not means", () => {
    const runs = SETS[0].runs.map((name) => readRun("three-engines", name));
    const expected = [
      ...grouped(
        readTable("three-engines/expected-fused.tsv").rows.filter((row) => row.get("norm") === "none"),
        ["query"],
        "doc",
        "anz",
      ),
    ][0];
    expect(
      differences(
        scoresOf(fuse(runs, { method: combSum(), normalize: "none" }), expected?.[0] ?? ""),
        expected?.[1] ?? new Map(),
      ),
    ).not.toEqual([]);
  });
});
