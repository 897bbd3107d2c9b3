import { groupBy } from "../../foundation/columns/index.js";
import type { Assessment } from "../../records/index.js";
import { queryGroups, type AssessedQuery, type LabelStore } from "./label-store.js";

/**
 * What a store has of queries, one after the other. Some hundred are looked up at once: neither is each a
 * look of its own, which takes a lock of the file, nor is all in memory.
 *
 * @param asked anything of a tenant's normalized query; what is of one query comes together.
 * @param rater by `raterId`, where one alone counts.
 */
export async function* findByQuery<Asked extends AssessedQuery>(
  store: Pick<LabelStore, "find">,
  asked: Iterable<Asked>,
  rater?: string,
): AsyncGenerator<{ readonly asked: readonly Asked[]; readonly said: readonly Assessment[] }> {
  for (const [tenant, ofTenant] of groupBy(asked, (each) => each.tenant)) {
    const byQuery = groupBy(ofTenant, ({ query }) => query);
    for (const queries of queryGroups([...byQuery.keys()])) {
      const said = groupBy(await store.find({ tenant, rater, queries }), ({ query }) => query);
      for (const query of queries) yield { asked: byQuery.get(query) ?? [], said: said.get(query) ?? [] };
    }
  }
}
