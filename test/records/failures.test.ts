import { expect, it } from "vitest";
import { areMoreFailed } from "../../src/records/index.js";

it("exactly the share that may fail is not more than it, of whatever number of results", () => {
  for (let results = 1; results <= 200; results++)
    for (let percent = 0; percent <= 100; percent++) {
      const failed = (percent * results) / 100;
      if (!Number.isInteger(failed)) continue;
      const share = Number(`${percent}e-2`);
      expect([failed, results, areMoreFailed({ failed, results }, share)]).toEqual([failed, results, false]);
      const more = { failed: failed + 1, results };
      if (failed < results) expect([more, areMoreFailed(more, share)]).toEqual([more, true]);
    }
  expect(areMoreFailed({ failed: 0, results: 0 }, 0)).toBe(false);
});
