import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
});
