import { spawn, type ChildProcess } from "node:child_process";
import type { Surroundings } from "../../files/index.js";
import { AdapterError, messageOf, quote, quoteWithin } from "../../foundation/errors/index.js";
import { parseJson } from "../../foundation/text/index.js";
import type { Answer } from "../../records/index.js";
import { onLines } from "../on-lines.js";
import { looseHits } from "./loose-hits.js";
import type { RecordedSystem } from "./system.js";

/** After its input has ended, a program has so long to end by itself before it is asked to. */
const GRACE_MS = 10_000;
/** And so long after that, before it is ended. */
const LAST_GRACE_MS = 5_000;
const SILENCE_MS = 10_000;
const SILENT = "no answer yet; does it flush its output after each line?";
const LONGEST_LINE_SHOWN = 120;

/** A line that the program answers. */
interface Reply {
  readonly hits: unknown;
  readonly answer: Answer | null;
  /** What went wrong; null where nothing did. */
  readonly error: string | null;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** How a program is run. */
export interface ProgramOptions {
  /** Hits that are asked for. */
  readonly limit: number;
  /** How long it may take to end by itself; for tests. */
  readonly graceMs?: number | undefined;
  /** The variables that it sees; those of this process where nothing is said. */
  readonly env?: Surroundings["env"] | undefined;
  /** Told once when nothing has come back for a while. */
  readonly onSilence?: ((message: string) => void) | undefined;
}

/**
 * Any program as a system, started once and without a shell. It gets lines `{query_id, query, limit}` on its
 * standard input and answers each, in any order, with a line `{query_id, hits, answer?, error?}` on its
 * standard output; its standard error is passed on.
 */
export function programSystem(
  command: string,
  args: readonly string[],
  { limit, graceMs = GRACE_MS, onSilence = () => undefined, env = process.env }: ProgramOptions,
): RecordedSystem {
  const program = new Program(command, args, onSilence, env);
  const replies = new Map<string, Reply>();
  return {
    async retrieve(query, { goldenQuery: { id } }) {
      const reply = await program.ask(id, { query_id: id, query, limit });
      if (reply.error !== null && reply.hits == null) throw new Error(reply.error);
      replies.set(id, reply);
      return looseHits(reply.hits);
    },
    answer(_query, _hits, { goldenQuery: { id } }) {
      const { answer = null, error = null } = replies.get(id) ?? {};
      // The search may have worked, and only the answer failed.
      if (error !== null) throw new Error(error);
      return answer;
    },
    config: { program: [command, ...args] },
    broken: program.broken,
    close: () => program.close(graceMs),
  };
}

class Program {
  readonly #name: string;
  readonly #process: ChildProcess | null;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended: Promise<void>;
  /** Aborted when no further question can be asked. */
  readonly #broken = new AbortController();
  #isClosing = false;
  /** Whether a line of its output was none of the protocol. */
  #isWrong = false;
  readonly #silence: NodeJS.Timeout;
  #lines = 0;

  constructor(
    command: string,
    args: readonly string[],
    onSilence: (message: string) => void,
    env: Surroundings["env"],
  ) {
    this.#name = [command, ...args].join(" ");
    this.#process = this.#start(command, args, env);
    const { stdin, stdout } = this.#process ?? {};
    // A program that has ended reads no more; that it has ended says why.
    stdin?.on("error", () => undefined);
    if (stdout != null) onLines(stdout, (line) => this.#take(line));
    this.#ended = new Promise((resolve) => {
      if (this.#process === null) resolve();
      this.#process?.on("error", (error) => {
        this.#fail(`cannot be started: ${messageOf(error)}`);
        resolve();
      });
      this.#process?.on("close", (code, signal) => {
        this.#fail(`ended with ${signal === null ? `code ${code}` : signal} before it had answered`);
        resolve();
      });
    });
    this.#silence = setTimeout(() => {
      if (this.#lines === 0 && this.#waiting.size > 0) onSilence(`${this.#name}: ${SILENT}`);
    }, SILENCE_MS);
    this.#silence.unref();
  }

  #start(command: string, args: readonly string[], given: Surroundings["env"]): ChildProcess | null {
    try {
      // Python keeps what it prints to itself until there is much of it.
      const env = { PYTHONUNBUFFERED: "1", ...given };
      return spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], env });
    } catch (error) {
      this.#fail(`cannot be started: ${messageOf(error)}`);
      return null;
    }
  }

  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  ask(id: string, question: object): Promise<Reply> {
    if (this.#broken.signal.aborted) return Promise.reject(this.#broken.signal.reason as Error);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process?.stdin?.write(`${JSON.stringify(question)}\n`);
    });
  }

  /** Ends its input, then waits, then asks it to stop. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    this.#process?.stdin?.end();
    // One that broke the protocol may have no end.
    const grace = this.#broken.signal.aborted ? 0 : graceMs;
    clearTimeout(this.#silence);
    const timers = [
      setTimeout(() => this.#process?.kill("SIGTERM"), grace),
      setTimeout(() => this.#process?.kill("SIGKILL"), grace + LAST_GRACE_MS),
    ];
    await this.#ended;
    timers.forEach((timer) => clearTimeout(timer));
  }

  #take(line: string): void {
    this.#lines++;
    if (line.trim() === "" || this.#isWrong) return;
    const reply = replyOf(line);
    const waiting = reply === null ? undefined : this.#waiting.get(reply.query_id);
    if (reply === null || waiting === undefined) {
      this.#isWrong = true;
      const what = `line ${this.#lines} of its output ${
        reply === null
          ? 'is not JSON with a `query_id`, such as {"query_id": "q1", "hits": ["d1", "d2"]}'
          : `answers ${quote(reply.query_id)}, which was not asked or is answered already`
      }, got ${quoteWithin(LONGEST_LINE_SHOWN, line)}; logs belong on standard error`;
      // What it answered in the lines before is taken first.
      setImmediate(() => this.#fail(what));
      return;
    }
    this.#waiting.delete(reply.query_id);
    waiting.resolve({ hits: reply.hits, answer: reply.answer ?? null, error: failureIn(reply.error) });
  }

  #fail(what: string): void {
    if (this.#isClosing && this.#waiting.size === 0) return;
    if (!this.#broken.signal.aborted)
      this.#broken.abort(new AdapterError("SYSTEM_PROGRAM", `${this.#name}: ${what}`));
    this.#process?.stdout?.destroy();
    for (const { reject } of this.#waiting.values()) reject(this.#broken.signal.reason as Error);
    this.#waiting.clear();
  }
}

function replyOf(
  line: string,
): { query_id: string; hits?: unknown; answer?: Answer | null; error?: unknown } | null {
  try {
    const reply = parseJson(line) as { query_id?: unknown } | null;
    return typeof reply === "object" && reply !== null && typeof reply.query_id === "string"
      ? (reply as ReturnType<typeof replyOf>)
      : null;
  } catch {
    return null;
  }
}

/** What a program says is wrong; null where nothing is. */
function failureIn(error: unknown): string | null {
  if (error == null || error === "" || error === false) return null;
  return typeof error === "string" ? error : JSON.stringify(error);
}
