import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "../../../src/foundation/text/index.js";

// Keys that are written as others begin, of few letters so that they meet.
const key = fc.oneof(
  fc.string({ unit: fc.constantFrom("\\", '"', "n", "\n", "u", "0", ":", "é", "~"), maxLength: 4 }),
  fc.constantFrom("__proto__", "a", "\u0000"),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, "~0", '\\": '),
    key,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).value;

it("reads the keys that were written, whatever was read before", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.constantFrom(undefined, 1)), { maxLength: 5 }), (all) => {
      for (const [each, space] of all) {
        const read = parseJson(JSON.stringify(each, null, space));
        expect(JSON.stringify(read)).toBe(JSON.stringify(each));
      }
    }),
    { numRuns: 1_000 },
  );
});

it("reads a key that looks like one before, where JSON.parse of V8 does not", () => {
  parseJson(String.raw`{"d":1,"\\t":1}`);
  expect(parseJson(String.raw`{"d":1,"\ty":1}`)).toEqual({ d: 1, "\ty": 1 });
  parseJson(String.raw`{"h":[],"\\":0}`);
  expect(parseJson(String.raw`{"h":1,"\"":2,"__proto__":{"\"":3}}`)).toEqual(
    Object.fromEntries([
      ["h", 1],
      ['"', 2],
      ["__proto__", { '"': 3 }],
    ]),
  );
});

it("reads a text of millions of escapes beside a key with a backslash", () => {
  const long = '\n"'.repeat(3_000_000);
  expect(parseJson(JSON.stringify({ "a\\b": long }))).toEqual({ "a\\b": long });
});
