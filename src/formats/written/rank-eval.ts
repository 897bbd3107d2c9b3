import { groupedBy } from "../../foundation/columns/index.js";
import { queriesOf, wrapped, type WrittenFormatCard } from "./written-format.js";

/** Elasticsearch's `_rank_eval`: a run is its response, judgments are its request. */
export const rankEvalFormat: WrittenFormatCard = {
  name: "rank_eval",
  extensions: [],
  hasSubtopics: false,
  run: (run) => wrapped('{"details": {', details(queriesOf(run)), "\n}}\n"),
  qrels(judgments) {
    const requests = [...groupedBy(judgments, ({ query_id }) => query_id)].map(([id, list]) => ({
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
