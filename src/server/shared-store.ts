import { openStore } from "../node/index.js";
import type { EvalStore } from "../storage/index.js";

/** Does some work with a store of runs. */
export type InStore = <T>(work: (store: EvalStore) => Promise<T>) => Promise<T>;

/** The store of a path, open while any work goes on in it: to open one may be to read all of its file. */
export function sharedStore(path: string): InStore {
  let opened: Promise<EvalStore> | undefined;
  let works = 0;
  return async (work) => {
    works++;
    try {
      opened ??= openStore(path, { create: true });
      return await work(await opened);
    } finally {
      works--;
      const last = opened;
      if (works === 0) {
        opened = undefined;
        await (await last)?.close();
      }
    }
  };
}
