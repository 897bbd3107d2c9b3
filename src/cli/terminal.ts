import { styleText } from "node:util";

/** What a command may do to the world outside its files: talk, and be interrupted. */
export interface Terminal {
  /** Data: tables, JSON. */
  readonly out: (text: string) => void;
  /** Talk: warnings, progress, where a report was written. A line feed is added. */
  readonly talk: (line: string) => void;
  /** Progress that replaces the last one on a terminal, and is not shown elsewhere. */
  readonly progress: (line: string) => void;
  /** Colours a text where the output is a terminal. */
  readonly paint: (text: string, as: "good" | "bad" | "strong" | "quiet") => string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The exit code for a failure of the outside world; see `exit-code.ts`. */
export const OUTSIDE_FAILED = 5;

/** A number with its noun: `1 result`, `2 results`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Foreign text as one line of output. */
export function plainLine(text: string): string {
  return withoutControls(text.replaceAll("\n", " ").replaceAll("\u001b", " "));
}

/** Lines of talk must not move the cursor; colours of our own may stay. */
function withoutControls(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/(?!\u001b\[\d*m)[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** Data on a terminal: as it is, but for what would move the cursor or write to the clipboard. In a file or a pipe every byte of it counts. */
function shownData(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/(?!\u001b\[\d*m|\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

const STYLES = { good: "green", bad: "red", strong: "bold", quiet: "gray" } as const;

/** The terminal of this process. Colours only where stdout is one, and never against `NO_COLOR`. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const coloured = stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const interrupt = new AbortController();
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
  // Nobody reads the talk: the exit code still counts.
  stderr.on("error", () => undefined);
  return {
    out(text) {
      clear();
      stdout.write(stdout.isTTY ? shownData(text) : text);
    },
    talk(line) {
      clear();
      stderr.write(`${withoutControls(line)}\n`);
    },
    progress(line) {
      if (!stderr.isTTY) return;
      stderr.write(`\r${withoutControls(line)}\u001b[K`);
      progressShown = true;
    },
    paint: (text, as) => (coloured ? styleText(STYLES[as], text) : text),
    get signal() {
      // Listened for only by commands that can stop cleanly; the others end at once, as usual, and a second Ctrl-C ends these, too.
      if (process.listenerCount("SIGINT") === 0) process.once("SIGINT", () => interrupt.abort(new Error("interrupted")));
      return interrupt.signal;
    },
  };
}
