import { expect, it } from "vitest";
import { present } from "../support/present.js";
import { inProcess } from "./in-process.js";

it(
  "conformance: the profiles agree wholly with the programs they are named after, but for what " +
    "docs/tools.md says",
  async () => {
    const all = JSON.parse((await inProcess("conformance", "--json")).stdout) as {
      profile: string;
      program: string;
      compared: number;
      agreeing: number;
      differing: string[];
    }[];
    const of = (
      profile: string,
      program: string,
    ): { profile: string; program: string; compared: number; agreeing: number; differing: string[] } =>
      present(all.find((one) => one.profile === profile && one.program === program));
    for (const [profile, program, compared] of [
      ["trec_eval", "trec_eval 9", 5258],
      ["trec_eval-10", "trec_eval 10", 780],
      ["ranx", "ranx", 1664],
    ] as const)
      expect(of(profile, program)).toMatchObject({ compared, agreeing: compared });
    expect(of("ir_measures", "ir_measures")).toMatchObject({
      compared: 5249,
      agreeing: 5149,
      differing: ["SetF(beta=0.5)", "SetF(beta=2.0)", "Accuracy"],
    });
    const { stdout } = await inProcess("conformance");
    expect(stdout).toContain(
      "100 of 5249 values of ir_measures differ under its profile: it does not square the beta of " +
        "SetF; it averages Accuracy over queries with a relevant hit only\n",
    );
  },
);
