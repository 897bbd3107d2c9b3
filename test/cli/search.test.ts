import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { SearchHit } from "../../src/records/index.js";
import { jsonl } from "./bench-files.js";
import { inProcess } from "./in-process.js";
import { Workplace } from "./spawned.js";
import { pattern } from "../support/pattern.js";

const LONG = `Wind tunnels ${"blow ".repeat(60)}`;

let place: Workplace;
beforeAll(() => {
  place = new Workplace();
  mkdirSync(place.path("empty-folder"), { recursive: true });
  place.write({
    "corpus.jsonl": jsonl(
      {
        _id: "transition",
        title: "Boundary layers",
        text: "Transition of boundary layers on a flat plate. It begins with small waves.",
      },
      { _id: "边界层", title: "边界层转捩", text: "本文研究平板边界层的转捩。" },
      { _id: "__proto__", text: "\u001b[31mred\u001b]0;title\u0007 kites </script>" },
      { _id: "long", text: LONG },
      { _id: "empty", text: "" },
      { _id: "german", title: "Züge", text: "Die Züge fahren schneller." },
    ),
    "latin1.jsonl": Buffer.from('{"id": "a", "text": "\xe4"}', "latin1"),
    "broken.jsonl": '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n{"id": "b"}\n',
    "nothing.jsonl": "",
  });
});

type Printed = SearchHit & { readonly title: string; readonly text: string };

async function found(...args: string[]): Promise<readonly Printed[]> {
  const { status, stdout, stderr } = await inProcess("search", place.path("corpus.jsonl"), ...args, "--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout) as Printed[];
}

describe.concurrent("search", () => {
  it("shows rank, score, id, title and how the text begins; how many there are is on stderr", async () => {
    const { status, stdout, stderr } = await place.run(["search", "corpus.jsonl", "boundary", "layer"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      pattern(
        /^ {2}1 +\d\.\d{4} {2}transition {2}Boundary layers\n/,
        / {5}Transition of boundary layers on a flat plate\. It begins with small waves\.\n$/,
      ),
    );
    expect(stderr).toBe("1 of 5 chunks of 5 documents\n");
  });
  it("--json prints the hits and nothing else, with title and text", async () => {
    const { stdout, stderr } = await place.run(["search", "-", "boundary layer", "--json"], {
      input: gzipSync(place.read("corpus.jsonl")),
    });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject([
      {
        rank: 1,
        chunk_id: "transition",
        doc_id: "transition",
        title: "Boundary layers",
        text: expect.stringContaining("flat plate"),
      },
    ]);
  });
  it("finds Chinese by its characters", async () => {
    expect((await found("边界层"))[0]).toMatchObject({ chunk_id: "边界层", rank: 1 });
  });
  it.each([
    ["fts_only", ["transition"]],
    ["embedding_only", ["transition", "边界层", "__proto__", "long", "german"]],
    ["hybrid", ["transition", "边界层", "__proto__", "long", "german"]],
  ])("--mode %s answers by itself", async (mode, ids) => {
    const hits = await found("flat plate", "--mode", mode);
    expect(hits[0]?.chunk_id).toBe("transition");
    expect(new Set(hits.map(({ chunk_id }) => chunk_id))).toEqual(new Set(ids));
  });
  it("a hit of hybrid says at which rank each channel had it", async () => {
    expect((await found("flat plate", "--mode", "hybrid"))[0]).toMatchObject({
      features: { lexical_rank: 1, embedding_rank: 1 },
    });
  });
  it("-k shows so many", async () => {
    expect(await found("flat plate", "--mode", "hybrid", "-k", "2")).toHaveLength(2);
  });
  it("--language knows its own words", async () => {
    expect(await found("Zug", "--language", "plain")).toEqual([]);
    expect((await found("fahre", "--language", "german"))[0]).toMatchObject({ chunk_id: "german" });
  });
  it("--chunker cuts the documents, and hits are chunks", async () => {
    expect((await found("small waves", "--chunker", "sentences", "--chunk-size", "50"))[0]).toMatchObject({
      doc_id: "transition",
      text: "It begins with small waves.",
    });
  });
  it.each(["xyzzy", 'AND OR NOT ( " *', " "])(
    "nothing found for %j is said, and is no error",
    async (words) => {
      expect(await inProcess("search", place.path("corpus.jsonl"), words)).toEqual({
        status: 0,
        stdout: "",
        stderr: "nothing found among 5 chunks of 5 documents\n",
      });
      expect(await found(words)).toEqual([]);
    },
  );
  it("shows long texts cut, and foreign text as plain lines", async () => {
    const long = (await inProcess("search", place.path("corpus.jsonl"), "tunnels")).stdout;
    expect(long.split("\n")[1]).toMatch(/^ {5}Wind tunnels (?:blow )+[blow]*…$/);
    const hostile = (await inProcess("search", place.path("corpus.jsonl"), "kites")).stdout;
    expect(hostile).toContain("__proto__");
    expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
  it("a folder with a corpus in it, and the papers of a fixture, are searched as they are", async () => {
    expect((await inProcess("search", place.path("."), "layer")).status).toBe(0);
    const papers = fileURLToPath(new URL("../../fixtures/bench/papers.json", import.meta.url));
    expect(await inProcess("search", papers, "cache", "-k", "1")).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^ {2}1 .* 201:[a-z]+:0 /) as string,
      stderr: "1 of 82 chunks of 16 documents\n",
    });
  });
  it("finds chunks of a knowledge base under their own ids", async () => {
    const chunk = (id: string, text?: string) => JSON.stringify({ chunk_id: id, doc_id: "a", text });
    place.write({ "chunks.jsonl": `${chunk("a#0", "red shoes")}\n${chunk("a#1", "blue boots")}\n` });
    const { stdout } = await inProcess("search", place.path("chunks.jsonl"), "boots", "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ chunk_id: "a#1", doc_id: "a", text: "blue boots" }]);
    const cut = await inProcess("search", place.path("chunks.jsonl"), "x", "--chunker", "sentences");
    expect(cut).toMatchObject({ status: 2, stderr: expect.stringContaining("not cut again") as string });
    place.write({ "chunks.jsonl": chunk("a#0") });
    expect((await inProcess("search", place.path("chunks.jsonl"), "x")).stderr).toContain(
      "chunk `a#0` has no text to search",
    );
  });
  it.each([
    ["corpus.jsonl", ["x", "-k", "0"], "--top must be a whole number from 1, got `0`"],
    ["corpus.jsonl", ["x", "--mode", "dense"], "Allowed choices are fts_only, embedding_only, hybrid"],
    [
      "corpus.jsonl",
      ["x", "--mode", "hybrid", "--embedding-provider", "none"],
      "--mode hybrid needs embeddings; choose --embedding-provider hash or openai",
    ],
    [
      "corpus.jsonl",
      ["x", "--mode", "hybrid", "--fusion", "rff"],
      "unknown fusion method `rff`; did you mean `rrf`",
    ],
    ["corpus.jsonl", ["x", "--fusion", "rrf"], "--fusion does nothing without the mode hybrid; leave it out"],
    ["corpus.jsonl", ["x", "--depth", "5"], "--depth does nothing without the mode hybrid"],
    ["corpus.jsonl", ["x", "--mode", "embedding_only", "--k1", "2"], "--k1 does nothing without full text"],
    [
      "corpus.jsonl",
      ["x", "--embedding-provider", "hash"],
      "--embedding-provider does nothing without embeddings",
    ],
    ["corpus.jsonl", [], "missing required argument 'query'"],
    ["gone.jsonl", ["x"], "no such file; check the path"],
    ["latin1.jsonl", ["x"], "latin1.jsonl:1: is not UTF-8 text; save the file as UTF-8"],
    ["nothing.jsonl", ["x"], "nothing.jsonl: has no documents"],
    ["broken.jsonl", ["x"], "broken.jsonl:2:8: id `a` is duplicated; every record needs an id of its own"],
    [
      "broken.jsonl",
      ["x"],
      "broken.jsonl:3:1: one of `text`, `body`, `content`, `contents` must be a string",
    ],
    ["empty-folder", ["x"], "has none of `corpus.jsonl`"],
  ])("%s with %j is exit code 2", async (file, args, message) => {
    const { status, stdout, stderr } = await inProcess("search", place.path(file), ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
