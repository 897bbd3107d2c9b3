import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const RESTART = join(import.meta.dirname, "restart.mjs");

/** What is tuned: `search.json` as a search has it before. */
export const ORIGINAL = `{ "boost": 0.5, "ours": "keep" }\n`;
const TEMPLATE = `{ "boost": {{boost}}, "ours": "keep" }\n`;

/** A port that nobody listens on at the moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * A project whose search is a process that reads its weights from a file: of each query the right item has
 * its words in the title, and three others have them in the text, so that a boost of titles above 1 finds it.
 */
export async function tunableProject(
  folder: string,
  { queries = 12, tuning = {} }: { queries?: number; tuning?: object } = {},
): Promise<void> {
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const port = await freePort();
  const words = Array.from({ length: queries }, (_, at) => `alpha${at} beta${at}`);
  const items = words.flatMap((query, at) => [
    { id: `right${at}`, title: query, text: "-" },
    ...[1, 2, 3].map((other) => ({ id: `other${at}-${other}`, title: "-", text: query })),
  ]);
  write("items.json", JSON.stringify(items));
  write("items.jsonl", items.map((item) => JSON.stringify(item)).join("\n"));
  write("queries.txt", words.join("\n"));
  write("port.json", String(port));
  write("search.json", ORIGINAL);
  write("search.template.json", TEMPLATE);
  write("judge.mjs", "export const grade = (query, item) => (item.fields.title === query ? 3 : 0);\n");
  write("experiments.json", JSON.stringify({ space: { boost: [0.25, 2, 3] } }));
  write(
    "rankproof.config.json",
    JSON.stringify({
      datasets: {
        shop: { queries: "queries.txt", corpus: "items.jsonl", backend: "engine", labeler: "judge" },
      },
      labelers: { judge: { kind: "module", path: "judge.mjs", version: "1" } },
      backends: {
        engine: {
          kind: "http",
          url: `http://127.0.0.1:${port}/search`,
          params: { q: "{query}", n: "{limit}" },
          method: "GET",
          hits: "/hits",
          hit: { id: "/id", score: "/score" },
          retries: 0,
        },
      },
      tuning: {
        engine: {
          files: ["search.json"],
          template: "search.template.json",
          restart: [process.execPath, RESTART, folder],
          health: { url: `http://127.0.0.1:${port}/health`, timeoutMs: 10_000, expect: '"boost":{{boost}}' },
          ...tuning,
        },
      },
    }),
  );
}

/** Starts the search of a project, and waits until it answers. */
export async function startSearch(folder: string): Promise<void> {
  execFileSync(process.execPath, [RESTART, folder]);
  while ((await runningSearch(folder)) === null) await pause(10);
}

/** Ends the search of a project. */
export function endSearch(folder: string): void {
  try {
    process.kill(Number(readFileSync(join(folder, "search.pid"), "utf8")), "SIGKILL");
  } catch {
    // It does not run.
  }
}

/** What the search of a project says of itself; null where none answers. */
export async function runningSearch(folder: string): Promise<{ boost: number; pid: number } | null> {
  const port = readFileSync(join(folder, "port.json"), "utf8");
  try {
    return (await (await fetch(`http://127.0.0.1:${port}/health`)).json()) as { boost: number; pid: number };
  } catch {
    return null;
  }
}

/** The processes that a process has started and that live. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
