import { describe, expect, it } from "vitest";
import { functionEmbedder, type EmbedFunction } from "../../src/retrieve/index.js";
import { embeddingProviderContract } from "../support/embedding-provider-contract.js";
import { vectorOf } from "../support/embedding-server.js";

embeddingProviderContract("functionEmbedder", () =>
  functionEmbedder((texts) => texts.map(vectorOf), { model: "mine" }),
);

const mine = (embed: unknown) => functionEmbedder(embed as EmbedFunction, { model: "mine" });

describe("functionEmbedder", () => {
  it("takes lists of numbers, typed or not, now or later", async () => {
    const expected = [Float32Array.of(1, 2)];
    expect(await mine(() => [[1, 2]]).embed(["a"])).toEqual(expected);
    expect(await mine(() => [Float32Array.of(1, 2)]).embed(["a"])).toEqual(expected);
    expect(await mine(async () => [Float64Array.of(1, 2)]).embed(["a"])).toEqual(expected);
  });
  it("passes the kind and the signal on", async () => {
    const signal = new AbortController().signal;
    const seen: unknown[] = [];
    await functionEmbedder((texts, options) => (seen.push(texts, options), [[1]]), { model: "mine" }).embed(
      ["a"],
      { kind: "query", signal },
    );
    expect(seen).toEqual([["a"], { kind: "query", signal }]);
  });
  it("does not call the function without texts", async () => {
    expect(await mine(() => expect.fail("called")).embed([])).toEqual([]);
  });
  it("says where the function threw, with the error as cause", async () => {
    const cause = new TypeError("no model loaded");
    await expect(
      mine(() => {
        throw cause;
      }).embed(["a"]),
    ).rejects.toMatchObject({
      name: "AdapterError",
      code: "EMBEDDING_UNAVAILABLE",
      message: "embed function `mine`: no model loaded",
      cause,
    });
    await expect(mine(() => Promise.reject(cause)).embed(["a"])).rejects.toMatchObject({ cause });
  });
  it("stops at an abort, though the function never ends", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const embedding = mine(() => new Promise(() => undefined)).embed(["a"], { signal: controller.signal });
    controller.abort(reason);
    await expect(embedding).rejects.toBe(reason);
  });
  it.each([
    ["no list", undefined, "must be a list of vectors, got nothing"],
    ["no list either", { data: [] }, "must be a list of vectors, got an object"],
    ["too few", [[1]], "one vector for each text is needed, got 1 for 2"],
    ["too many", [[1], [2], [3]], "one vector for each text is needed, got 3 for 2"],
    ["a vector that is none", [[1], "secret text"], "vector 2 must be a list of numbers, got a string"],
    ["text in a vector", [["1"], [2]], "vector 1 must be a list of numbers, got a list with a string in it"],
    ["a hole", [[1], [null]], "vector 2 must be a list of numbers, got a list with null in it"],
    ["no numbers", [[], []], "vector 1 is empty"],
    [
      "not a number",
      [
        [1, 2],
        [1, Number.NaN],
      ],
      "vector 2 must have finite numbers, number 2 is `NaN`",
    ],
    [
      "too large for single precision",
      [[1], [1e39]],
      "vector 2 must have finite numbers, number 1 is `1e+39`",
    ],
    [
      "two lengths",
      [[1, 2], [1]],
      "all vectors must have one length, vector 2 has 1 numbers and 2 are expected",
    ],
  ])("refuses %s", async (_, answer, message) => {
    await expect(mine(() => answer).embed(["a", "b"])).rejects.toMatchObject({
      name: "AdapterError",
      code: "EMBEDDING_ANSWER",
      message: expect.stringContaining(`embed function \`mine\`: ${message}`),
    });
  });
  it("refuses another length in a later call", async () => {
    let length = 2;
    const provider = mine(() => [new Float32Array(length++)]);
    await provider.embed(["a"]);
    await expect(provider.embed(["a"])).rejects.toMatchObject({
      code: "EMBEDDING_ANSWER",
      message: expect.stringContaining("vector 1 has 3 numbers and 2 are expected"),
    });
  });
});
