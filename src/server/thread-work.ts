/**
 * What the workbench does in threads of their own, so that labelling never waits for it: reading and
 * comparing for the screens, and searches for the best fusion. A program for `new Worker`.
 */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { isRankproofError, messageOf } from "../foundation/errors/index.js";
import { fuseInThread } from "./fusion-search.js";
import { Project, type ThreadPlace } from "./project.js";
import { answerTo } from "./readings.js";
import { Refused } from "./refused.js";
import type { ThreadAnswer, ThreadProgress, ThreadTask } from "./thread.js";

type Work = Exclude<ThreadTask["task"], { readonly kind: "cancel" }>;

/** Answers what comes through the port, until the thread is ended. */
function serve(port: MessagePort, { places, golden }: ThreadPlace): void {
  const project = new Project(places, golden);
  /** What is under way, by its id. */
  const asked = new Map<number, AbortController>();
  port.on("message", ({ id, task }: ThreadTask) => {
    if (task.kind === "cancel") return asked.get(id)?.abort(new Error("nobody waits for it"));
    const stop = new AbortController();
    asked.set(id, stop);
    const onProgress = (progress: ThreadProgress): void => port.postMessage({ id, progress });
    void work(project, task, onProgress, stop.signal).then((answer) => {
      asked.delete(id);
      port.postMessage({ id, ...answer } satisfies ThreadAnswer);
    });
  });
}

async function work(
  project: Project,
  task: Work,
  onProgress: (progress: ThreadProgress) => void,
  signal: AbortSignal,
): Promise<Omit<ThreadAnswer, "id">> {
  try {
    await project.refresh();
    const answer =
      task.kind === "answer"
        ? await answerTo(project, task.question, signal)
        : await fuseInThread(project, task.search, (what, done, total) => onProgress({ what, done, total }));
    // A text is passed on as it is; objects would be copied one by one in the thread that waits for nothing.
    return { text: JSON.stringify(answer) };
  } catch (error) {
    return {
      failed: {
        message: messageOf(error),
        ...(error instanceof Refused && { status: error.status }),
        ...(isRankproofError(error) && { code: error.code, isOutside: error.name === "AdapterError" }),
        stack: error instanceof Error ? error.stack : undefined,
      },
    };
  }
}

// Where files are bundled, others may load this one for what stands beside it.
const place = workerData as Partial<ThreadPlace> | null;
if (parentPort !== null && place?.places !== undefined) serve(parentPort, place as ThreadPlace);
