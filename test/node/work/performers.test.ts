import { expect, it } from "vitest";
import { Performers } from "../../../src/node/work/queued-work.js";
import type { PartDone, AskedPart } from "../../../src/storage/postgres/index.js";

const DONE: PartDone = { failed: null, calls: 0, input: 0, output: 0, amount: 0, outcome: {} };

const part = (id: string): AskedPart => ({
  work: { id, total: 1, about: null, ended: false, begun_at: "2026-05-01T09:00:00.000Z" },
  part: 0,
  isRetry: false,
  paid: async () => ({ calls: 0, input: 0, output: 0, amount: 0 }),
});

/** Performers that tell what they open and close, and take as long as they are told to. */
function telling() {
  const told: string[] = [];
  const waiting = new Map<string, () => void>();
  const performers = new Performers(async ({ id }) => {
    told.push(`opens ${id}`);
    return {
      dataset: { queries: [{}] } as never,
      performer: {
        perform: () => new Promise((resolve) => waiting.set(id, () => resolve(DONE))),
        close: async () => void told.push(`closes ${id}`),
      },
    };
  });
  const begin = async (id: string): Promise<{ end: () => Promise<unknown> }> => {
    const done = performers.perform(part(id));
    await new Promise((resolve) => setTimeout(resolve));
    return { end: () => (waiting.get(id)?.(), done) };
  };
  return { told, performers, begin };
}

it("what does a work is opened once, and closed when another work begins", async () => {
  const { told, performers, begin } = telling();
  for (const id of ["a", "a", "b"]) await (await begin(id)).end();
  expect(told).toEqual(["opens a", "opens b", "closes a"]);
  await performers.close();
  expect(told.at(-1)).toBe("closes b");
});

it("what does a work is not closed while a part of it is under way", async () => {
  const { told, begin } = telling();
  const long = await begin("a");
  await (await begin("b")).end();
  expect(told).toEqual(["opens a", "opens b"]);
  await long.end();
  await (await begin("c")).end();
  expect([...told].sort()).toEqual(["closes a", "closes b", "opens a", "opens b", "opens c"]);
});

it("what could not be opened is opened again", async () => {
  let tries = 0;
  const performers = new Performers(async () => {
    throw new Error(`no ${++tries}`);
  });
  await expect(performers.perform(part("a"))).rejects.toThrow("no 1");
  await expect(performers.perform(part("a"))).rejects.toThrow("no 2");
});
