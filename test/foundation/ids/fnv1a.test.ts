import { expect, it } from "vitest";
import { fnv1a } from "../../../src/foundation/ids/index.js";

// The vectors of the algorithm's authors: http://www.isthe.com/chongo/src/fnv/test_fnv.c
it.each([
  ["", 0x811c9dc5],
  ["a", 0xe40c292c],
  ["foobar", 0xbf9cf968],
])("of %j is as published", (text, hash) => expect(fnv1a(text)).toBe(hash));

it("is of UTF-8 bytes, so that other programs get the same", () => expect(fnv1a("é")).toBe(0x1e9de8c1));
