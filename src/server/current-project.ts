import { InputError } from "../foundation/errors/index.js";
import type { Config } from "../records/index.js";
import { fileStamp } from "./file-stamp.js";
import { Project } from "./project.js";
import type { Question } from "./readings.js";
import { Thread } from "./thread.js";

/** Where a project is. */
export interface ProjectSource {
  /** The configuration of the project, with its paths as they lead from the working folder. */
  readonly config: Config;
  /** Reads the configuration again: where its file has changed, or the page has begun a project. */
  readonly reread?: (() => Promise<Config>) | undefined;
  /** The path of its file; there may be none yet. Left out, it is not looked at. */
  readonly configFile?: (() => string | undefined) | undefined;
  /** The store of runs. */
  readonly store: string;
  /** The label store, where it is not the configured one. */
  readonly labels?: string | undefined;
  /** The golden set; there may be none. */
  readonly golden: string;
  /** Nothing is written, and nothing started. */
  readonly isReadOnly?: boolean | undefined;
  /** Pictures of items are asked for where they are. */
  readonly showsImages?: boolean | undefined;
}

/** The project by the configuration as it is now, and the threads that answer for it. */
export class CurrentProject {
  readonly #options: ProjectSource;
  readonly #onReopened: () => void;
  #project: Project;
  #threads: readonly [labelling: Thread, reading: Thread];
  /** Those of configurations from before, until they have answered. */
  readonly #retired = new Set<Thread>();
  #seen: string;
  #problem: Error | null = null;
  #rereading = Promise.resolve();

  /** @param onReopened called where the configuration has become another one. */
  constructor(options: ProjectSource, onReopened: () => void) {
    this.#options = options;
    this.#onReopened = onReopened;
    this.#project = this.#open(options.config);
    this.#threads = threadsOf(this.#project);
    this.#seen = this.#stamp();
  }

  get project(): Project {
    return this.#project;
  }

  /** What is wrong with the configuration as it is now, where the project is by the one before. */
  get problem(): Error | null {
    return this.#problem;
  }

  /** Answers in a thread: nobody who labels waits for a comparison. */
  ask(question: Question, signal?: AbortSignal): Promise<string> {
    const [labelling, reading] = this.#threads;
    const isLabelling = question.what === "label" || question.what === "pair";
    return (isLabelling ? labelling : reading).ask({ kind: "answer", question }, { signal });
  }

  /** Reads the configuration again where its file has changed. */
  follow(): Promise<void> {
    const stamp = this.#stamp();
    if (this.#options.reread === undefined || stamp === this.#seen) return this.#rereading;
    this.#seen = stamp;
    // One after the other, so that the latest counts.
    return (this.#rereading = this.#rereading
      .then(() => this.reopen())
      .then(
        () => {
          this.#problem = null;
        },
        (error: unknown) => {
          this.#problem = error instanceof Error ? error : new Error(String(error));
        },
      ));
  }

  /** Reads the configuration again. */
  async reopen(): Promise<void> {
    const config = (await this.#options.reread?.()) ?? this.#options.config;
    // As it is for a moment while an editor writes it.
    if (hasDatasets(this.#project.places.config) && !hasDatasets(config))
      throw new InputError("CONFIG", "the configuration has no datasets any more, or is gone");
    this.#project = this.#open(config);
    for (const thread of this.#threads) {
      this.#retired.add(thread);
      void thread.retire().then(() => this.#retired.delete(thread));
    }
    this.#threads = threadsOf(this.#project);
    this.#onReopened();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads, ...this.#retired].map((thread) => thread.close()));
  }

  #open(config: Config): Project {
    const { store, labels, golden, isReadOnly, showsImages = false } = this.#options;
    return new Project({ config, store, labels, showsImages, isReadOnly }, golden);
  }

  #stamp(): string {
    return fileStamp(this.#options.configFile?.());
  }
}

function hasDatasets({ datasets = {} }: Config): boolean {
  return Object.keys(datasets).length > 0;
}

function threadsOf({ threadPlace }: Project): readonly [labelling: Thread, reading: Thread] {
  return [new Thread(threadPlace), new Thread(threadPlace)];
}
