import { expect, it } from "vitest";
import { evaluate, TrecEvalOutput, trecOutputLines } from "../../src/index.js";

const QRELS = new Map([
  [
    "q1",
    new Map([
      ["a", 1],
      ["b", 0],
    ]),
  ],
]);

/** What trec_eval would print: `a` is at rank 2, so that AP and RR are 1/2, P@5 is 1/5. */
function printed(names: string[], perQuery: boolean): string {
  const output = new TrecEvalOutput(trecOutputLines(names));
  const run = new Map([["q1", ["b", "a"]]]);
  const evaluation = evaluate(run, QRELS, output.metrics, {
    profile: "trec_eval",
    onQuery: output.onQuery,
  });
  return [...output.render(evaluation, perQuery)].join("");
}

it("the scores of a run are printed as trec_eval prints them, queries first", () => {
  expect(printed(["map", "P.5"], true).replaceAll(/[ \t]+/g, " ")).toBe(
    "map q1 0.5000\nP_5 q1 0.2000\nmap all 0.5000\nP_5 all 0.2000\n",
  );
});
it("relstring shows the grades of the top hits, and needs `onQuery`", () => {
  expect(printed(["relstring"], true)).toContain("'01'");
});
it("a measure that trec_eval does not have is refused with those it has", () => {
  expect(() => trecOutputLines(["nice"])).toThrow(/trec_eval has no measure `nice`; it has .*`map`/);
  expect(() => trecOutputLines(["relstring.x"])).toThrow("relstring takes a whole number from 1");
});
