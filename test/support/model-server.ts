import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** How `model-server-process.js` answers. */
export interface ModelServerSettings {
  readonly grades: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly noise?: number;
  readonly trouble?: readonly string[];
  readonly troubleEvery?: number;
  readonly refuses?: readonly string[];
  readonly key?: string;
  readonly delayMs?: number;
}

/** What it was asked. */
export interface ModelServerStats {
  readonly requests: number;
  readonly answers: number;
  /** How often each pair was answered well, by `QUERY\nITEM`. */
  readonly pairs: Readonly<Record<string, number>>;
  /** When the last request came whose answer has the pair, in milliseconds since 1970. */
  readonly last: Readonly<Record<string, number>>;
  readonly profiles: number;
  readonly troubles: number;
}

/** Starts the model server as a process of its own, for one test. */
export async function modelServer(
  settings: ModelServerSettings,
): Promise<{ readonly baseUrl: string; stats(): Promise<ModelServerStats> }> {
  const file = join(mkdtempSync(join(tmpdir(), "model-")), "settings.json");
  writeFileSync(file, JSON.stringify(settings));
  const child = spawn(process.execPath, [join(import.meta.dirname, "model-server-process.js"), file]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const baseUrl = `http://127.0.0.1:${port.toString().trim()}`;
  return {
    baseUrl,
    stats: async () => (await (await fetch(`${baseUrl}/stats`)).json()) as ModelServerStats,
  };
}
