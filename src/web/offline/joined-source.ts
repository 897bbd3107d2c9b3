import type { DataSource } from "../data-source.js";
import { withoutServer } from "./refused.js";

/** What stands in the page, and what was dropped into it, side by side. */
export function joinedSource(embedded: DataSource, dropped: DataSource): DataSource {
  const of = async (id: string): Promise<DataSource> => {
    const { collections } = await dropped.session();
    return collections.some((each) => each.id === id) ? dropped : embedded;
  };
  return {
    ...withoutServer,
    local: {
      open: async (files) => dropped.local?.open(files),
      get opened() {
        return dropped.local?.opened ?? [];
      },
      labelFile: (entries) => embedded.local?.labelFile(entries) ?? "",
      queryOf: (id, query) => embedded.local?.queryOf(id, query) ?? null,
      idOf: (id, words, preferred) => embedded.local?.idOf(id, words, preferred) ?? null,
    },
    async session() {
      const [own, given] = await Promise.all([embedded.session(), dropped.session()]);
      // Who drops a file wants to see it.
      return { ...own, collections: [...given.collections, ...own.collections] };
    },
    overview: async (id) => (await of(id)).overview(id),
    queries: async (id, runs) => (await of(id)).queries(id, runs),
    query: async (id, query, runs) => (await of(id)).query(id, query, runs),
    history: async (id) => (await of(id)).history(id),
    compare: async (id, a, b) => (await of(id)).compare(id, a, b),
    report: async (id, name) => (await of(id)).report(id, name),
    queue: async (id, rater, query) => (await of(id)).queue(id, rater, query),
    pair: async (id, query, item) => (await of(id)).pair(id, query, item),
  };
}
