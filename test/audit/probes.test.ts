import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  probeEstimate,
  probeJudge,
  type ProbeAnswer,
  type ProbedQuery,
  type ProbeOptions,
} from "../../src/audit/index.js";
import { cutToThird, withAdded } from "../../src/audit/probes/changed-items.js";
import type { ItemVerdict, Labeler, LabelRequest } from "../../src/label/index.js";
import { openProbeAnswers } from "../../src/node/internal.js";

const THINGS = ["shoe", "hat", "lamp", "rug", "pan", "tent"];
const item = (thing: string, at: number) => ({
  id: `${thing}-${at}`,
  fields: { title: thing, text: `A ${thing} of good make, number ${at}, with all that belongs to it` },
});
const QUERIES: readonly ProbedQuery[] = THINGS.map((thing, at) => ({
  query: `a ${thing}`,
  labelled: [
    ...[1, 2, 3, 4, 5, 6].map((number) => ({ item: item(thing, number), grade: 3 })),
    ...[1, 2].map((number) => ({ item: item(THINGS[(at + 1) % 6] as string, number), grade: 0 })),
  ],
}));

/** By the title alone, which no probe changes. */
const sound = ({ query, items }: LabelRequest): ItemVerdict[] =>
  items.map(({ id, fields }) => ({
    id,
    outcome: "graded",
    grade: query === `a ${String(fields["title"])}` ? 3 : 0,
  }));

function asking(
  answer: (request: LabelRequest) => readonly ItemVerdict[] = sound,
): Labeler & { readonly asked: LabelRequest[] } {
  const asked: LabelRequest[] = [];
  return {
    asked,
    rater: { kind: "model", name: "judge" },
    estimate: () => ({ price: { amount: 0.01, currency: "EUR" } }),
    async label(request) {
      asked.push(request);
      return { verdicts: answer(request) };
    },
  };
}
const options = (labeler: Labeler, more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  labeler,
  name: "judge",
  queries: QUERIES,
  pairs: 12,
  batchSize: 5,
  ...more,
});

describe("trying a judge", () => {
  it("asks each pair as it is, the same again, and changed, in one company", async () => {
    const labeler = asking();
    const probes = await probeJudge(options(labeler));
    expect(probes.results.map(({ probe, variant }) => `${probe} ${variant}`)).toEqual([
      "query_words start",
      "query_words middle",
      "query_words end",
      "instruction order 1",
      "instruction order 2",
      "instruction order 3",
      "length longer",
      "length cut to a third",
      "position first",
      "position last",
      "company only good",
      "company only poor",
    ]);
    expect(probes.results.every(({ is_alarm, changed }) => !is_alarm && changed === 0)).toBe(true);
    expect(probes.steadiness).toEqual({ pairs: 24, unchanged: 24, mean_change: 0 });
    expect(probes.skipped).toEqual([
      { probe: "wording", reason: "there is no second wording of its prompt" },
    ]);
    expect(probes.requests).toBe(labeler.asked.length);
    for (const { items } of labeler.asked) {
      expect(items.length).toBe(5);
      expect(new Set(items.map(({ id }) => id)).size).toBe(5);
    }
    expect(probeEstimate(options(asking()))).toEqual({
      requests: labeler.asked.length,
      cost: { price: { amount: expect.closeTo(labeler.asked.length / 100, 9) as number, currency: "EUR" } },
    });
  });

  it("is the same for one seed, whatever the concurrency, and another for another", async () => {
    const drawn = async (more: Partial<ProbeOptions>): Promise<string[]> => {
      const labeler = asking();
      await probeJudge(options(labeler, more));
      return labeler.asked
        .map(({ query, items }) => `${query}: ${items.map(({ id }) => id).join(" ")}`)
        .sort();
    };
    const once = await drawn({ seed: 3 });
    expect(await drawn({ seed: 3, concurrency: 7 })).toEqual(once);
    expect(await drawn({ seed: 4 })).not.toEqual(once);
  });

  it("asks nothing twice, though a judge learns with its answers how it can be asked", async () => {
    const kept = new Map<string, ProbeAnswer>();
    const answers = {
      read: kept.get.bind(kept),
      keep: (key: string, answer: ProbeAnswer) => void kept.set(key, answer),
    };
    const learning = (name: string) => {
      const asked: LabelRequest[] = [];
      const labeler: Labeler = {
        get rater() {
          const format = asked.length === 0 ? "json_schema" : "json_object";
          return { kind: "model" as const, name, parameters: { response_format: format } };
        },
        async label(request) {
          asked.push(request);
          return { verdicts: sound(request) };
        },
      };
      return { asked, labeler };
    };
    const run = async () => {
      const [one, other] = [learning("one"), learning("other")];
      const given = options(one.labeler, { reworded: other.labeler, concurrency: 4, answers });
      const planned = probeEstimate(given).requests;
      await probeJudge(given);
      return [planned, one.asked.length + other.asked.length];
    };
    const [planned, asked] = await run();
    expect(planned).toBe(asked);
    expect(asked).toBeGreaterThan(100);
    expect(await run()).toEqual([0, 0]);
    expect(await run()).toEqual([0, 0]);
  });

  it("holds a second wording against the first", async () => {
    const generous = asking((request) => sound(request).map((each) => ({ ...each, grade: 3 })));
    const { results } = await probeJudge(options(asking(), { reworded: generous, pairs: 24 }));
    const found = results.find(({ probe }) => probe === "wording");
    expect(found).toMatchObject({ pairs: 24, below_2: 12, lifted: 12, is_alarm: true });
    expect(generous.asked.length).toBe(24);
  });

  it("counts answers that cannot be used, and leaves their pairs out", async () => {
    let turn = 0;
    const breaking = asking((request) => sound(request).slice(turn++ % 2));
    const { answers, results } = await probeJudge(options(breaking, { batchSize: 1 }));
    expect(answers.invalid).toBe(answers.graded);
    expect(results.every(({ pairs }) => pairs < 12)).toBe(true);
  });

  it("does not count as steady what the judge was never shown", async () => {
    // It is shown the title alone.
    const shown = asking((request) =>
      sound(request).map((verdict, at) => ({
        ...verdict,
        sent: { hash: String(request.items[at]?.fields["title"]), length: 4 },
      })),
    );
    const { results, skipped } = await probeJudge(options(shown));
    expect(results.map(({ probe }) => probe)).toEqual(["position", "position", "company", "company"]);
    expect(skipped).toContainEqual({
      probe: "query words, start",
      reason: "what was changed lies behind what the judge is shown of an item",
    });
  });

  it("says what cannot be tried, and asks nothing for it", async () => {
    const labeler = asking();
    const { results, skipped } = await probeJudge(options(labeler, { queries: QUERIES.slice(0, 1) }));
    expect(results).toEqual([]);
    expect(labeler.asked).toEqual([]);
    expect(skipped[0]).toEqual({
      probe: "query words, start",
      reason: "it can be tried with 2 pairs, at least 9 are needed",
    });
    expect((await probeJudge(options(labeler, { queries: [] }))).steadiness.mean_change).toBeNull();
    await expect(probeJudge(options(labeler, { pairs: 0 }))).rejects.toThrow("pairs must be");
  });

  it("keeps every answer, so that a failure loses none and none is asked for twice", async () => {
    const folder = mkdtempSync(join(tmpdir(), "probes-"));
    let calls = 0;
    const failing = asking((request) => {
      if (++calls > 40) throw new Error("no more money");
      return sound(request);
    });
    const answers = openProbeAnswers(folder, "shop");
    await expect(probeJudge(options(failing, { answers }))).rejects.toThrow("no more money");
    expect(readFileSync(answers.path, "utf8").match(/"key"/g)?.length).toBe(40);
    // As a killed process leaves it, and another hand.
    appendFileSync(answers.path, '\n{"key":"x","answer":{"outc');
    const again = asking();
    const kept = openProbeAnswers(folder, "shop");
    const probes = await probeJudge(options(again, { answers: kept }));
    expect(kept.used).toBe(40);
    expect(again.asked.length).toBe(probes.requests - 40);
    const third = asking();
    expect(await probeJudge(options(third, { answers: openProbeAnswers(folder, "shop") }))).toEqual(probes);
    expect(third.asked).toEqual([]);
    writeFileSync(answers.path, '[1]\nnull\n"text"\n{"key":1}\n');
    expect(openProbeAnswers(folder, "shop").read("x")).toBeUndefined();
  });
});

describe("changed items", () => {
  const cut = (fields: Record<string, unknown>) => cutToThird({ id: "a", fields })?.fields;
  it("have the change in their longest text", () => {
    const fields = JSON.parse('{"__proto__": "a\\n b  c d e f", "title": "t", "price": 3}') as Record<
      string,
      unknown
    >;
    const added = (place: "start" | "middle" | "end"): unknown =>
      Object.entries(withAdded({ id: "a", fields }, "X", place)?.fields ?? {});
    expect(added("start")).toEqual([
      ["__proto__", "X a\n b  c d e f"],
      ["title", "t"],
      ["price", 3],
    ]);
    expect(added("middle")).toEqual([
      ["__proto__", "a\n b  c X d e f"],
      ["title", "t"],
      ["price", 3],
    ]);
    expect(added("end")).toEqual([
      ["__proto__", "a\n b  c d e f X"],
      ["title", "t"],
      ["price", 3],
    ]);
    expect(Object.entries(cut(fields) ?? {})[0]).toEqual(["__proto__", "a\n b"]);
  });
  it("are none without a text, and are not cut where hardly anything would be left", () => {
    expect(withAdded({ id: "a", fields: { price: 3, list: ["x"] } }, "X", "end")).toBeUndefined();
    expect(cut({ text: "one two three four five" })).toBeUndefined();
  });
});
