import { expect, it } from "vitest";
import { gradeCharacter } from "../../src/workbench/grade-character.js";

it.each([
  [0, "0"],
  [3, "3"],
  [4, "4"],
  [0.5, "1"],
  [-1, "0"],
  [12, "9"],
])("grade %d is one character of a strip: %s", (grade, character) =>
  expect(gradeCharacter(grade)).toBe(character),
);
