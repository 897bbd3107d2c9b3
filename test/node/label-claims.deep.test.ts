import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { openLabelStore } from "../../src/node/index.js";

const folder = mkdtempSync(join(tmpdir(), "rankproof-claims-"));
const path = join(folder, "labels.sqlite");

describe("a label file", () => {
  it("takes over a claim whose process is gone, and no other", async () => {
    const script = join(folder, "claim.mjs");
    const library = pathToFileURL(join(import.meta.dirname, "../../dist/node/index.js")).href;
    writeFileSync(
      script,
      `const { openLabelStore } = await import(${JSON.stringify(library)});
       const store = await openLabelStore(process.argv[2], { create: true });
       console.log(await store.claim("mine") === undefined ? "taken" : "mine");
       if (process.argv[3] === "stay") setInterval(() => {}, 1000);`,
    );
    const ended = spawnSync(process.execPath, [script, path], { encoding: "utf8" });
    expect(ended.stdout).toBe("mine\n");
    const staying = spawn(process.execPath, [script, path, "stay"]);
    const [line] = (await once(staying.stdout, "data")) as [Buffer];
    expect(line.toString()).toBe("mine\n");
    const store = await openLabelStore(path, { create: true });
    expect(await store.claim("mine")).toBeUndefined();
    const gone = once(staying, "exit");
    staying.kill("SIGKILL");
    await gone;
    expect(await store.claim("mine")).toBeTypeOf("function");
  });
});
