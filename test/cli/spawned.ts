import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Commands from "../../src/cli/index.js";

/** The command as users call it. */
export const bin = fileURLToPath(new URL("../../bin/rankproof.js", import.meta.url));

/** What `bin` runs, as it was built. */
const { main, terminalOn } = (await import(
  new URL("../../dist/cli/index.js", import.meta.url).href
)) as typeof Commands;

/** GitHub's own variables are not passed on: the tests run there, too. */
const ENV = { NO_COLOR: "1", GITHUB_ACTIONS: "", GITHUB_STEP_SUMMARY: "" };

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Given {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** When it comes true, the command gets a Ctrl-C. */
  readonly interrupted?: Promise<unknown>;
  /** In place of Ctrl-C. */
  readonly signal?: NodeJS.Signals;
}

/** Relative names of files are the process's own, so that one command runs at a time. */
let turn: Promise<unknown> = Promise.resolve();

function runHere(
  args: readonly string[],
  folder: string,
  { env = {}, interrupted }: Omit<Given, "input">,
): Promise<Ended> {
  const ended = turn.then(async () => {
    const before = process.cwd();
    const [stdout, stderr] = [new Written(), new Written()];
    process.chdir(folder);
    try {
      const interrupt = new AbortController();
      void interrupted?.then(() => interrupt.abort(new Error("interrupted")));
      const { signal } = interrupt;
      const status = await main(
        args,
        terminalOn({ stdout, stderr, env: { ...process.env, ...ENV, ...env }, cwd: folder, signal }),
      );
      return { status, stdout: stdout.text, stderr: stderr.text };
    } finally {
      process.chdir(before);
    }
  });
  turn = ended.catch(() => undefined);
  return ended;
}

/** A stream that is no terminal and no file, and keeps what is written. */
class Written {
  readonly fd = -1;
  text = "";
  write(text: string): void {
    this.text += text;
  }
  on(): void {
    return;
  }
}

/** A folder of its own, with the command run in it. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), "rankproof-spawned-"));

  /** Runs the command to its end: in this process, which is fast, unless it reads the standard input. */
  run(args: readonly string[], given: Given = {}): Promise<Ended> {
    return given.input === undefined ? runHere(args, this.folder, given) : this.spawn(args, given);
  }

  /** Runs the command in a process of its own, as a user does. */
  async spawn(
    args: readonly string[],
    { input, env, interrupted, signal = "SIGINT" }: Given = {},
  ): Promise<Ended> {
    const child = this.begin(args, env);
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    void interrupted?.then(() => child.kill(signal));
    const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  }

  /** Begins the command in a process of its own. */
  begin(args: readonly string[], env: Given["env"] = {}): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [bin, ...args], {
      cwd: this.folder,
      env: { ...process.env, ...ENV, ...env },
    });
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), content);
    }
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  path(name: string): string {
    return join(this.folder, name);
  }
}

/** How the runs of {@link files} are scored. */
export const AGAINST_QRELS = ["--qrels", "qrels.txt", "-m", "RR"];
export const AGAINST_GOLDEN = ["-m", "RR", "--unit", "doc"];

/** Twelve queries with one relevant item each: `r-q1` for `q1`. */
export const QUERIES = Array.from({ length: 12 }, (_, index) => `q${index + 1}`);
/** So many hits has each of them. */
const HITS = 5;

/** The ranking of a query whose relevant item stands at a rank; 0 leaves it out. */
function ranking(query: string, rank: number): string[] {
  return Array.from({ length: HITS }, (_, index) =>
    index + 1 === rank ? `r-${query}` : `x${index + 1}-${query}`,
  );
}

/** A TREC run by the rank of each query's relevant item. */
export function trecRun(
  name: string,
  rankOf: (index: number) => number,
  queries: readonly string[] = QUERIES,
): string {
  return queries
    .map((query, index) =>
      ranking(query, rankOf(index))
        .map((id, at) => `${query} Q0 ${id} ${at + 1} ${HITS - at} ${name}\n`)
        .join(""),
    )
    .join("");
}

/** The same as lines of recorded results. The 95th percentile of their times is 12 ms. */
export function recordedRun(rankOf: (index: number) => number): string {
  return QUERIES.map((query, index) => {
    const hits_top_k = ranking(query, rankOf(index)).map((id, at) => ({
      chunk_id: `${id}#0`,
      doc_id: id,
      rank: at + 1,
    }));
    return `${JSON.stringify({ query_id: query, hits_top_k, elapsed_ms: index + 1 })}\n`;
  }).join("");
}

/** Where the runs have the relevant item: all their arithmetic follows from it. */
export const RANKS = {
  /** RR 1/2, P@1 0. */
  base: () => 2,
  /** RR 1, P@1 1. */
  good: () => 1,
  /** RR 0. */
  bad: () => 0,
  /** RR 1/3, 1, 1/3, 1, …, with a mean of 2/3. */
  mixed: (index: number) => (index % 2 === 1 ? 1 : 3),
} as const;

export const QRELS = QUERIES.map((query) => `${query} 0 r-${query} 1\n`).join("");

/** The same judgments as a golden set, every second query Korean. */
const GOLDEN = QUERIES.map(
  (query, index) =>
    `- {id: ${query}, query: words of ${query}, lang: ${index % 2 === 1 ? "ko" : "en"}, ` +
    `expected_doc_ids: [r-${query}]}\n`,
).join("");

/** All of them as files. */
export function files(): Record<string, string> {
  return {
    "qrels.txt": QRELS,
    "golden.yaml": GOLDEN,
    ...Object.fromEntries(
      Object.entries(RANKS).flatMap(([name, rankOf]) => [
        [`${name}.run`, trecRun(name, rankOf)],
        [`${name}.jsonl`, recordedRun(rankOf)],
      ]),
    ),
  };
}
