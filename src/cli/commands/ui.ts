import { countOf, formatCount } from "../../foundation/numbers/index.js";
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { InputError, isRankproofError } from "../../index.js";
import type { Config } from "../../records/index.js";
import type { Surroundings } from "../../files/index.js";
import { configPath, projectConfig, replaceFile } from "../../node/index.js";
import {
  serveWorkbench,
  STATIC_MARK,
  staticWorkbench,
  type ServedWorkbench,
  type ServeOptions,
} from "../../server/index.js";
import { collect } from "../collect.js";
import { findConfiguredStore } from "../config-flags.js";
import { labelsOption } from "../dataset-flags.js";
import { DEFAULT_GOLDEN, DEFAULT_STORE } from "../defaults.js";
import { packageVersion } from "../package-version.js";
import { readWholeNumber, wholeNumberOption } from "../number-flag.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
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
  allowRun?: true;
  rater?: string;
  readOnly?: true;
  images?: true;
  open?: true;
  static?: string;
  text: boolean;
  raters: boolean;
}

export const uiCommand: CliCommand = {
  define(command, terminal) {
    labelsOption(storeOption(command))
      .option(
        "-g, --golden <file>",
        `the golden set (default: that of the configuration, or ${DEFAULT_GOLDEN})`,
      )
      .option(
        "--port <n>",
        "where it is reached; 0 takes a free one",
        wholeNumberOption("port", 0, HIGHEST_PORT),
        6010,
      )
      .option("--rater <name>", "who labels (default: the page asks)")
      .option("--read-only", "nothing is written, and nothing started")
      .option("--images", "show pictures of items, which are asked for where they are")
      .option("--open", "open the page in the browser")
      .option("--host <address>", "listen on another address than this machine's own; read-only then")
      .option(
        "--allow-host <name>",
        "a name by which it may be called; may be repeated; read-only then",
        collect,
      )
      .option("--allow-write", "with --host or --allow-host: who reaches it may write, too")
      .option(
        "--allow-run",
        "the page may run the commands of the configuration: a tuning of the search restarts it",
      )
      .option("--static <dir>", "write the page with its data as DIR/index.html, for any file host, and end")
      .option("--no-text", "with --static: leave out what queries and items say")
      .option("--no-raters", "with --static: leave out the names of people")
      .addHelpText(
        "after",
        `
The page is for this machine alone: the link that is printed has a key in it, which is another one at each
start. Ctrl-C ends it; what was labelled is stored at once. Batches, label builds, audits and searches for the
best fusion are started from the page, and go on when the page is closed; with --allow-run tunings of the
search, too, which run the commands that stand in the configuration, and no others.

The page of --static needs no server: it can be opened as a file. In a folder without a project it has no
data, and takes golden sets, judgments, runs and stores that are dropped into it.
${examples("ui", "ui --open --rater Ada", "ui --read-only --port 0", "ui --static public --no-raters")}`,
      )
      .action((flags: Flags, called: Command) =>
        flags.static === undefined
          ? run(flags, called, terminal)
          : writePage(flags as Flags & { static: string }, called, terminal),
      );
  },
};

const HIGHEST_PORT = 65_535;

/** What was asked for, else what the environment says. @throws InputError `ARGUMENT` */
function portOf({ port }: Flags, called: Command, { env }: Terminal): number {
  const given = env["RANKPROOF_PORT"] ?? "";
  return given === "" || called.getOptionValueSource("port") === "cli"
    ? port
    : readWholeNumber("RANKPROOF_PORT", 0, HIGHEST_PORT)(given);
}

/** What a page without a server has no use for, and what only it has. */
const [FOR_SERVERS, FOR_PAGES] = [
  ["port", "rater", "readOnly", "images", "open", "host", "allowHost", "allowWrite", "allowRun"],
  ["text", "raters"],
];

const PAGE = "index.html";
/** The mark of a page stands in its first lines. */
const HEAD_BYTES = 1000;

/** Writes the page as one file, and says what is in it. */
async function writePage(
  { static: folder, store, labels, golden, text, raters }: Flags & { static: string },
  called: Command,
  terminal: Terminal,
): Promise<void> {
  refuseIdleOptions(called, FOR_SERVERS, "with --static");
  const config = await projectConfig(withStore(terminal, store));
  const file = join(folder, PAGE);
  if (existsSync(file) && !headOf(file).includes(STATIC_MARK))
    throw new InputError(
      "ARGUMENT",
      `${file} is no page of the workbench, and would be lost; name another folder, or remove it`,
    );
  terminal.progress("collecting what the page shows");
  const page = await staticWorkbench({
    config,
    store: store ?? (await findConfiguredStore(terminal)) ?? DEFAULT_STORE,
    labels,
    golden: goldenOf(golden, config),
    version: packageVersion(),
    texts: text,
    raters,
  });
  const [problem] = page.problems;
  if (problem !== undefined && page.contents.length === 0)
    throw new InputError(
      "CONFIG",
      `${problem}\nnothing else is there to be shown, so ${file} was not written; fix that first`,
    );
  for (const each of page.problems) terminal.warn(`left out: ${each}`);
  replaceFile(file, page.html);
  const names = page.raters.map(plainLine).join(", ");
  const bytes = formatCount(Buffer.byteLength(page.html));
  const lines = page.contents.map(({ id, queries, batches, comparisons, labels: count }) =>
    [
      `  ${plainLine(id)}: ${countOf(queries, "query")}`,
      countOf(batches, "batch", "batches"),
      countOf(comparisons, "comparison"),
      ...(count === null ? [] : [countOf(count, "label")]),
    ].join(", "),
  );
  const told =
    page.contents.length === 0
      ? ["  no data: it takes golden sets, judgments, runs and stores that are dropped into it"]
      : [
          `  texts of queries and items: ${text ? "yes" : "no"}`,
          `  names of people: ${names === "" ? "none" : names}`,
        ];
  terminal.out(
    [`${terminal.paint(file, "strong")} has ${bytes} bytes, and in it`, ...lines, ...told, ""].join("\n"),
  );
}

/** @throws InputError `FILE_NOT_FOUND` for one that was named and is not there. */
function goldenOf(flag: string | undefined, config: Config): string {
  const named = flag ?? config.golden;
  if (named !== undefined && !existsSync(named))
    throw new InputError(
      "FILE_NOT_FOUND",
      `${flag === undefined ? "golden" : "--golden"}: ${named}: no such file; check the path`,
    );
  return named ?? DEFAULT_GOLDEN;
}

/** A database that is named has the labels, too, unless the configuration says otherwise. */
function withStore({ env, cwd }: Terminal, store: string | undefined): Surroundings {
  return { cwd, env: store === undefined ? env : { ...env, RANKPROOF_STORE: store } };
}

/** The folder of the configuration, whose commands may be run. */
function commandFolder(terminal: Terminal): string {
  const path = configPath(terminal);
  if (path === undefined)
    throw new InputError(
      "ARGUMENT",
      "--allow-run is for the commands of a configuration, and there is none; leave it out",
    );
  return dirname(path);
}

function headOf(file: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  const opened = openSync(file, "r");
  try {
    readSync(opened, head);
  } finally {
    closeSync(opened);
  }
  return head.toString();
}

async function run(flags: Flags, called: Command, terminal: Terminal): Promise<void> {
  refuseIdleOptions(called, FOR_PAGES, "without --static");
  const around = withStore(terminal, flags.store);
  const config = await projectConfig(around);
  const isAtOther = flags.host !== undefined && !["127.0.0.1", "::1", "localhost"].includes(flags.host);
  const isOpenToOthers = isAtOther || flags.allowHost !== undefined;
  const isReadOnly = flags.readOnly === true || (isOpenToOthers && flags.allowWrite !== true);
  if (flags.allowWrite === true && !isOpenToOthers)
    throw new InputError(
      "ARGUMENT",
      "--allow-write goes with a --host that others reach, or --allow-host; leave it out",
    );
  const options: ServeOptions = {
    config,
    reread: () => projectConfig(around),
    configFile: () => configPath(around),
    store: flags.store ?? (await findConfiguredStore(terminal)) ?? DEFAULT_STORE,
    labels: flags.labels,
    golden: goldenOf(flags.golden, config),
    version: packageVersion(),
    rater: flags.rater,
    commandFolder: flags.allowRun === true ? commandFolder(terminal) : undefined,
    isReadOnly,
    showsImages: flags.images,
    port: portOf(flags, called, terminal),
    host: flags.host,
    allowedHosts: flags.allowHost,
    onError: (error) => terminal.error(errorText(error)),
  };
  const served = await serveWorkbench(options);
  try {
    terminal.out(`${terminal.paint("The workbench is open at", "strong")} ${served.url}\n`);
    if (isReadOnly && flags.readOnly !== true)
      terminal.talk("It is read-only, since others may reach it; --allow-write lets them write, too.");
    terminal.talk("Ctrl-C ends it.");
    const removeLink = flags.open === true ? openInBrowser(served) : () => undefined;
    try {
      void served.warmUp();
      await waitForAbort(terminal.signal);
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
function errorText(error: unknown): string {
  if (isRankproofError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Nothing else may keep the process alive.
    const alive = setInterval(() => undefined, 2 ** 30);
    const finish = (): void => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) finish();
    else signal.addEventListener("abort", finish, { once: true });
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
