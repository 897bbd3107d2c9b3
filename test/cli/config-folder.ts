import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";

/** Where a test's files are. */
export interface ConfigFolder {
  readonly file: (name: string) => string;
  /** Writes a file, and gives its path. */
  readonly write: (name: string, content: string) => string;
}

/** A folder of its own for each test that follows, with the configuration that commands take. */
export function configFolder(config: string): ConfigFolder {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const write = (name: string, content: string): string => {
    writeFileSync(file(name), content);
    return file(name);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "config-"));
    vi.stubEnv("RANKPROOF_CONFIG", write("rankproof.config.yaml", config));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return { file, write };
}
