import { it } from "vitest";
import * as s from "/work/main/src/stats/index.js";
import { compareScores } from "/work/main/src/compare/index.js";
import { scoreComparisonSchema } from "/work/main/src/schema/index.js";
const card = (o: object = {}) => ({ higher_is_better: true, range: [0, 1], ...o }) as never;
it("probe", () => {
  const skew = [...Array(49).fill(0), 1];
  for (const confidence of [0.9, 0.99, 0.9999, 0.999999, 0.99999999, 0.9999999999]) console.log(confidence, s.bootstrapInterval(skew, { confidence }), s.bootstrapInterval(skew.map((x) => -x), { confidence }));
  console.log("detectable power<alpha", s.detectableEffect(50, { power: 0.04 }), s.detectableEffect(50, { power: 0.05 }), s.detectableEffect(50, { power: 0.051 }));
  console.log("wilcoxon p", s.wilcoxonSignedRank(Array.from({ length: 1100 }, (_, i) => i + 1), { method: "exact" }));
  const table = (run: string, scores: number[], ids = scores.map((_, i) => `q${String(i).padStart(3, "0")}`), metrics = [{ name: "m", card: card() }]) => ({ run, metrics, queryIds: ids, scores });
  const a = Array(15).fill(0.5); const b = a.map((x, i) => (i < 12 ? x + 0.01 : x - 0.04));
  console.log("sign, mean 0", compareScores([table("a", a), table("b", b)], { test: "sign", margin: 0 }).comparisons[0]?.verdict);
  const c = a.map((x, i) => (i < 12 ? x + 0.01 : x - 0.2));
  console.log("sign, mean < 0", compareScores([table("a", a), table("b", c)], { test: "sign", margin: 0 }).comparisons[0]?.verdict.headline, compareScores([table("a", a), table("b", c)], { test: "sign" }).comparisons[0]?.metrics[0]);
  console.log("disjoint", compareScores([table("a", Array(10).fill(0.5)), table("b", Array(10).fill(0.5), Array.from({ length: 10 }, (_, i) => `r${i}`))]).comparisons[0]?.verdict);
  console.log("lower", compareScores([table("a", Array(10).fill(0.5), undefined, [{ name: "m", card: card({ higher_is_better: false }) }]), table("b", [], [], [{ name: "m", card: card({ higher_is_better: false }) }])]).comparisons[0]?.verdict);
  for (const allowedLoss of [NaN, -1, Infinity]) { const r = compareScores([table("a", Array(10).fill(0.5)), table("b", Array(10).fill(0.1))], { guards: [{ metric: "m", allowedLoss }] }); console.log(allowedLoss, r.comparisons[0]?.verdict.guards, r.comparisons[0]?.verdict.kind, scoreComparisonSchema.safeParse(JSON.parse(JSON.stringify(r))).success); }
  console.log("3 runs", compareScores([table("a", Array(10).fill(0.5)), table("b", Array(10).fill(0.1)), table("c", Array(10).fill(0.1), undefined, [{ name: "x", card: card() }])]).comparisons.map((x) => x.verdict.headline));
  const proto = compareScores([table("a", Array(10).fill(0.5), undefined, [{ name: "__proto__", card: card() }]), table("b", Array(10).fill(0.1), undefined, [{ name: "__proto__", card: card() }])], { queries: new Map([["q000", { labels: JSON.parse('{"__proto__":"x"}') }]]) });
  const text = JSON.stringify(proto); const back = JSON.stringify(scoreComparisonSchema.parse(JSON.parse(text))); console.log("proto", text === back, text.slice(0, 200), back.slice(0, 200));
  console.log("empty", (() => { try { return compareScores([table("a", []), table("b", []), table("c", [])]).all_pairs; } catch (e) { return e; } })());
  console.log("inf", (() => { try { return compareScores([table("a", [1,2,3,4,5,6]), table("b", [Infinity,2,3,4,5,6])]).comparisons[0]?.metrics; } catch (e) { return e; } })());
  const tiny = compareScores([table("a", Array(60).fill(0.29996)), table("b", Array.from({ length: 60 }, (_, i) => 0.29996 + (i % 3 ? 0.0001 : 0)))], { margin: 0 }); console.log("tiny", tiny.comparisons[0]?.verdict, tiny.comparisons[0]?.metrics[0]);
});
