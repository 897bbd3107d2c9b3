import { Hono, type Context } from "hono";
import { InputError, isRankproofError, messageOf, shown } from "../foundation/errors/index.js";
import type { WorkbenchHistory, WorkbenchSession } from "../records/index.js";
import {
  compareAnswer,
  NotThere,
  overviewOf,
  queriesAnswer,
  queryAnswer,
  type Collection,
} from "../workbench/index.js";
import { batchJob } from "./batch-job.js";
import { DatasetCollection } from "./collections/dataset-collection.js";
import { beginExample } from "./example.js";
import { MOST_BODY_BYTES, TOO_LARGE } from "./guard.js";
import type { Jobs } from "./jobs.js";
import type { Project } from "./project.js";
import { buildsReport, trustReport, tuningReport } from "./reports.js";

/** What the answers depend on besides the project. */
export interface RoutesOptions {
  readonly project: () => Project;
  /** Reads the project again; left out where it cannot change. */
  readonly reopen: (() => Promise<void>) | undefined;
  readonly jobs: Jobs;
  readonly version: string;
  readonly rater: string | null;
  readonly isReadOnly: boolean;
  /** Called with what is no fault of the request. */
  readonly onError: (error: unknown) => void;
}

/** Something that is not there, or may not be done. */
class Refused extends Error {
  readonly status: 403 | 404 | 413;

  constructor(status: Refused["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON interface of the page; whoever gets here has shown the token. */
export function apiRoutes(options: RoutesOptions): Hono {
  const { jobs, version, rater, isReadOnly, onError } = options;
  const api = new Hono();

  const collectionOf = (context: Context): Collection => {
    const id = context.req.param("collection") ?? "";
    const found = options.project().collection(id);
    if (found === undefined) throw new Refused(404, `there is no dataset ${shown(id)} here`);
    return found;
  };
  const datasetOf = (context: Context): DatasetCollection => {
    const found = collectionOf(context);
    if (found instanceof DatasetCollection) return found;
    throw new Refused(404, `${shown(found.id)} is a golden set, which has no labels`);
  };
  const labellingOf = (context: Context): NonNullable<ReturnType<Project["labelling"]>> => {
    const found = options.project().labelling(datasetOf(context).id);
    if (found === undefined) throw new Refused(404, "there is nothing to label here");
    return found;
  };
  const checkWritable = (): void => {
    if (isReadOnly) throw new Refused(403, "the workbench was started read-only");
  };

  api.get("/api/session", async (context) => {
    const project = options.project();
    const { collections, problems } = await project.summaries();
    return context.json<WorkbenchSession>({
      version,
      project: project.id,
      rater,
      is_read_only: isReadOnly,
      shows_images: project.places.showsImages,
      raters: await project.raters(),
      collections,
      problems,
    });
  });

  api.get("/api/c/:collection/overview", async (context) => {
    const collection = collectionOf(context);
    return context.json(await overviewOf(collection, jobs.of(collection.id)));
  });

  api.get("/api/c/:collection/queries", async (context) =>
    context.json(await queriesAnswer(collectionOf(context), context.req.query())),
  );

  api.get("/api/c/:collection/query", async (context) => {
    const { id = "", ...runs } = context.req.query();
    return context.json(await queryAnswer(collectionOf(context), id, runs));
  });

  api.get("/api/c/:collection/batches", async (context) => {
    const collection = collectionOf(context);
    return context.json<WorkbenchHistory>({
      batches: await collection.batches(),
      jobs: jobs.of(collection.id),
    });
  });

  api.get("/api/c/:collection/compare", async (context) => {
    const { a, b } = context.req.query();
    return context.json(await compareAnswer(collectionOf(context), { a, b }));
  });

  api.get("/api/c/:collection/trust", async (context) =>
    context.json(await trustReport(datasetOf(context), options.project().places)),
  );

  api.get("/api/c/:collection/builds", async (context) =>
    context.json(await buildsReport(datasetOf(context), options.project().places)),
  );

  api.get("/api/c/:collection/tune", (context) =>
    context.json(tuningReport(datasetOf(context).id, options.project().places)),
  );

  api.get("/api/c/:collection/label", async (context) => {
    const { rater: name = "", query } = context.req.query();
    return context.json(await labellingOf(context).queue(name, query ?? null));
  });

  api.get("/api/c/:collection/pair", async (context) => {
    const { query = "", item = "" } = context.req.query();
    const pair = await labellingOf(context).pair(query, item);
    if (pair === undefined) throw new Refused(404, "this pair is no longer among those that came back");
    return context.json(pair);
  });

  api.post("/api/c/:collection/marks", async (context) => {
    checkWritable();
    const labelling = labellingOf(context);
    const { rater: name, marks } = await bodyOf(context);
    return context.json({ stored: await labelling.store(typeof name === "string" ? name : "", marks) });
  });

  api.post("/api/c/:collection/batch", async (context) => {
    checkWritable();
    const collection = datasetOf(context);
    const { annotate, resume } = await bodyOf(context);
    const isBegun = jobs.of(collection.id).some(({ result }) => result !== null && result === resume);
    const isKnown = isBegun || (typeof resume === "string" && (await collection.hasRun(resume)));
    if (resume !== undefined && !isKnown)
      throw new Refused(404, "there is no batch of this id to go on with");
    const settings = { annotate: annotate === true, resume: typeof resume === "string" ? resume : null };
    return context.json(
      jobs.start("batch", collection.id, batchJob(collection, options.project().places, settings)),
    );
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

  api.get("/api/c/:collection/jobs", (context) => {
    const { id } = collectionOf(context);
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
    if (error instanceof NotThere) return context.json({ message: error.message }, 404);
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

/**
 * The object that a request brings.
 *
 * @throws InputError `ARGUMENT` for what is none.
 */
async function bodyOf(context: Context): Promise<Record<string, unknown>> {
  const text = await textOf(context.req.raw);
  let value: unknown;
  try {
    value = JSON.parse(text);
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
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MOST_BODY_BYTES) throw new Refused(413, TOO_LARGE.message);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
