import { groupBy } from "../../foundation/columns/index.js";
import { queriesOf, wrap, type WrittenFormatCard } from "./written-format.js";

/** Elasticsearch's `_rank_eval`: a run is its response, judgments are its request. */
export const rankEvalFormat: WrittenFormatCard = {
  name: "rank_eval",
  extensions: [],
  hasSubtopics: false,
  hasEmptyQueries: true,
  run: (run) => wrap('{"details": {', details(queriesOf(run)), "\n}}\n"),
  qrels(judgments) {
    const requests = [...groupBy(judgments, ({ query_id }) => query_id)].map(([id, list]) => ({
      id,
      request: {},
      ratings: list.map(({ doc_id, grade }) => ({ _index: "", _id: doc_id, rating: grade })),
    }));
    const metric = { dcg: { k: 10, normalize: true } };
    return [`${JSON.stringify({ requests, metric }, null, 2)}\n`];
  },
};

function* details(queries: ReturnType<typeof queriesOf>): Iterable<string> {
  for (const [query, list] of queries) {
    const hits = list.map(([_id, _score]) => ({ hit: { _id, _score }, rating: null }));
    yield `${JSON.stringify(query)}: ${JSON.stringify({ hits })}`;
  }
}
