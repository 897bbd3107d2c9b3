import type { Assessment } from "../records/index.js";

// What raters say in the contract of label stores.

export const person: Assessment["rater"] = { kind: "human", name: "anna", of_another_program: [1, null] };
export const model: Assessment["rater"] = {
  kind: "model",
  name: "judge",
  model: "m-1",
  prompt: "product",
  prompt_version: "1",
  parameters: { temperature: 0 },
};

export function assessment(given: Partial<Assessment>): Assessment {
  return {
    tenant: "default",
    query: "red shoe",
    item: "i1",
    outcome: "graded",
    grade: 2,
    rater: model,
    vote: 1,
    at: "2026-05-01T09:00:00.000Z",
    ...given,
  };
}

export const SAID: readonly Assessment[] = [
  assessment({ tokens: { input: 0.1 + 0.2, output: 1 }, extra: { nested: [1, null, "文 🙂"] } }),
  assessment({ item: "i2", grade: null, outcome: "cannot_tell", reason: "line\nbreak" }),
  assessment({ rater: person, grade: 0 }),
  assessment({ query: "Red shoe", grade: 3 }),
  assessment({ tenant: "other", grade: 1 }),
  assessment({ item: "__proto__" }),
  assessment({ outcome: "withdrawn", grade: null }),
  assessment({}),
];
