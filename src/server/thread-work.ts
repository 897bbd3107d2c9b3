/**
 * What the workbench does in threads of their own, so that labelling never waits for it: reading and
 * comparing for the screens, and searches for the best fusion. A program for `new Worker`.
 */
import { parentPort, workerData } from "node:worker_threads";
import { isRankproofError, messageOf } from "../foundation/errors/index.js";
import { fuseInThread } from "./fusion-search.js";
import { Project, type ThreadPlace } from "./project.js";
import { answerTo } from "./readings.js";
import { Refused } from "./refused.js";
import type { ThreadAnswer, ThreadTask } from "./thread.js";

type Work = Exclude<ThreadTask["task"], { readonly kind: "cancel" }>;

const { places, golden } = workerData as ThreadPlace;
const project = new Project(places, golden);

/** What is under way, by its id. */
const asked = new Map<number, AbortController>();

const work = async (
  { id, task }: { readonly id: number; readonly task: Work },
  signal: AbortSignal,
): Promise<ThreadAnswer> => {
  try {
    await project.refresh();
    const answer =
      task.kind === "answer"
        ? await answerTo(project, task.question, signal)
        : await fuseInThread(project, task.search, (what, done, total) =>
            parentPort?.postMessage({ id, progress: { what, done, total } }),
          );
    // A text is passed on as it is; objects would be copied one by one in the thread that waits for nothing.
    return { id, text: JSON.stringify(answer) };
  } catch (error) {
    return {
      id,
      failed: {
        message: messageOf(error),
        ...(error instanceof Refused && { status: error.status }),
        ...(isRankproofError(error) && { code: error.code, isOutside: error.name === "AdapterError" }),
        stack: error instanceof Error ? error.stack : undefined,
      },
    };
  }
};

parentPort?.on("message", ({ id, task }: ThreadTask) => {
  if (task.kind === "cancel") return asked.get(id)?.abort(new Error("nobody waits for it"));
  const stop = new AbortController();
  asked.set(id, stop);
  void work({ id, task }, stop.signal).then((answer) => {
    asked.delete(id);
    parentPort?.postMessage(answer);
  });
});
