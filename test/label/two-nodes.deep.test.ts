import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { openLabelStore } from "../../src/node/index.js";
import { showProof, tries } from "../support/proof.js";

/** Another version of Node, with another SQLite. */
const other = process.env["RANKPROOF_OTHER_NODE"] ?? "";

const PROGRAM = `
const [library, path, name, count] = process.argv.slice(2);
const { openLabelStore } = await import(library);
const store = await openLabelStore(path, { create: true, lockTimeoutMs: 60_000 });
for (let at = 0; at < Number(count); at++) {
  await store.add([{ tenant: "default", query: "q", item: name + at, outcome: "graded", grade: 1,
    rater: { kind: "model", name }, vote: 1, at: "2026-05-01T09:00:00.000Z" }]);
  await store.keepScores({ tenant: "default", query: "q", reranker: name }, [
    { item: name + at, score: at, textHash: at },
  ]);
}
await store.close();
`;

describe.skipIf(other === "")(
  "a label store that two versions of Node write at once" +
    (other === "" ? " (skipped: set RANKPROOF_OTHER_NODE)" : ""),
  () => {
    it("has all of both", async () => {
      const folder = mkdtempSync(join(tmpdir(), "rankproof-nodes-"));
      const path = join(folder, "labels.sqlite");
      const script = join(folder, "write.mjs");
      writeFileSync(script, PROGRAM);
      const library = pathToFileURL(join(import.meta.dirname, "../../dist/node/index.js")).href;
      const count = tries(20);
      const run = (node: string, name: string): Promise<number | null> =>
        new Promise((resolve) => {
          const child = spawn(node, [script, library, path, name, String(count)], { stdio: "inherit" });
          child.on("close", resolve);
        });
      expect(await Promise.all([run(process.execPath, "a"), run(other, "b")])).toEqual([0, 0]);
      const store = await openLabelStore(path);
      const found = await store.find();
      showProof("two versions of Node on one label store", {
        writes: found.length,
        lost: 2 * count - found.length,
      });
      expect(found.map(({ item }) => item).sort()).toEqual(
        ["a", "b"].flatMap((name) => Array.from({ length: count }, (_, at) => `${name}${at}`)).sort(),
      );
      for (const reranker of ["a", "b"])
        expect(await store.scores({ tenant: "default", query: "q", reranker })).toHaveLength(count);
      await store.close();
      expect(readdirSync(folder).sort()).toEqual(["labels.sqlite", "write.mjs"]);
    });
  },
);
