import { describe, expect, it } from "vitest";
import { parseVectors } from "../../src/formats/index.js";
import { pattern } from "../support/pattern.js";

describe("vectors as JSONL", () => {
  it("are read by id, whatever programs call them", () => {
    expect(
      parseVectors(
        '{"id":"a","vector":[1,2]}\n{"_id":7,"embedding":[0.5,-1]}\n{"id":"__proto__","values":[0,0]}\n',
      ),
    ).toEqual(
      new Map([
        ["a", Float32Array.of(1, 2)],
        ["7", Float32Array.of(0.5, -1)],
        ["__proto__", Float32Array.of(0, 0)],
      ]),
    );
  });
  it("all problems are told, each with its line", () => {
    expect(() =>
      parseVectors(
        '{"id":"a","vector":[1,2]}\n{"vector":[1,2]}\n{"id":"a","vector":[1,2]}\n{"id":"b","vector":[1]}\n' +
          '{"id":"c","vector":[1,"x"]}\n{"id":"d"}\n{"id":\n',
      ),
    ).toThrow(
      pattern(
        /vectors\.jsonl:2:\d+: a vector needs an id.*\n/,
        /vectors\.jsonl:3:\d+: id `a` is duplicated.*\n/,
        /vectors\.jsonl:4:\d+: vector must have 2 numbers as the one before, got 1\n/,
        /vectors\.jsonl:5:\d+: vector must be a list of finite numbers, got `\[1,"x"\]`\n/,
        /vectors\.jsonl:6:\d+: vector must be a list.*\n/,
        /vectors\.jsonl:7:\d+: /,
      ),
    );
  });
});
