import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { modelServer } from "../support/model-server.js";
import { Workplace, type Ended } from "./spawned.js";

/** A command that is begun again when it is killed, or could not begin, until it ends by itself. */
export interface KeptCommand {
  readonly ended: Promise<Ended>;
  /** Of the process that runs now. */
  readonly pid: () => number;
  /** Since when it runs, in milliseconds since 1970. */
  readonly since: () => number;
  readonly kill: () => void;
  /** Kills it for good. */
  readonly end: () => void;
}

/** Exit code where the database was away when the command began. */
const AWAY = 5;

function keepRunning(
  place: Workplace,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onError: (text: string) => void,
): KeptCommand {
  let child: ChildProcessWithoutNullStreams;
  let [isOver, since] = [false, 0];
  const ended = new Promise<Ended>((resolve) => {
    const begin = (): void => {
      let [stdout, stderr] = ["", ""];
      since = Date.now();
      child = place.begin(args, env);
      child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
      child.stderr.on("data", (text: Buffer) => {
        onError(text.toString());
        stderr = (stderr + text.toString()).slice(-10_000);
      });
      child.on("close", (status) => {
        if (status !== 0) onError(`rankproof ${args.join(" ")} ended with ${status}\n`);
        if (!isOver && (status === null || status === AWAY)) begin();
        else resolve({ status, stdout, stderr });
      });
    };
    begin();
  });
  const kill = (): void => void child.kill("SIGKILL");
  const end = (): void => {
    isOver = true;
    kill();
  };
  return { ended, pid: () => child.pid ?? 0, since: () => since, kill, end };
}

/** A project whose queries each have a window of items, and a labeler behind a real address. */
export interface QueueProject {
  readonly model: Awaited<ReturnType<typeof modelServer>>;
  /** Where runs are; labels, too, where it is a database. */
  readonly store: string;
  readonly place: Workplace;
  readonly env: Readonly<Record<string, string>>;
  readonly keep: (...args: readonly string[]) => KeptCommand;
  readonly call: (args: readonly string[], interrupted?: Promise<unknown>) => Promise<Ended>;
}

/**
 * Makes a project for one test.
 *
 * @param database the server's address; a store file without one.
 * @param printed what its kept commands say on stderr.
 */
export async function queueProject(
  database: string | undefined,
  { queries, items, delayMs = 0 }: { queries: number; items: number; delayMs?: number },
  printed: string[] = [],
): Promise<QueueProject> {
  const model = await modelServer({ grades: {}, delayMs });
  const place = new Workplace();
  const schema = `s${Math.random().toString(36).slice(2)}`;
  const store = database === undefined ? place.path("store.sqlite") : `${database}?schema=${schema}`;
  place.write({
    "queries.tsv": Array.from({ length: queries }, (_, at) => `q${at}\tthing${at} common\n`).join(""),
    "items.jsonl": Array.from(
      { length: items },
      (_, at) => `${JSON.stringify({ id: `i${at}`, sku: `i${at}`, title: "common" })}\n`,
    ).join(""),
    "rankproof.config.json": JSON.stringify({
      store: "${STORE}",
      artifacts: place.path("out"),
      ...(database === undefined && { labels: place.path("labels.sqlite") }),
      labelers: {
        gpt: {
          kind: "openai",
          baseUrl: model.baseUrl,
          apiKey: "${MODEL_KEY}",
          model: "m",
          batchSize: 2,
          price: { input: 1, output: 1, currency: "EUR" },
        },
      },
      datasets: { shop: { queries: "queries.tsv", corpus: "items.jsonl", labeler: "gpt" } },
    }),
  });
  const env = { STORE: store, MODEL_KEY: "key-0123456789abcdef" };
  return {
    model,
    store,
    place,
    env,
    keep: (...args) => keepRunning(place, args, env, (text) => printed.push(text)),
    call: (args, interrupted) => place.run(args, { env, ...(interrupted && { interrupted }) }),
  };
}
