import { sep } from "node:path";
import { fstatSync } from "node:fs";
import { styleText } from "node:util";
import type { Surroundings } from "../files/index.js";
import { keepCompiled, leanCompiler, leanHeap } from "./v8-settings.js";
import { withoutUrlPasswords } from "./without-url-passwords.js";

/** The world of a command, its files aside: where it runs, what it prints to, what interrupts it. */
export interface Terminal extends Surroundings {
  /** Data: tables, JSON. */
  readonly out: (text: string) => void;
  /** Talk: warnings, progress, where a report was written. A line feed is added. */
  readonly talk: (line: string) => void;
  /** Talk that begins with `warning:`. What is foreign in it becomes plain text of one line. */
  readonly warn: (message: string) => void;
  /** The same with `error:`. */
  readonly error: (message: string) => void;
  /**
   * A command to the service that runs the program, such as an annotation of GitHub's. A line feed is added.
   */
  readonly command: (line: string) => void;
  /** Progress that replaces the last one on a terminal, and is not shown elsewhere. */
  readonly progress: (line: string) => void;
  /** Colours a text where the output is a terminal. */
  readonly paint: (text: string, as: "good" | "bad" | "strong" | "quiet") => string;
  /** Aborted by Ctrl-C, by who stops the process, and by a terminal that is closed. */
  readonly signal: AbortSignal;
  /** Lets less garbage pile up, for a command that keeps much, where the process is its own. */
  readonly leanHeap?: (() => void) | undefined;
  /** Has less of the program compiled for speed, in the same case. */
  readonly leanCompiler?: (() => void) | undefined;
}

/** The exit code for a failure of the outside world; see `exit-code.ts`. */
export const OUTSIDE_FAILED = 5;

/** Foreign text as one line of output. */
export function plainLine(text: string): string {
  return withoutControls(text.replaceAll("\n", " ").replaceAll("\u001b", " "));
}

/** The colours that `paint` uses, and those that end them. Others could hide text. */
const OWN_COLOURS = String.raw`\u001b\[(?:0|1|22|31|32|39|90)m`;
const PAINTED = new RegExp(OWN_COLOURS, "g");
const BIDIRECTIONAL = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const CONTROLS_OF_A_LINE = new RegExp(
  String.raw`(?!${OWN_COLOURS})[\u0000-\u0009\u000b-\u001f\u007f-\u009f${BIDIRECTIONAL}]`,
  "g",
);
const CONTROLS_OF_DATA = new RegExp(
  String.raw`(?!${OWN_COLOURS}|\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f${BIDIRECTIONAL}]`,
  "g",
);

/** Lines of talk must not move the cursor or tell a password; colours of our own may stay. */
function withoutControls(text: string): string {
  return withoutUrlPasswords(text).replace(CONTROLS_OF_A_LINE, "\ufffd");
}

/**
 * Data on a terminal: as it is, but for what would move the cursor, hide text or write to the clipboard. In a
 * file or a pipe every byte of it counts.
 */
function stripControls(text: string): string {
  return text.replace(CONTROLS_OF_DATA, "\ufffd");
}

/**
 * Text in a log of GitHub's, which takes lines that begin with `::`, and whatever follows `##[`, for
 * commands. An id must not give any, so a space without width stands inside.
 */
function withoutCommands(text: string): string {
  return text.replace(/(^|[\r\n])([^\S\r\n]*):(?=:)/g, "$1$2:\u200b").replaceAll("##[", "##\u200b[");
}

const STYLES = { good: "green", bad: "red", strong: "bold", quiet: "gray" } as const;

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** A stream that text is written to, of this process or of a test. */
interface Output {
  readonly fd: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** What the command line talks through: this process, or what a test has put in its place. */
export interface Host extends Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by Ctrl-C. Asked only by commands that can stop cleanly. */
  readonly signal: AbortSignal;
  /** As those of a {@link Terminal}. */
  readonly leanHeap?: () => void;
  readonly leanCompiler?: () => void;
}

/** A second Ctrl-C that comes sooner than this is the first one, passed on by another process. */
const PASSED_ON_MS = 500;

/** Where this process is; where it was, if that folder is gone. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? sep;
  }
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Error("interrupted"));
  let stoppedAt: number | undefined;
  const stopOrEnd = (): void => {
    stoppedAt ??= performance.now();
    stop();
    // What the terminal sends to all of them `npm run` and `timeout` pass on once more.
    if (performance.now() - stoppedAt < PASSED_ON_MS) return;
    process.removeListener("SIGINT", stopOrEnd);
    process.kill(process.pid, "SIGINT");
  };
  let isListening = false;
  return terminalOn({
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: currentFolder(),
    leanHeap,
    leanCompiler() {
      leanCompiler();
      keepCompiled();
    },
    get signal() {
      // The other commands end at once, as usual, and a second Ctrl-C ends these, too.
      if (!isListening) {
        isListening = true;
        process.on("SIGINT", stopOrEnd);
        // Of a supervisor, and of a terminal that is closed.
        process.on("SIGTERM", stop).on("SIGHUP", stop);
      }
      return interrupt.signal;
    },
  });
}

/**
 * A terminal. Colours only where the stream is one or `FORCE_COLOR` asks for them, and never against
 * `NO_COLOR`.
 */
export function terminalOn(host: Host): Terminal {
  const { stdout, stderr, env, cwd } = host;
  const isForced = ![undefined, "", "0", "false"].includes(env["FORCE_COLOR"]);
  const hasColours = ({ isTTY }: { readonly isTTY?: boolean | undefined }): boolean =>
    !env["NO_COLOR"] && (isForced || (isTTY === true && env["TERM"] !== "dumb"));
  const [isColoured, isTalkColoured] = [hasColours(stdout), hasColours(stderr)];
  const isGithub = env["GITHUB_ACTIONS"] === "true";
  // A file is not a log: there every byte counts.
  const isLog = isGithub && !isFile(stdout.fd);
  let progressShown = false;
  const clear = (): void => {
    if (progressShown) stderr.write("\r\u001b[K");
    progressShown = false;
  };
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may leave early, as `head` does; that is no error of ours.
    if (error.code === "EPIPE") return;
    stderr.write(`error: stdout cannot be written: ${error.message}\n`);
    process.exitCode = OUTSIDE_FAILED;
  });
  // stderr may be closed: the exit code still counts.
  stderr.on("error", () => undefined);
  const talk = (line: string): void => {
    clear();
    const text = withoutControls(isTalkColoured ? line : line.replace(PAINTED, ""));
    stderr.write(`${isGithub ? withoutCommands(text) : text}\n`);
  };
  const applyStyle = (text: string, as: keyof typeof STYLES): string =>
    styleText(STYLES[as], text, { validateStream: false });
  const paint = (text: string, as: keyof typeof STYLES): string => (isColoured ? applyStyle(text, as) : text);
  return {
    env,
    cwd,
    out(text) {
      clear();
      stdout.write(stdout.isTTY ? stripControls(text) : isLog ? withoutCommands(text) : text);
    },
    talk,
    warn: (message) => talk(`${applyStyle("warning:", "strong")} ${plainLine(message)}`),
    error: (message) => talk(`${applyStyle("error:", "bad")} ${plainLine(message)}`),
    command(line) {
      clear();
      stderr.write(`${withoutControls(line)}\n`);
    },
    progress(line) {
      if (!stderr.isTTY) return;
      stderr.write(`\r${withoutControls(line)}\u001b[K`);
      progressShown = true;
    },
    paint,
    get signal() {
      return host.signal;
    },
    leanHeap: host.leanHeap,
    leanCompiler: host.leanCompiler,
  };
}
