import { InputError } from "../foundation/errors/index.js";
import type { Config } from "../records/index.js";
import { checkWorkbenchOptions } from "./check-options.js";
import { fileStamp } from "./file-stamp.js";
import { newToken, refusalOf, SAFE_HEADERS } from "./guard.js";
import { Jobs } from "./jobs.js";
import { servePage } from "./page.js";
import { Project } from "./project.js";
import type { Question } from "./readings.js";
import { apiRoutes } from "./routes.js";
import { Thread } from "./thread.js";

/** What the workbench is about, and what it may do. */
export interface WorkbenchOptions {
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
  readonly version: string;
  /** Who labels; the page asks otherwise. */
  readonly rater?: string | undefined;
  /** Nothing is written, and nothing started. */
  readonly isReadOnly?: boolean | undefined;
  /**
   * The folder of the configuration, where the page may run the commands that stand in it, such as the
   * restart of a search that is tuned. Left out, it runs none.
   */
  readonly commandFolder?: string | undefined;
  /** Pictures of items are asked for where they are. */
  readonly showsImages?: boolean | undefined;
  /** Names besides those of this machine by which it may be called. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The port that it is reached at. */
  readonly port: () => number;
  /**
   * Screens are answered by threads of their own, so that labelling never waits for a comparison; each takes
   * the memory of what it looks at. Default false; {@link serveWorkbench} does it.
   */
  readonly isThreaded?: boolean | undefined;
  /** Called with what is no fault of a request. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The workbench as a function of requests, for any server; {@link serveWorkbench} is one. */
export interface Workbench {
  /** A new one at each start; the page gets it in the fragment of its address. */
  readonly token: string;
  /** Answers a request. */
  fetch(request: Request): Promise<Response>;
  /** Makes what the first screen shows, so that it is there when it is asked for. */
  warmUp(): Promise<void>;
  /** Stops what runs, and waits until it has let go. */
  close(): Promise<void>;
}

/**
 * Makes the workbench of a project.
 *
 * @throws InputError `ARGUMENT` for options that are not possible.
 */
export function workbench(given: WorkbenchOptions): Workbench {
  const options = checkWorkbenchOptions(given);
  const {
    store,
    labels,
    golden,
    reread,
    isReadOnly,
    showsImages = false,
    onError = () => undefined,
  } = options;
  const open = (config: Config): Project =>
    new Project({ config, store, labels, showsImages, isReadOnly }, golden);
  let project = open(options.config);
  let threads = threadsOf(project);
  const answer = (question: Question, signal?: AbortSignal): Promise<string> => {
    const { labelling, reading } = threads;
    const isLabelling = question.what === "label" || question.what === "pair";
    return (isLabelling ? labelling : reading).ask({ kind: "answer", question }, { signal });
  };
  const jobs = new Jobs();
  /** Those of configurations from before, until they have answered. */
  const retired = new Set<Thread>();
  const reopenProject = async (reread: () => Promise<Config>): Promise<void> => {
    const config = await reread();
    if (hasDatasets(project.places.config) && !hasDatasets(config))
      throw new InputError("CONFIG", "the configuration has no datasets any more, or is gone");
    project = open(config);
    // What was stopped would go on by the configuration from before.
    jobs.forgetEnded();
    for (const thread of [threads.labelling, threads.reading]) {
      retired.add(thread);
      void thread.retire().then(() => retired.delete(thread));
    }
    threads = threadsOf(project);
  };
  const stampOfConfig = (): string => fileStamp(options.configFile?.());
  let seenConfig = stampOfConfig();
  /** What is wrong with the configuration as it is now; the one before is shown. */
  let configProblem: Error | null = null;
  let rereading = Promise.resolve();
  const followConfig = (): Promise<void> => {
    const stamp = stampOfConfig();
    if (reread === undefined || stamp === seenConfig) return rereading;
    seenConfig = stamp;
    // One after the other, so that the latest counts.
    return (rereading = rereading
      .then(() => reopenProject(reread))
      .then(
        () => void (configProblem = null),
        (error: unknown) => void (configProblem = error instanceof Error ? error : new Error(String(error))),
      ));
  };
  const page = servePage(showsImages);
  const token = newToken();
  const api = apiRoutes({
    project: () => project,
    answer: options.isThreaded === true ? answer : undefined,
    reopen: reread && (() => reopenProject(reread)),
    configProblem: () => configProblem,
    jobs,
    version: options.version,
    rater: options.rater ?? null,
    isReadOnly: isReadOnly ?? false,
    commandFolder: options.commandFolder,
    onError,
  });
  const answerRequest = async (request: Request): Promise<Response> => {
    const refusal = refusalOf(request, { token, port: options.port, allowedHosts: options.allowedHosts });
    if (refusal !== null) return Response.json({ message: refusal.message }, { status: refusal.status });
    const { pathname } = new URL(request.url);
    if (pathname === "/") return page.answer(request);
    await followConfig();
    return api.fetch(request);
  };
  return {
    token,
    async fetch(request) {
      const response = await answerRequest(request);
      for (const [name, value] of Object.entries(SAFE_HEADERS))
        if (!response.headers.has(name)) response.headers.set(name, value);
      return response;
    },
    async warmUp() {
      // What the page asks first, and what labelling needs, is read here.
      try {
        await project.refresh();
        await project.summaries();
      } catch (error) {
        return onError(error);
      }
      for (const collection of project.collections)
        try {
          await api.fetch(
            new Request(`http://localhost/api/c/${encodeURIComponent(collection.id)}/overview`),
          );
        } catch (error) {
          onError(error);
        }
    },
    async close() {
      await jobs.close();
      await Promise.all([threads.labelling, threads.reading, ...retired].map((thread) => thread.close()));
    },
  };
}

function hasDatasets({ datasets = {} }: Config): boolean {
  return Object.keys(datasets).length > 0;
}

/** Two threads, so that nobody who labels waits for a comparison. */
function threadsOf({ threadPlace }: Project): { readonly labelling: Thread; readonly reading: Thread } {
  return { labelling: new Thread(threadPlace), reading: new Thread(threadPlace) };
}
