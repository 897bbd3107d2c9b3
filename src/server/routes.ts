import { Hono, type Context } from "hono";
import { InputError, isRankproofError, messageOf } from "../foundation/errors/index.js";
import { parseJson } from "../foundation/text/index.js";
import type { WorkbenchSession } from "../records/index.js";
import { batchJob } from "./batch-job.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import { beginExample } from "./example.js";
import { MOST_BODY_BYTES, TOO_LARGE } from "./guard.js";
import type { Jobs } from "./jobs.js";
import { KeptOverviews } from "./kept-overviews.js";
import { planOf, startOf, checkWork } from "./long-work.js";
import type { Project } from "./project.js";
import { answerTo, collectionIn, datasetOf, labellingIn, QUESTIONS, type Question } from "./readings.js";
import { Refused } from "./refused.js";

/** What the answers depend on besides the project. */
export interface RoutesOptions {
  readonly project: () => Project;
  /** Answers the questions of screens with JSON; by default here, while everything else waits. */
  readonly answer?: ((question: Question, signal?: AbortSignal) => Promise<string>) | undefined;
  /** Reads the project again; left out where it cannot change. */
  readonly reopen: (() => Promise<void>) | undefined;
  /** What keeps the configuration from being read as it is now; null for nothing. */
  readonly configProblem: () => Error | null;
  readonly jobs: Jobs;
  readonly version: string;
  readonly rater: string | null;
  readonly isReadOnly: boolean;
  /** Where commands of the configuration may be run; undefined where they may not. */
  readonly commandFolder: string | undefined;
  /** Called with what is no fault of the request. */
  readonly onError: (error: unknown) => void;
}

/** The JSON interface of the page; whoever gets here has shown the token. */
export function apiRoutes(options: RoutesOptions): Hono {
  const { jobs, version, rater, isReadOnly, commandFolder, onError } = options;
  const api = new Hono();

  const {
    answer = async (question, signal) => JSON.stringify(await answerTo(options.project(), question, signal)),
  } = options;
  const overviews = new KeptOverviews(version, !isReadOnly);
  const idOf = (context: Context): string => context.req.param("collection") ?? "";
  const datasetAt = (context: Context): DatasetCollection =>
    datasetOf(collectionIn(options.project(), idOf(context)));
  const checkWritable = (): void => {
    if (isReadOnly) throw new Refused(403, "the workbench was started read-only");
  };
  /** Before a search is asked, or work begun: by a configuration that is gone, another search is measured. */
  const checkBeginning = (): void => {
    checkWritable();
    const problem = options.configProblem();
    if (problem !== null) throw problem;
  };

  api.use(async (_, next) => {
    await options.project().refresh();
    await next();
  });

  api.get("/api/session", async (context) => {
    const project = options.project();
    const { collections, problems } = await project.summaries();
    const session: WorkbenchSession = {
      version,
      project: project.id,
      rater,
      is_read_only: isReadOnly,
      may_run_commands: !isReadOnly && commandFolder !== undefined,
      shows_images: project.places.showsImages,
      raters: await project.raters(),
      collections,
      problems: [...problems, ...listOfConfig(options.configProblem())],
    };
    // The first screen comes along where it is known, so that the page need not ask twice.
    const asked = context.req.query("overview");
    const { id } = collections.find((each) => each.id === asked) ?? collections[0] ?? {};
    const first = asked === undefined || id === undefined ? undefined : project.collection(id);
    const overview = first && overviews.latest(first, project.places.config);
    const more = overview === undefined ? "" : `"overview":${withJobs(overview, first?.id ?? "")},`;
    return json(context, `{${more}${JSON.stringify(session).slice(1)}`);
  });

  /** What runs is known here, and not where the answer is made. */
  const withJobs = (text: string, collection: string): string =>
    `{"jobs":${JSON.stringify(jobs.of(collection))},${text.slice(1)}`;
  const json = (context: Context, text: string): Response =>
    context.body(text, 200, { "content-type": "application/json" });

  for (const what of QUESTIONS.filter((each) => each !== "overview"))
    api.get(`/api/c/:collection/${what}`, async (context) => {
      const collection = idOf(context);
      const text = await answer({ what, collection, search: context.req.query() });
      return json(context, what === "batches" ? withJobs(text, collection) : text);
    });

  api.get("/api/c/:collection/overview", async (context) => {
    const project = options.project();
    const { config } = project.places;
    const collection = collectionIn(project, idOf(context));
    const { id } = collection;
    // The page would rather see what was true a moment ago, and asks again.
    const latest = context.req.query("soon") === "1" ? overviews.latest(collection, config) : undefined;
    if (latest !== undefined) return json(context, withJobs(latest, id));
    const stamp = overviews.stampOf(collection, config);
    const text = await answer({ what: "overview", collection: id, search: {} });
    overviews.keep(collection, config, { stamp, text });
    return json(context, withJobs(`{"is_outdated":false,${text.slice(1)}`, id));
  });

  api.post("/api/c/:collection/marks", async (context) => {
    checkWritable();
    const labelling = labellingIn(options.project(), collectionIn(options.project(), idOf(context)));
    const { rater: name, marks, is_adjudicated } = await bodyOf(context);
    const person = typeof name === "string" ? name : "";
    return context.json({ stored: await labelling.store(person, marks, is_adjudicated === true) });
  });

  api.post("/api/c/:collection/batch", async (context) => {
    checkBeginning();
    const collection = datasetAt(context);
    const { annotate, resume } = await bodyOf(context);
    const isBegun = jobs.of(collection.id).some(({ result }) => result !== null && result === resume);
    const isKnown = isBegun || (typeof resume === "string" && (await collection.recorded.has(resume)));
    if (resume !== undefined && !isKnown)
      throw new Refused(404, "there is no batch of this id to go on with");
    const settings = { annotate: annotate === true, resume: typeof resume === "string" ? resume : null };
    const work = batchJob(collection, options.project().places, settings);
    return context.json(jobs.start({ kind: "batch", unit: "query", collection: collection.id, work }));
  });

  api.post("/api/c/:collection/live", async (context) => {
    // It stores nothing, and yet it asks a search that others use, too.
    checkBeginning();
    const { id } = await bodyOf(context);
    const search = { id: typeof id === "string" ? id : "" };
    const text = await answer({ what: "live", collection: idOf(context), search }, context.req.raw.signal);
    return json(context, text);
  });

  api.post("/api/c/:collection/work", async (context) => {
    checkBeginning();
    const collection = datasetAt(context);
    const body = await bodyOf(context);
    const work = checkWork(body, await fusable(collection, body));
    return context.json(jobs.start(startOf(work, collection, options.project().threadPlace, commandFolder)));
  });

  api.post("/api/c/:collection/plan", async (context) => {
    checkBeginning();
    const collection = datasetAt(context);
    const body = await bodyOf(context);
    const work =
      body["kind"] === "batch"
        ? ({ kind: "batch" } as const)
        : checkWork(body, await fusable(collection, body));
    return context.json(await planOf(work, collection, options.project().places, commandFolder));
  });

  api.post("/api/example", async (context) => {
    checkWritable();
    await bodyOf(context);
    if (options.reopen === undefined || [...options.project().collections].length > 0)
      throw new Refused(403, "the example is for a folder without a project");
    beginExample();
    await options.reopen();
    return context.json({});
  });

  api.post("/api/jobs/:job/stop", async (context) => {
    checkWritable();
    await bodyOf(context);
    if (!jobs.stop(context.req.param("job"))) throw new Refused(404, "there is no such work");
    return context.json({});
  });

  api.post("/api/jobs/:job/resume", async (context) => {
    checkBeginning();
    await bodyOf(context);
    const job = jobs.resume(context.req.param("job"));
    if (job === undefined) throw new Refused(404, "there is no such work to go on with");
    return context.json(job);
  });

  api.get("/api/c/:collection/jobs", (context) => {
    const { id } = collectionIn(options.project(), idOf(context));
    const closed = new AbortController();
    const lines = jobs.watch(id, closed.signal);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      cancel: () => closed.abort(),
    });
    return context.body(body, 200, { "content-type": "application/x-ndjson" });
  });

  api.notFound((context) => context.json({ message: "there is nothing of that name" }, 404));

  api.onError((error, context) => {
    // Nobody reads it.
    if (context.req.raw.signal.aborted) return context.json({ message: "the request was given up" }, 400);
    if (error instanceof Refused) return context.json({ message: error.message }, error.status);
    if (isRankproofError(error))
      return context.json(
        { code: error.code, message: error.message },
        error.name === "AdapterError" ? 503 : 400,
      );
    onError(error);
    return context.json({ message: "an internal error; the terminal says more" }, 500);
  });

  return api;
}

/** The batches that can be fused, where fusing is asked for. */
async function fusable(
  { recorded }: DatasetCollection,
  { kind }: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  return kind === "fusion" ? recorded.listStoredIds() : [];
}

function listOfConfig(problem: Error | null): string[] {
  return problem === null ? [] : [`${problem.message}; what is shown is by the configuration from before`];
}

/**
 * The object that a request brings.
 *
 * @throws InputError `ARGUMENT` for what is none.
 */
async function bodyOf(context: Context): Promise<Record<string, unknown>> {
  const text = await textOf(context.req.raw);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new InputError("ARGUMENT", `the body is not JSON: ${messageOf(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InputError("ARGUMENT", "the body must be an object");
  return value as Record<string, unknown>;
}

/** A body may be longer than it says. */
async function textOf({ body }: Request): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: false });
  let text = "";
  let length = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > MOST_BODY_BYTES) throw new Refused(413, TOO_LARGE.message);
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw error instanceof Refused ? error : new InputError("ARGUMENT", "the body broke off");
  }
  return text + decoder.decode();
}
