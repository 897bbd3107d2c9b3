import { checkWorkbenchOptions } from "./check-options.js";
import { CurrentProject, type ProjectSource } from "./current-project.js";
import { newToken, refusalOf, SAFE_HEADERS } from "./guard.js";
import { Jobs } from "./jobs.js";
import { servePage } from "./page.js";
import { apiRoutes } from "./routes.js";

/** What the workbench is about, and what it may do. */
export interface WorkbenchOptions extends ProjectSource {
  readonly version: string;
  /** Who labels; the page asks otherwise. */
  readonly rater?: string | undefined;
  /**
   * The folder of the configuration, where the page may run the commands that stand in it, such as the
   * restart of a search that is tuned. Left out, it runs none.
   */
  readonly commandFolder?: string | undefined;
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
  /** Stops what runs, and waits until it has let go. From then on requests are answered with status 503. */
  close(): Promise<void>;
}

/**
 * Makes the workbench of a project.
 *
 * @throws InputError `ARGUMENT` for options that are not possible.
 */
export function workbench(given: WorkbenchOptions): Workbench {
  const checked = checkWorkbenchOptions(given);
  // Where others may ask, nobody writes by an oversight.
  const { isReadOnly = (checked.allowedHosts ?? []).length > 0 } = checked;
  const options = { ...checked, isReadOnly };
  const { showsImages = false, onError = () => undefined } = options;
  const jobs = new Jobs();
  // What was stopped would go on by the configuration from before.
  const current = new CurrentProject(options, () => jobs.letGo());
  const page = servePage(showsImages);
  const token = newToken();
  const api = apiRoutes({
    project: () => current.project,
    answer: options.isThreaded === true ? (question, signal) => current.ask(question, signal) : undefined,
    reopen: options.reread && (() => current.reopen()),
    configProblem: () => current.problem,
    jobs,
    version: options.version,
    rater: options.rater ?? null,
    isReadOnly,
    commandFolder: options.commandFolder,
    onError,
  });
  let isClosed = false;
  const answerRequest = async (request: Request): Promise<Response> => {
    if (isClosed) return Response.json({ message: "the workbench was closed" }, { status: 503 });
    const refusal = refusalOf(request, { token, port: options.port, allowedHosts: options.allowedHosts });
    if (refusal !== null) return Response.json({ message: refusal.message }, { status: refusal.status });
    const { pathname } = new URL(request.url);
    if (pathname === "/") return page.answer(request);
    await current.follow();
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
        await current.project.refresh();
        await current.project.summaries();
      } catch (error) {
        return onError(error);
      }
      for (const collection of current.project.collections)
        try {
          await api.fetch(
            new Request(`http://localhost/api/c/${encodeURIComponent(collection.id)}/overview`),
          );
        } catch (error) {
          onError(error);
        }
    },
    async close() {
      isClosed = true;
      await jobs.close();
      await current.close();
    },
  };
}
