import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectConfig } from "../../src/node/index.js";

const folder = mkdtempSync(join(tmpdir(), "rankproof-project-"));
writeFileSync(join(folder, "rankproof.config.yaml"), "golden: queries/golden.yaml\nstore: runs.sqlite\n");
afterAll(() => rmSync(folder, { recursive: true }));

describe("the configuration of a project", () => {
  it("of another folder than the process's has paths that the process can open", async () => {
    expect(await projectConfig({ env: {}, cwd: folder })).toEqual({
      golden: join(folder, "queries/golden.yaml"),
      store: join(folder, "runs.sqlite"),
      labels: join(folder, ".rankproof/labels.sqlite"),
      artifacts: join(folder, ".rankproof"),
    });
  });

  it("is no folder of its name: the file above it is read, and one that is named is refused", async () => {
    const inner = join(folder, "inner");
    mkdirSync(join(inner, "rankproof.config.json"), { recursive: true });
    expect((await projectConfig({ env: {}, cwd: inner })).golden).toBe(join(folder, "queries/golden.yaml"));
    const named = { RANKPROOF_CONFIG: join(inner, "rankproof.config.json") };
    await expect(projectConfig({ env: named, cwd: inner })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining("rankproof.config.json: ") as string,
    });
  });
});
