import { countOf, formatAmount } from "../../foundation/numbers/index.js";
import { InputError } from "../../index.js";
import { openWorkQueue, projectConfig, storeName, workOnQueue } from "../../node/index.js";
import { workName } from "../../node/internal.js";
import { DEFAULT_STORE } from "../defaults.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { concurrencyOptionOf } from "../asking-flags.js";

interface Flags {
  store?: string;
  concurrency: number;
  untilDone?: true;
  status?: true;
  remove?: string;
  json?: true;
}

type Queue = Awaited<ReturnType<typeof openWorkQueue>>;

export const workCommand: CliCommand = {
  define(command, terminal) {
    concurrencyOptionOf(storeOption(command))
      .option("--until-done", "end when nothing is left, in place of waiting for more")
      .option("--status", "show what is in the queue, how far it is and what it cost")
      .option("--remove <id>", "take work out of the queue; what it labelled is kept")
      .option("--json", "with --status: print JSON")
      .addHelpText(
        "after",
        `
Does queries that \`label build --workers queue\` and \`batch run --workers queue\` have put into the queue of
a PostgreSQL database, until Ctrl-C, which lets the queries under way end. Start it in the folder of the
project, on as many machines as you like: configuration, keys and files are read there, and are not in the
queue. A worker that is killed loses nothing: others take its queries up, and no answer that was stored is
asked for again. Rate limits are those of each worker: divide them by the number of workers.
It needs two packages besides: npm install graphile-worker@0.16 pg
${examples(
  "work --store postgresql://host/db",
  "label build shop --labels postgresql://host/db --workers queue",
  "work --store postgresql://host/db --status",
)}`,
      )
      .action((flags: Flags) => work(flags, terminal));
  },
};

async function work(flags: Flags, terminal: Terminal): Promise<void> {
  const store = flags.store ?? DEFAULT_STORE;
  if (flags.json === true && flags.status !== true)
    throw new InputError("ARGUMENT", "--json prints what --status shows; give both");
  if (flags.status === true || flags.remove !== undefined) {
    const queue = await openWorkQueue(store, "--store", false);
    try {
      if (flags.remove !== undefined) await remove(queue, flags.remove, terminal);
      if (flags.status === true) await show(queue, flags.json === true, terminal);
    } finally {
      await queue.close();
    }
    return;
  }
  const place = {
    config: await projectConfig(terminal),
    store,
    env: terminal.env,
    onWarning: terminal.warn,
    onNote: (message: string) => terminal.talk(plainLine(message)),
  };
  const { signal } = terminal;
  terminal.talk(`working for ${storeName(store)}; Ctrl-C ends it when the queries under way are done`);
  const done = await workOnQueue(place, {
    concurrency: flags.concurrency,
    isUntilDone: flags.untilDone === true,
    signal,
    onQuery: (name, count) => terminal.progress(`${plainLine(name)}: ${countOf(count, "query")} done here`),
    onFailed: (name, message) =>
      terminal.talk(`${terminal.paint("failed:", "bad")} ${plainLine(name)}: ${message}; tried again later`),
  });
  terminal.talk(`${countOf(done, "query")} done here`);
}

async function show(queue: Queue, isJson: boolean, terminal: Terminal): Promise<void> {
  const all = await queue.progress();
  if (isJson) return terminal.out(formatJson(all.map(({ about: _, ...each }) => each)));
  if (all.length === 0) return terminal.out("the queue is empty\n");
  for (const each of all) {
    const { calls, amount, input, output, last_error } = each;
    const states = [
      [each.failed, "failed"],
      [each.running, "running"],
      [each.waiting, "waiting"],
      [each.given_up, "given up"],
    ] as const;
    terminal.out(
      `${plainLine(workName(each))} (${plainLine(each.id)}): ` +
        `${each.done} of ${countOf(each.total, "query")}` +
        states.map(([count, what]) => (count > 0 ? `, ${count} ${what}` : "")).join("") +
        (each.ended ? ", ended by its budget" : "") +
        (calls > 0 ? `; ${countOf(calls, "request")}, ${Math.round(input + output)} tokens` : "") +
        (amount > 0 ? `, price ${formatAmount(amount)}` : "") +
        (last_error === null || each.waiting + each.given_up === 0
          ? ""
          : `; the last failure: ${plainLine(last_error)}`) +
        "\n",
    );
  }
}

async function remove(queue: Queue, id: string, terminal: Terminal): Promise<void> {
  const known = (await queue.progress()).map((each) => each.id);
  if (!known.includes(id))
    throw new InputError(
      "ARGUMENT",
      `no work in the queue is called ${plainLine(id)}; --status shows what is there`,
    );
  await queue.remove(id);
  terminal.talk(`took ${plainLine(id)} out of the queue`);
}
