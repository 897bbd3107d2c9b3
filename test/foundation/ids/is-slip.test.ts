import { expect, it } from "vitest";
import { isSlip } from "../../../src/foundation/ids/index.js";

it.each([
  ["metric", "metrics"],
  ["anwser", "answer"],
  ["concurency", "concurrency"],
  ["missing_queries", "missingQueries"],
  ["Unit", "unit"],
  ["preciision", "precision"],
  ["alhpa", "alpha"],
  ["answeer", "answer"],
  ["ansver", "answer"],
])("%s is a slip for %s", (given, right) => {
  expect(isSlip(given, right)).toBe(true);
});

it.each([
  ["gates", "grades"],
  ["text", "test"],
  ["from", "form"],
  ["model", "mode"],
  ["answered", "answer"],
  ["mirror", "error"],
  ["retries", "metrics"],
  ["answer", "answer"],
  ["", "answer"],
])("%s is none for %s", (given, right) => {
  expect(isSlip(given, right)).toBe(false);
});
