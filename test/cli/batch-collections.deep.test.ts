import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import { compareSystems } from "../../src/index.js";
import type { AuditSample, BatchSummary, ScoreComparison } from "../../src/records/index.js";
import { loopback } from "../support/loopback.js";
import { oracle, qrelsOf, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { showProof } from "../support/proof.js";
import { inProcess } from "./in-process.js";

const RUNS = ["bm25", "lsa", "rrf", "tfidf"] as const;
const PAIRS = [
  ["bm25", "lsa"],
  ["bm25", "rrf"],
  ["bm25", "tfidf"],
  ["lsa", "rrf"],
  ["tfidf", "rrf"],
] as const;
const METRIC = "nDCG@10";
const AT = "2026-11-23T00:00:00.000Z";

afterEach(() => void vi.unstubAllEnvs());

async function fine(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await inProcess(...args);
  expect([status, stderr.includes("error:") ? stderr : ""]).toEqual([0, ""]);
  return stdout;
}

const names = ["chorus-electronics", "cranfield"].filter((name) => oracle(name) !== null);
it.skipIf(names.length > 0)(WITHOUT_ORACLES, () => undefined);

describe.each(names)("live searches over %s, people's labels as truth, a noisy judge as labeler", (name) => {
  it("come out as they are where 40 queries were labelled by people", async () => {
    const place = oracle(name) as string;
    const folder = mkdtempSync(join(tmpdir(), "collection-"));
    // Labels have the grades 0 to 3; cranfield's go to 4.
    const truth = new Map(
      [...qrelsOf(place).queries].map(([id, { grades }]) => [
        id,
        new Map([...grades].map(([item, grade]) => [item, Math.min(3, grade)])),
      ]),
    );
    const runs = Object.fromEntries(RUNS.map((run) => [run, runOf(join(place, "runs", `${run}.run`))]));
    const texts = readFileSync(join(place, "queries.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly id: string; readonly text: string })
      .filter(({ id }) => truth.has(id));
    writeFileSync(join(folder, "queries.tsv"), texts.map(({ id, text }) => `${id}\t${text}\n`).join(""));
    const byText = new Map(texts.map(({ id, text }) => [text.trim(), id]));
    const url = await loopback((body, response, request) => {
      const { query, limit } = JSON.parse(body) as { readonly query: string; readonly limit: number };
      const run = runs[(request.url ?? "").split("/").at(-1) as string];
      const found = run?.get(byText.get(query.trim()) ?? "");
      const hits = (found?.ids ?? []).slice(0, limit).map((id, at) => ({ id, score: -at }));
      response.end(JSON.stringify({ hits }));
    });
    const http = (run: string) => ({
      kind: "http",
      url: `${url}/${run}`,
      hits: "/hits",
      hit: { id: "/id", score: "/score" },
    });
    const config = {
      store: "store.sqlite",
      labels: "labels.sqlite",
      artifacts: "out",
      datasets: Object.fromEntries(
        RUNS.map((run) => [
          run,
          { queries: "queries.tsv", corpus: join(place, "corpus.jsonl"), backend: run, labeler: "judge" },
        ]),
      ),
      backends: Object.fromEntries(RUNS.map((run) => [run, http(run)])),
      labelers: { judge: { kind: "module", path: "judge.mjs", version: "1" } },
    };
    writeFileSync(join(folder, "rankproof.config.json"), JSON.stringify(config));
    vi.stubEnv("RANKPROOF_CONFIG", join(folder, "rankproof.config.json"));

    // Everything that is judged or in view of a run; the judge is generous, and off by one now and then.
    const random = seededRandom(7);
    const pool = texts.map(({ id, text }) => {
      const grades = truth.get(id) ?? new Map<string, number>();
      const ids = new Set([
        ...grades.keys(),
        ...RUNS.flatMap((run) => runs[run]?.get(id)?.ids.slice(0, 10) ?? []),
      ]);
      return {
        id,
        text,
        items: [...ids].map((item) => ({ item, grade: Math.max(0, grades.get(item) ?? 0) })),
      };
    });
    const noisy = (grade: number): number => {
      const at = random();
      return Math.max(0, Math.min(3, grade + (at < 0.25 ? 1 : at < 0.35 ? -1 : 0)));
    };
    const said = (rater: object, of: typeof pool, grade: (grade: number) => number): string =>
      of
        .flatMap(({ text, items }) =>
          items.map((each) =>
            JSON.stringify({
              tenant: "default",
              query: text.trim().replace(/\s+/g, " "),
              item: each.item,
              outcome: "graded",
              grade: grade(each.grade),
              rater,
              vote: 1,
              at: AT,
            }),
          ),
        )
        .join("\n");
    const lines = (file: string, content: string): string => {
      writeFileSync(join(folder, file), content);
      return join(folder, file);
    };
    const judge = { kind: "model", name: "judge", prompt: null };
    await fine("label", "import", lines("judge.jsonl", said(judge, pool, noisy)));
    await fine("audit", "sample", "bm25", "--size", "40", "-o", join(folder, "sheet.csv"));
    const batches = new Map<string, string>();
    for (const run of RUNS) {
      await fine("batch", "run", run, "-m", METRIC, "--top-k", "10");
      const [{ batch_id }] = JSON.parse(await fine("batch", "list", run, "--json")) as [BatchSummary];
      batches.set(run, batch_id);
    }
    const compared = async (a: string, b: string): Promise<ScoreComparison> => {
      const flags = [
        "--dataset",
        "bm25",
        "-m",
        METRIC,
        "--permutations",
        "100",
        "--resamples",
        "100",
        "--json",
      ];
      const ids = [batches.get(a) ?? "", batches.get(b) ?? ""];
      return JSON.parse(await fine("batch", "compare", ...ids, ...flags)) as ScoreComparison;
    };
    expect((await compared("bm25", "lsa")).comparisons[0]?.verdict.headline).toMatch(/^Labels not audited/);
    const audits = join(folder, "out/datasets/bm25/audits");
    const sample = JSON.parse(
      readFileSync(join(audits, readdirSync(audits)[0] as string, "sample.json"), "utf8"),
    ) as AuditSample;
    const drawn = new Set(sample.drawn.map(({ query_id }) => query_id));
    const people = said(
      { kind: "human", name: "assessors" },
      pool.filter(({ id }) => drawn.has(id)),
      (grade) => grade,
    );
    await fine("label", "import", lines("people.jsonl", people));

    let held = 0;
    for (const [a, b] of PAIRS) {
      const { comparisons, trust } = await compared(a, b);
      const corrected = comparisons[0]?.corrected?.[0];
      const known = compareSystems(
        [a, b].map((run) => ({ name: run, run: runs[run] as NonNullable<(typeof runs)[string]> })),
        truth,
        [METRIC],
        { permutations: 100, resamples: 100 },
      ).comparisons[0]?.metrics[0]?.difference as number;
      expect(trust).toMatchObject({ status: "audited", pool: "labelled", sample: { drawn: 40 } });
      const { low, high } = corrected?.interval ?? { low: NaN, high: NaN };
      if (low <= known && known <= high) held++;
      const kind = comparisons[0]?.verdict.kind;
      if (kind === "better") expect(known).toBeGreaterThan(0);
      if (kind === "worse") expect(known).toBeLessThan(0);
      const four = (value: number | undefined): number => Number((value ?? NaN).toFixed(4));
      showProof(`${name}: ${b} against ${a}, ${METRIC}`, {
        "raw, corrected, true": [four(corrected?.raw), four(corrected?.corrected), four(known)],
        interval: [four(low), four(high)],
        "worth of 40": four(corrected?.worth),
        verdict: kind,
      });
    }
    // Each of five intervals holds the truth in 95 of 100 samples.
    expect(held).toBeGreaterThanOrEqual(4);
  });
});
