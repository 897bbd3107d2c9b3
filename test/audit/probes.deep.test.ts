import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditLabels, probeJudge, type AuditedLabel } from "../../src/audit/index.js";
import { cutToThird, withAdded, type Place } from "../../src/audit/probes/changed-items.js";
import { probeResult } from "../../src/audit/probes/probe-result.js";
import { probeTexts } from "../../src/audit/probes/probe-texts.js";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import type { Labeler } from "../../src/label/index.js";
import { judgedPairs, judgesOf, judging, type Seen } from "../support/judges.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { showProof, tries } from "../support/proof.js";

interface OracleProbe {
  readonly probe: string;
  readonly variant: string;
  readonly rows: readonly (readonly [
    query: string,
    item: string,
    text: string,
    place: number,
    size: number,
  ])[];
  readonly grades: Readonly<Record<string, readonly number[] | string>>;
  readonly summary?: Readonly<
    Record<string, { below_2_before: number; lifted_to_2: number; changed: number; mean_shift: number }>
  >;
}

const folder = oracle("search-evaluation");
describe.skipIf(folder === null)(
  `probes of judges (${folder === null ? WITHOUT_ORACLES : "in full"})`,
  () => {
    const data = judgedPairs(folder as string);
    const judges = judgesOf(data);
    const queryById = new Map(data.queries.map((query) => [query.id, query]));
    const { probes } = JSON.parse(readFileSync(join(folder as string, "judge-probes.json"), "utf8")) as {
      readonly probes: readonly OracleProbe[];
    };
    const gradesOf = ({ grades }: OracleProbe, judge: string): number[] =>
      [...(grades[judge] ?? [])].map(Number);
    const sound = [...(data.grades["sound"] as string)].map(Number);
    const queries = data.queries.map(({ id, text }) => ({
      query: text,
      labelled: data.pairs.flatMap(([query, item, own], at) =>
        query === id ? [{ item: { id: item, fields: { text: own } }, grade: sound[at] as number }] : [],
      ),
    }));
    const tried = (labeler: Labeler, seed: number) => probeJudge({ labeler, name: "judge", queries, seed });
    const alarmsOf = async (labeler: Labeler, seed: number): Promise<string[]> => {
      const { results } = await tried(labeler, seed);
      return [...new Set(results.filter(({ is_alarm }) => is_alarm).map(({ probe }) => probe))];
    };
    /** With errors of its own at every call. */
    const unsteady = (judge: (seen: Seen) => number, seed: number): Labeler => {
      const random = seededRandom(seed);
      return judging(data, (seen) => {
        const turn = random();
        return Math.max(0, Math.min(3, judge(seen) + (turn < 0.08 ? 1 : turn < 0.16 ? -1 : 0)));
      });
    };

    it.each(Object.keys(judges))("has the judge of the oracle: %s", (name) => {
      const judge = judges[name] as (seen: Seen) => number;
      const seen = data.pairs.map(([query, id, text], at) =>
        judge({ query: queryById.get(query) as Seen["query"], id, text, position: at % 20, size: 20 }),
      );
      expect(seen.join("")).toBe(data.grades[name]);
      for (const probe of probes)
        expect(
          probe.rows.map(([query, id, text, position, size]) =>
            judge({ query: queryById.get(query) as Seen["query"], id, text, position, size }),
          ),
          `${probe.probe}, ${probe.variant}`,
        ).toEqual(gradesOf(probe, name));
    });

    it("changes items as the oracle does", () => {
      const plainOf = (probe: string) =>
        probes.find((each) => each.probe === probe && each.variant === "plain");
      for (const { probe, variant, rows } of probes) {
        if (variant === "plain" || probe === "position" || variant === "longer") continue;
        rows.forEach(([query, id, text], at) => {
          const before = plainOf(probe)?.rows[at];
          // Its middle is behind what it says of the item, where ours is by words alone.
          if (variant === "middle" && (before?.[2].split(" ").length ?? 0) < 16) return;
          const item = { id, fields: { text: before?.[2] as string } };
          const words = queryById.get(query)?.text as string;
          const changed =
            probe === "query words"
              ? withAdded(item, words, variant as Place)
              : probe === "instruction"
                ? withAdded(item, probeTexts.orders[Number(variant.slice(-1)) - 1] as string, "end")
                : cutToThird(item);
          expect(changed?.fields["text"]).toBe(text);
        });
      }
    });

    it("counts what the oracle counts, variant by variant", () => {
      let plain: OracleProbe | undefined;
      for (const probe of probes) {
        if (probe.variant === "plain") plain = probe;
        for (const [name, expected] of Object.entries(probe.summary ?? {})) {
          const [before, after] = [gradesOf(plain as OracleProbe, name), gradesOf(probe, name)];
          const found = probeResult(
            { probe: "length", variant: probe.variant, direction: "either" },
            before.map((grade, at) => ({ before: grade, again: grade, after: after[at] as number })),
          );
          expect([found.below_2, found.lifted, found.changed], `${probe.probe}, ${probe.variant}`).toEqual([
            expected.below_2_before,
            expected.lifted_to_2,
            expected.changed,
          ]);
          expect(found.shift).toBeCloseTo(expected.mean_shift, 9);
        }
      }
    });

    it("names the defect of a judge, and no other, whatever pairs are drawn", async () => {
      const seeds = tries(20, 400);
      const shares: Record<string, number> = {};
      for (const [name, probe] of [
        ["query-words", "query_words"],
        ["length", "length"],
        ["position", "position"],
        ["injectable", "instruction"],
      ] as const)
        for (const isUnsteady of [false, true]) {
          let named = 0;
          for (let seed = 1; seed <= seeds; seed++) {
            const judge = judges[name] as (seen: Seen) => number;
            const alarms = await alarmsOf(isUnsteady ? unsteady(judge, seed) : judging(data, judge), seed);
            if (alarms.includes(probe)) named++;
          }
          shares[`${name}${isUnsteady ? ", unsteady" : ""}`] = named / seeds;
        }
      showProof("judges named by their probe", shares);
      for (const [name, share] of Object.entries(shares)) expect(share, name).toBeGreaterThanOrEqual(0.95);
    });

    it.each(["sound", "sound-noisy", "constant", "random", "inverted"])(
      "raises no alarm: %s",
      async (name) => {
        for (let seed = 1; seed <= 5; seed++)
          expect(await alarmsOf(judging(data, judges[name] as (seen: Seen) => number), seed)).toEqual([]);
      },
    );

    it(
      "raises an alarm for at most 2 % of whole audits of a sound judge that errs anew at every " + "call",
      async () => {
        const audits = tries(100, 2000);
        let alarms = 0;
        for (let seed = 1; seed <= audits; seed++) {
          const labeler = unsteady(judges["sound"] as (seen: Seen) => number, 7_000 + seed);
          const labels = await labelled(labeler);
          const audit = auditLabels(truth, labels, { ...ABOUT, seed, probes: await tried(labeler, seed) });
          if (audit.findings.length > 0) alarms++;
        }
        showProof("whole audits of a sound judge, 8 % up and 8 % down at every call", {
          audits,
          alarms,
          share: alarms / audits,
        });
        expect(alarms / audits).toBeLessThanOrEqual(0.02 + 2 * Math.sqrt((0.02 * 0.98) / audits));
      },
    );

    const truth: AuditedLabel[] = data.pairs.map(([query, item], at) => ({
      query,
      item,
      outcome: "graded",
      grade: sound[at] as number,
    }));
    const ABOUT = {
      auditId: "a",
      dataset: "d",
      tenant: "t",
      createdAt: "2026-11-23T00:00:00.000Z",
      first: { name: "people", kind: "people", rater: null },
      second: { name: "judge", kind: "model", rater: "judge" },
      queries: data.queries.map(({ id }) => ({ id, query: id })),
      resamples: 200,
    } as const;
    const labelled = async (labeler: Labeler): Promise<AuditedLabel[]> => {
      const perQuery = queries.map(async ({ query, labelled: own }) =>
        labeler.label({ query, items: own.map(({ item }) => item) }),
      );
      const verdicts = (await Promise.all(perQuery)).flatMap((reply) => reply.verdicts);
      return data.pairs.map(([query, item], at) => {
        const { outcome, grade } = verdicts[at] as (typeof verdicts)[number];
        return { query, item, outcome, grade };
      });
    };

    it.each([
      ["constant", "constant"],
      ["random", "chance"],
      ["inverted", "inverted"],
      ["format-breaking", "invalid_answers"],
    ])("names %s by confusion and validity", async (name, kind) => {
      const labels =
        name === "format-breaking"
          ? truth.map((label, at) => {
              const grade = data.format_breaking_valid[at] as number | null;
              return {
                ...label,
                grade,
                outcome: grade === null ? ("invalid" as const) : ("graded" as const),
              };
            })
          : await labelled(judging(data, judges[name] as (seen: Seen) => number));
      expect(auditLabels(truth, labels, { ...ABOUT, seed: 1 }).findings.map((each) => each.kind)).toEqual([
        kind,
      ]);
    });
  },
);
