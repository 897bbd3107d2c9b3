import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Journal, type NewEntry } from "../../src/web/journal.js";

/** A mark of the second `at` of a page. */
function entry(at: number): NewEntry {
  return {
    collection: "shop",
    rater: "Ada",
    mark: {
      mark: `mark${at}`,
      query_id: "q1",
      item: "a",
      outcome: "graded",
      grade: 1,
      reason: null,
      is_repeat: false,
      item_hash: null,
      at: `2026-01-01T00:00:0${at}.000Z`,
    },
  };
}

/** The storage of a browser as far as the journal uses it. */
function storage(takesMore = true): Storage {
  const methods = {
    setItem(this: Record<string, string>, key: string, value: string): void {
      if (!takesMore) throw new Error("QuotaExceededError");
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string): void {
      Reflect.deleteProperty(this, key);
    },
  };
  return Object.create(methods) as Storage;
}

async function listed(journal: Journal): Promise<string[]> {
  const entries = journal.entries();
  await vi.runAllTimersAsync();
  return (await entries).map(({ mark }) => mark.mark);
}

const DATABASES = {
  "never answers": { open: () => ({ addEventListener: () => undefined }) },
  "cannot be opened": {
    open: () => {
      throw new Error("denied");
    },
  },
  "is not there": undefined,
};

describe.each(Object.entries(DATABASES))("the journal where the database %s", (_, database) => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("indexedDB", database);
    vi.stubGlobal("localStorage", storage());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("has what was done, in its order, in this page and in the next one", async () => {
    const journal = new Journal("project");
    for (const at of [1, 2, 3]) journal.add(entry(at));
    expect(await listed(journal)).toEqual(["mark1", "mark2", "mark3"]);
    const next = new Journal("project");
    next.add(entry(4));
    expect(await listed(next)).toEqual(["mark1", "mark2", "mark3", "mark4"]);
    expect(await listed(new Journal("another project"))).toEqual([]);
  });

  it("has what was removed no more", async () => {
    const journal = new Journal("project");
    for (const at of [1, 2]) journal.add(entry(at));
    await listed(journal);
    journal.remove((await journal.entries()).slice(0, 1));
    expect(await listed(journal)).toEqual(["mark2"]);
    expect(await listed(new Journal("project"))).toEqual(["mark2"]);
  });

  it("has what was done in this page where the storage is full", async () => {
    vi.stubGlobal("localStorage", storage(false));
    const journal = new Journal("project");
    journal.add(entry(1));
    expect(await listed(journal)).toEqual(["mark1"]);
  });
});
