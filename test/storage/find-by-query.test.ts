import { expect, it } from "vitest";
import type { Assessment } from "../../src/records/index.js";
import { raterId } from "../../src/label/index.js";
import { findByQuery, memoryLabelStore } from "../../src/storage/index.js";

const said = (tenant: string, query: string, item: string, name = "anna"): Assessment => ({
  tenant,
  query,
  item,
  rater: { kind: "human", name },
  vote: 1,
  outcome: "graded",
  grade: 2,
  at: "2026-01-01T00:00:00.000Z",
});

it("what a store has of each query comes once, with all that asked for it, in few looks", async () => {
  const store = memoryLabelStore();
  const many = Array.from({ length: 1200 }, (_, index) => said("a", `q${index}`, "i"));
  await store.add([...many, said("b", "q7", "other"), said("a", "q7", "j", "ben")]);
  let looks = 0;
  const counted = { find: (filter: object) => (looks++, store.find(filter)) };
  const asked = [
    ...many.map(({ tenant, query }) => ({ tenant, query, by: 1 })),
    { tenant: "b", query: "q7", by: 2 },
    { tenant: "a", query: "q7", by: 3 },
    { tenant: "a", query: "nobody", by: 4 },
  ];
  const found = [];
  for await (const each of findByQuery(counted, asked)) found.push(each);
  expect(looks).toBe(4);
  expect(found).toHaveLength(1202);
  expect(found[7]?.asked.map(({ by }) => by)).toEqual([1, 3]);
  expect(found[7]?.said.map(({ item }) => item)).toEqual(["i", "j"]);
  expect(found[1200]).toEqual({ asked: [asked[1202]], said: [] });
  expect(found[1201]).toEqual({ asked: [asked[1200]], said: [said("b", "q7", "other")] });
  const ofBen = [];
  for await (const each of findByQuery(store, asked, raterId({ kind: "human", name: "ben" })))
    ofBen.push(...each.said);
  expect(ofBen).toEqual([said("a", "q7", "j", "ben")]);
});
