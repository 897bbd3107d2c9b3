import { join } from "node:path";
import { describe, it } from "vitest";
import { oracle, qrelsOf, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";
import { checkCurve, readOracle, searched, type Case } from "./oracle.js";

const cranfield = oracle("cranfield");

describe.skipIf(cranfield === null)(`on cranfield (${WITHOUT_ORACLES})`, () => {
  const { query_order, cases } = readOracle("cranfield.json") as { query_order: string[]; cases: Case[] };
  it.each(cases)("is exact: $normalizer, $metric", (one) => {
    const path = present(cranfield);
    const [a, b] = ["bm25", "lsa"].map((name) => runOf(join(path, "runs", `${name}.run`)));
    checkCurve(searched(present(a), present(b), qrelsOf(path), one), one, query_order);
  });
});
