import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isStoreThere, openLabelStore, openStore } from "../../src/node/index.js";

describe("a name of a store", () => {
  it.each([
    "postgresql+psycopg://u:Secret77@h/db",
    " postgresql://u:Secret77@h/db",
    "postgresql:/u:Secret77@h/db",
    "jdbc:postgresql://h/db?password=Secret77",
    "mysql://u:Secret77@h/db",
    "sqlite:///store.sqlite",
  ])("that is another address is refused, without what it says, and no file is made: %s", async (name) => {
    for (const open of [openStore, openLabelStore]) {
      const error: unknown = await open(name, { create: true }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: "ARGUMENT",
        message: expect.stringMatching(/^a store is a file, or a database at postgresql:(?!.*Secret77)/),
      });
    }
    expect(() => isStoreThere(name)).toThrow("a store is a file");
    expect(existsSync(name)).toBe(false);
  });
});
