import { describe, expect, it } from "vitest";
import { ReusedMemory } from "../../src/foundation/columns/index.js";

describe("memory that is used again", () => {
  it("gives columns that do not lie over each other, of any length, until it is cleared", () => {
    const memory = new ReusedMemory();
    for (let round = 0; round < 3; round++) {
      memory.clear();
      const columns = [0, 1, 4000, 97, 100_000, 5, 4096].flatMap((length) => [
        memory.ints(length),
        memory.doubles(length),
      ]);
      columns.forEach((column, index) => column.fill(index + 1));
      columns.forEach((column, index) => expect(column.every((value) => value === index + 1)).toBe(true));
      expect(columns.map(({ length }) => length)).toEqual(
        [0, 1, 4000, 97, 100_000, 5, 4096].flatMap((length) => [length, length]),
      );
    }
  });
});
