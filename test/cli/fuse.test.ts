import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { FusionTuning } from "../../src/records/index.js";
import { configFolder } from "./config-folder.js";
import { inProcess } from "./in-process.js";

const { file, write } = configFolder("");

const hitOf = ([id, score]: readonly [id: string, score: number | null]): object => ({
  chunk_id: `${id}#0`,
  doc_id: id,
  score,
});
/** A recorded run with one query, its hits best first. */
const recorded = (name: string, hits: readonly (readonly [id: string, score: number | null])[]): string =>
  write(name, `${JSON.stringify({ query_id: "q", hits_top_k: hits.map(hitOf) })}\n`);
/** Lines of a run in TREC's format: by query the ids and their scores. */
const trec = (name: string, queries: Readonly<Record<string, Readonly<Record<string, number>>>>): string =>
  write(
    name,
    Object.entries(queries)
      .flatMap(([query, hits]) =>
        Object.entries(hits).map(([id, score], at) => `${query} Q0 ${id} ${at + 1} ${score} t\n`),
      )
      .join(""),
  );

/** Ids and scores of what is fused. */
async function fused(...args: string[]): Promise<{ hits: [string, number][]; stderr: string }> {
  const { status, stdout, stderr } = await inProcess("fuse", ...args);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const hits = stdout
    .trimEnd()
    .split("\n")
    .map((line): [string, number] => {
      const [, , id = "", , score] = line.split(/\s+/);
      return [id, Number(score)];
    });
  return { hits, stderr };
}

describe("fuse", () => {
  it("reads the scores of a recorded run where two of them are equal", async () => {
    const a = recorded("a.jsonl", [
      ["a", 10],
      ["b", 9.9],
      ["c", 0.1],
      ["d", 0.1],
    ]);
    const { hits, stderr } = await fused(a, "-m", "sum", "-n", "none");
    expect(hits).toEqual([
      ["a", 10],
      ["b", 9.9],
      ["d", 0.1],
      ["c", 0.1],
    ]);
    expect(stderr).not.toContain("warning");
  });

  it("warns of a run that has no query in common with the others", async () => {
    const [a, b] = [trec("a.run", { q1: { x: 2 } }), trec("b.run", { q1: { y: 1 } })];
    const stranger = trec("c.run", { xq1: { x: 2 } });
    expect((await fused(a, b)).stderr).not.toContain("warning");
    const { stderr } = await fused(a, b, stranger);
    expect(stderr).toMatch(/warning: \S*c(?:\.run)? has no query in common with the other runs/);
    expect(stderr.match(/warning/g)).toHaveLength(1);
    expect((await fused(a, stranger)).stderr).toMatch(/warning: \S+ and \S+ have no query in common/);
  });

  it("says where ranks have to stand for scores, to methods that read scores", async () => {
    const a = recorded("a.jsonl", [
      ["a", 10],
      ["b", null],
    ]);
    const { hits, stderr } = await fused(a, "-m", "sum", "-n", "none");
    expect(hits).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(stderr).toContain("a: 1 query with hits that have no score, or scores that rise");
    expect((await fused(a, "-m", "rrf")).stderr).not.toContain("warning");
  });

  it("keeps the nearest first where a normalizer reads distances, whatever the format", async () => {
    const distances: [string, number][] = [
      ["A", 0.1],
      ["B", 0.5],
      ["C", 0.9],
    ];
    const own = recorded("own.jsonl", distances);
    const others = trec("others.run", { q: Object.fromEntries(distances) });
    for (const method of ["sum", "rrf"])
      for (const run of [own, others]) {
        const { hits } = await fused(run, "-m", method, "-n", "min-max-inverted");
        expect(hits.map(([id]) => id)).toEqual(["A", "B", "C"]);
      }
    // Without it they are a list, best first.
    expect((await fused(own, "-m", "sum")).hits.map(([id]) => id)).toEqual(["A", "B", "C"]);
  });

  it("teaches a method by the order in which it will read the lists", async () => {
    // The nearest loses every tie, since it has the lowest id.
    const list = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${10 + at}`, at / 20]));
    const distances = { q1: list, q2: list, q3: list };
    const runs = [trec("a.run", distances), trec("b.run", distances)];
    const judged = ["q1", "q2", "q3"].flatMap((q) => [`${q} 0 d10 1\n`, `${q} 0 d29 0\n`]);
    const qrels = write("qrels.txt", judged.join(""));
    for (const method of ["posfuse", "probfuse(segments=4)", "slidefuse(window=2)", "bayesfuse"]) {
      const { hits } = await fused(...runs, "-m", method, "-n", "min-max-inverted", "--train", qrels);
      const scores = new Map(hits);
      expect([method, scores.get("d10") ?? 0]).toEqual([method, Math.max(...scores.values())]);
      expect(scores.get("d29") ?? 0).toBeLessThan(scores.get("d10") ?? 0);
    }
  });

  it("takes a list without scores for one that is best first, also where distances are read", async () => {
    const bare = recorded("bare.jsonl", [
      ["a", null],
      ["b", null],
      ["c", null],
    ]);
    for (const method of ["rrf", "sum"])
      expect((await fused(bare, "-m", method, "-n", "min-max-inverted")).hits.map(([id]) => id)).toEqual([
        "a",
        "b",
        "c",
      ]);
  });

  it("keeps the documents of chunks", async () => {
    const [a, b] = [
      recorded("a.jsonl", [
        ["A", 2],
        ["B", 1],
      ]),
      recorded("b.jsonl", [["B", 1]]),
    ];
    const { stdout } = await inProcess("fuse", a, b, "--unit", "chunk", "--to", "rankproof");
    const { hits_top_k } = JSON.parse(stdout) as { hits_top_k: unknown[] };
    expect(hits_top_k).toMatchObject([
      { chunk_id: "B#0", doc_id: "B" },
      { chunk_id: "A#0", doc_id: "A" },
    ]);
    const converted = await inProcess("convert", a, file("c.jsonl"), "--unit", "chunk", "--to", "rankproof");
    expect([converted.status, readFileSync(file("c.jsonl"), "utf8")]).toEqual([
      0,
      expect.stringContaining('"chunk_id":"A#0","doc_id":"A"'),
    ]);
  });

  it("names the run in which an id stands twice", async () => {
    const twice = write("twice.run", "q Q0 a 1 2 t\nq Q0 a 2 1 t\n");
    const { status, stderr } = await inProcess("fuse", trec("a.run", { q: { a: 1 } }), twice);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/twice(\.run)?, query `q`, id `a`: /)]);
  });
});

describe("tune fusion", () => {
  /** Distances, of which the least is relevant. */
  const tuned = async (...args: string[]): Promise<FusionTuning> => {
    const queries = Array.from({ length: 4 }, (_, at) => `q${at}`);
    const run = (name: string) =>
      trec(name, Object.fromEntries(queries.map((q) => [q, { near: 0.1, mid: 0.5, far: 0.9 }])));
    const qrels = write("qrels.txt", queries.map((q) => `${q} 0 near 1\n`).join(""));
    const { stdout, stderr } = await inProcess(
      ...["tune", "fusion", run("a.run"), run("b.run"), "--qrels", qrels, "-m", "RR", "--json", ...args],
    );
    expect(stderr).not.toContain("error");
    return JSON.parse(stdout) as FusionTuning;
  };

  it("searches methods that read ranks with the normalizer for distances, also by aliases", async () => {
    for (const method of ["rrf", "RRF", "probfuse"]) {
      const { chosen, searched } = await tuned("--method", method, "-n", "min-max-inverted", "-n", "zmuv");
      expect(searched.map(({ normalize }) => normalize)).toEqual(["min-max-inverted"]);
      expect(chosen.mean).toBe(1);
    }
  });

  it("reads recorded distances as such for what is there, too, and for all settings or none", async () => {
    const queries = ["q0", "q1", "q2"];
    const lines = queries.map((q) =>
      JSON.stringify({ query_id: q, hits_top_k: [["near", 0.1] as const, ["mid", 0.5] as const].map(hitOf) }),
    );
    const runs = ["a.jsonl", "b.jsonl"].map((name) => write(name, `${lines.join("\n")}\n`));
    const qrels = write("qrels.txt", queries.map((q) => `${q} 0 near 1\n`).join(""));
    const tune = async (...args: string[]) =>
      inProcess("tune", "fusion", ...runs, "--qrels", qrels, "-m", "RR", "--json", ...args);
    const current = async (...args: string[]): Promise<number> =>
      (JSON.parse((await tune(...args)).stdout) as FusionTuning).current.mean;
    expect(await current("-n", "min-max-inverted")).toBe(1);
    expect(await current("-n", "min-max-inverted", "--current", "rrf(k=60)")).toBe(1);
    expect(await current("-n", "min-max-inverted", "--method", "probfuse")).toBe(1);
    expect(await tune("-n", "min-max", "-n", "min-max-inverted")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("only some of the settings read distances") as string,
    });
    const config = "fusion: { method: wsum(weights=0.5/0.5), normalize: min-max-inverted }\n";
    vi.stubEnv("RANKPROOF_CONFIG", write("rankproof.config.yaml", config));
    expect(await current("-n", "min-max-inverted")).toBe(1);
    expect((await tune()).stderr).toContain("only some of the settings read distances");
  });

  it("keeps the parameters of the searched method where only the current normalizer is named", async () => {
    const { current } = await tuned("--method", "rrf(k=10)", "--current-normalize", "none");
    expect(current).toMatchObject({ method: "rrf(k=10)", normalize: "none" });
    expect((await tuned("--method", "probfuse", "--current-normalize", "zmuv")).current).toMatchObject({
      method: "wsum(weights=0.5/0.5)",
      normalize: "zmuv",
    });
    expect((await tuned("--method", "WMNZ", "--current", "w=0.3")).current.method).toBe(
      "wmnz(weights=0.7/0.3)",
    );
  });
});
