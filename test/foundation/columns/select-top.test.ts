import fc from "fast-check";
import { expect, it } from "vitest";
import { selectTop } from "../../../src/foundation/columns/index.js";

it("selects what a sort would put first, however many are wanted and however many are equal", () => {
  const scores = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 20 });
  fc.assert(
    fc.property(scores, fc.nat(25), (list, most) => {
      const sorted = [...list.keys()].sort((a, b) => (list[b] as number) - (list[a] as number) || b - a);
      const top = selectTop(Float64Array.from(list), most, (index, other) => index > other);
      expect([...top]).toEqual(sorted.slice(0, most));
    }),
  );
});
