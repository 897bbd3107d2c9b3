import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateJson } from "../../src/formats/located-json.js";

const indent = fc.constantFrom(undefined, 1, "\t");
/** Keys and texts that look like structure, and keys that objects have of themselves. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom("__proto__", "a:b", '\\"', '":', "\\", '{"a":1}', "é\u2028"),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -0, 1e300, -12.5),
    text,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).value;

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

describe("JSON with places", () => {
  it("is what JSON.parse reads, however it is written", () => {
    fc.assert(
      fc.property(json, indent, (value, space) => {
        const written = JSON.stringify(value, null, space);
        expect(locateJson(written).value).toStrictEqual(JSON.parse(written));
      }),
    );
  });

  it("loses no value to a key that stands there twice, wherever", () => {
    fc.assert(
      fc.property(json, json, json, text, indent, (around, first, second, key, space) => {
        const written = (value: unknown): string => JSON.stringify(value, null, space);
        const twice = `{${written(key)}: ${written(first)}, ${written(key)}:${written(second)}}`;
        expect(() => locateJson(`[${written(around)}, ${twice}]`)).toThrow("is duplicated");
      }),
    );
  });

  it("tells where values and keys stand", () => {
    const document = locateJson('{"a": [1,\n {"b": 2}],\n "c": null}');
    expect(document.positionOf(["a", 1, "b"])).toEqual({ line: 2, column: 8 });
    expect(document.positionOfKey(["a", 1], "b")).toEqual({ line: 2, column: 3 });
    expect(document.positionOf(["a", 1, "x"])).toEqual({ line: 2, column: 2 });
    expect(document.value).toEqual({ a: [1, { b: 2 }], c: null });
  });

  it.each([
    ["1e400", "number `1e400` is larger"],
    ['{"a": [-1e999]}', "number `-1e999` is larger"],
    [nested(501), "is nested deeper than 500 levels"],
    [nested(1_000_000), "is nested deeper than 500 levels"],
    ['{"\\u0061": 1, "a": 2}', "key `a` is duplicated"],
    ['{"a": 1, }', "expected a key in double quotes"],
    ["", "expected a value, got the end of the text"],
    ['{"a\\\\": 1, "a\\\\"\n : 2}', "is duplicated"],
    ['{"\\"": ":", "\\"":1}', "is duplicated"],
  ])("refuses %.20s", (written, message) => {
    expect(() => locateJson(written)).toThrow(message);
  });

  it("takes 500 levels", () => {
    expect(JSON.stringify(locateJson(nested(500)).value)).toBe(nested(500));
  });
});
