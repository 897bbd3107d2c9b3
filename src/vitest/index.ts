/**
 * Matchers for Vitest: importing this adds `toPassGate` and `toScore` to `expect`.
 *
 * @module
 */
import { chai, expect, onTestFinished, type TestContext } from "vitest";
import { quote } from "../foundation/errors/index.js";
import { gate, type Gateable, type GateRule } from "../gate/index.js";
import { isComparable, isResult } from "../records/index.js";

/** What a score is held against; the same comparisons as in rules such as `nDCG@10 >= 0.45`. */
export interface ScoreExpectation {
  /** `>=` */
  atLeast(bound: number): void;
  /** `<=` */
  atMost(bound: number): void;
  /** `>` */
  above(bound: number): void;
  /** `<` */
  below(bound: number): void;
}

declare module "vitest" {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- merged interfaces share type parameters
  interface Matchers<T> {
    /**
     * Whether every rule passes:
     * `expect(report).toPassGate(["nDCG@10 >= 0.45", "nDCG@10 not worse by 0.02"])`. The subject is an
     * aggregate, an evaluation, or a comparison. What was not measured neither passes nor, with `not`, fails.
     */
    toPassGate(rules: Parameters<typeof gate>[1]): void;
    /**
     * A score by any of its names: `expect(evaluation).toScore("nDCG@10").atLeast(0.45)`. Without the second
     * part the test fails.
     */
    toScore(metric: string): ScoreExpectation;
  }
}

expect.extend({
  toPassGate(received: unknown, rules: Parameters<typeof gate>[1]) {
    const report = gate(received as Gateable, rules);
    // Rules about the run alone may hold where nothing has passed.
    const isCompared = isResult(received, "report") || isResult(received, "comparison");
    if (report.passed && isCompared && !isComparable(received))
      return { pass: this.isNot === true, message: () => "the rules hold, but the runs are not comparable" };
    const failed = report.rules.filter(({ passed }) => !passed);
    // Absence is neither a pass nor a refutation, so it satisfies neither `toPassGate` nor `not.toPassGate`.
    const pass = this.isNot === true ? !failed.some(({ value }) => value !== null) : report.passed;
    const lines = (this.isNot === true ? report.rules : failed).map(
      ({ rule, run, passed, why }) =>
        `  ${passed ? "✓" : "✗"} ${rule}${run === null ? "" : ` (${quote(run)})`}: ${why}`,
    );
    const said =
      this.isNot === true
        ? "expected the gate to fail because of a measured value"
        : `expected every rule to pass, but ${failed.length} of ${report.rules.length} did not`;
    return { pass, message: () => `${said}:\n${lines.join("\n")}` };
  },
});

/** What is used of a test. */
interface AssertingTest {
  readonly context: TestContext;
  readonly result?: { readonly duration?: number };
}

/** The real one, also where timers are faked later. */
const later = setTimeout;

chai.use((_, utils) => {
  // A matcher of `expect.extend` cannot be followed by another; a method of chai can, and keeps `not`, `soft`
  // and the message.
  utils.addMethod(
    chai.Assertion.prototype,
    "toScore",
    function (this: { toPassGate(rules: readonly GateRule[]): void }, metric: string): ScoreExpectation {
      if (utils.flag(this, "poll") === true)
        throw new Error(
          "expect.poll cannot ask again for `toScore`, whose bound comes after it; " +
            `write expect.poll(…).toPassGate(["${metric} >= 0.45"])`,
        );
      let isHeld = false;
      // Made here, where the test's own line is known.
      const unheld = new Error(
        `expect(…).toScore(${JSON.stringify(metric)}) asserts nothing by itself; add a bound, as in ` +
          `.atLeast(0.45), or atMost, above, below`,
      );
      // An assertion that asserts nothing would pass for ever.
      const refuseUnheld = (): void => {
        if (!isHeld) throw unheld;
      };
      // Whose `expect` this is, or the current test.
      const test = utils.flag(this, "vitest-test") as AssertingTest | undefined;
      try {
        if (test === undefined) onTestFinished(refuseUnheld);
        else test.context.onTestFinished(refuseUnheld);
        // One that has ended hears no more of it: the run fails.
        if (test?.result?.duration !== undefined) later(refuseUnheld, 0);
      } catch {
        // In `beforeAll` there is no current test, nor among concurrent ones that have waited: the run fails.
        later(refuseUnheld, 0);
      }
      const holdAgainst = (operator: ">=" | "<=" | ">" | "<") => (bound: number) => {
        isHeld = true;
        this.toPassGate([{ kind: "bound", metric, operator, bound }]);
      };
      return {
        atLeast: holdAgainst(">="),
        atMost: holdAgainst("<="),
        above: holdAgainst(">"),
        below: holdAgainst("<"),
      };
    },
  );
});
