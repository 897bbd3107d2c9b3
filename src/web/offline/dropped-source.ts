import {
  compareAnswer,
  overviewOf,
  queriesAnswer,
  queryAnswer,
  type Collection,
} from "../../workbench/index.js";
import { SourceError, type DataSource } from "../data-source.js";
import type { DroppedFiles } from "./dropped-files.js";
import { withoutServer } from "./refused.js";

/** Files that somebody gave to the page: everything is computed here, and nothing leaves the browser. */
export function droppedSource(files: DroppedFiles): DataSource {
  const collectionOf = (id: string): Collection => {
    const found = files.collections.find((each) => each.id === id);
    if (found === undefined) throw new SourceError(404, `There is no ${id} among the files.`);
    return found;
  };
  const noLabels = async (): Promise<never> => {
    throw new SourceError(404, "Golden sets and judgments of files are not labelled here.");
  };
  return {
    ...withoutServer,
    local: {
      open: (given) => files.open(given),
      get opened() {
        return files.opened;
      },
      labelFile: () => "",
      queryOf: () => null,
      idOf: () => null,
    },
    session: async () => ({
      version: "",
      project: "",
      rater: null,
      is_read_only: true,
      may_run_commands: false,
      shows_images: false,
      raters: [],
      collections: await Promise.all(files.collections.map((each) => each.summary())),
      problems: [],
    }),
    overview: async (id) => ({ ...(await overviewOf(collectionOf(id))), is_outdated: false, jobs: [] }),
    queries: async (id, runs) => queriesAnswer(collectionOf(id), runs),
    query: async (id, query, runs) => queryAnswer(collectionOf(id), query, runs),
    history: async (id) => ({ batches: await collectionOf(id).batches(), jobs: [] }),
    compare: async (id, a, b) => compareAnswer(collectionOf(id), { a, b }),
    report: noLabels,
    queue: noLabels,
    pair: noLabels,
  };
}
