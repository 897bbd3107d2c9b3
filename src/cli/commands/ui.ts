import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError, isRankproofError } from "../../index.js";
import { projectConfig } from "../../node/index.js";
import { serveWorkbench, type ServedWorkbench, type ServeOptions } from "../../server/index.js";
import { configuredStore } from "../config-flags.js";
import { labelsOption } from "../dataset-flags.js";
import { DEFAULT_GOLDEN, DEFAULT_STORE } from "../defaults.js";
import { packageVersion } from "../index.js";
import { wholeNumber } from "../number-flag.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";

interface Flags {
  store?: string;
  labels?: string;
  golden?: string;
  port: number;
  host?: string;
  allowHost?: string[];
  allowWrite?: true;
  rater?: string;
  readOnly?: true;
  images?: true;
  open?: true;
}

const collected = (name: string, before: string[] = []): string[] => [...before, name];

export const uiCommand: CliCommand = {
  define(command, terminal) {
    labelsOption(storeOption(command))
      .option(
        "-g, --golden <file>",
        `the golden set (default: that of the configuration, or ${DEFAULT_GOLDEN})`,
      )
      .option("--port <n>", "where it is reached; 0 takes a free one", wholeNumber("port", 0), portFrom(6010))
      .option("--rater <name>", "who labels (default: the page asks)")
      .option("--read-only", "nothing is written, and nothing started")
      .option("--images", "show pictures of items, which are asked for where they are")
      .option("--open", "open the page in the browser")
      .option("--host <address>", "listen on another address than this machine's own; read-only then")
      .option("--allow-host <name>", "a name by which it may be called; may be repeated", collected)
      .option("--allow-write", "with --host: who reaches it may write, too")
      .addHelpText(
        "after",
        `
The page is for this machine alone: the link that is printed has a key in it, which is another one at each
start. Ctrl-C ends it; what was labelled is stored at once. Batches, label builds, audits and searches for the
best fusion are started from the page, and go on when the page is closed.
${examples("ui", "ui --open --rater Ada", "ui --read-only --port 0")}`,
      )
      .action((flags: Flags) => run(flags, terminal));
  },
};

function portFrom(usual: number): number {
  const given = process.env["RANKPROOF_PORT"];
  return given === undefined || given === "" ? usual : wholeNumber("port", 0)(given);
}

async function run(flags: Flags, terminal: Terminal): Promise<void> {
  const config = await projectConfig();
  const isOpenToOthers = flags.host !== undefined && !["127.0.0.1", "::1", "localhost"].includes(flags.host);
  if (flags.allowWrite === true && !isOpenToOthers)
    throw new InputError("ARGUMENT", "--allow-write goes with a --host that others reach; leave it out");
  const options: ServeOptions = {
    config,
    reread: projectConfig,
    store: flags.store ?? (await configuredStore()) ?? DEFAULT_STORE,
    labels: flags.labels,
    golden: flags.golden ?? config.golden ?? DEFAULT_GOLDEN,
    version: packageVersion(),
    rater: flags.rater,
    isReadOnly: flags.readOnly === true || (isOpenToOthers && flags.allowWrite !== true),
    showsImages: flags.images,
    port: flags.port,
    host: flags.host,
    allowedHosts: flags.allowHost,
    onError: (error) => terminal.talk(`${terminal.paint("error:", "bad")} ${plainLine(toldAs(error))}`),
  };
  const served = await serveWorkbench(options);
  try {
    terminal.out(`${terminal.paint("The workbench is open at", "strong")} ${served.url}\n`);
    terminal.talk("Ctrl-C ends it.");
    const removeLink = flags.open === true ? openInBrowser(served) : () => undefined;
    try {
      void served.warmUp();
      await aborted(terminal.signal);
    } finally {
      removeLink();
    }
  } finally {
    terminal.progress("closing");
    await served.close();
  }
  terminal.talk("closed");
}

/** What a problem is told as: one of the package's own needs no place in the code. */
function toldAs(error: unknown): string {
  if (isRankproofError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Nothing else may keep the process alive.
    const alive = setInterval(() => undefined, 2 ** 30);
    const done = (): void => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) done();
    else signal.addEventListener("abort", done, { once: true });
  });
}

/**
 * Opens a file that leads to the page, so that the key in its address stands on no command line, which every
 * user of this machine can read.
 *
 * @returns what removes the file.
 */
function openInBrowser({ url }: ServedWorkbench): () => void {
  const folder = mkdtempSync(join(tmpdir(), "rankproof-"));
  const file = join(folder, "open.html");
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, { mode: 0o600 });
  const [command = "", ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  const opener = spawn(command, [...args, pathToFileURL(file).href], { stdio: "ignore", detached: true });
  // Without a browser the link in the terminal is there.
  opener.on("error", () => undefined);
  opener.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}
