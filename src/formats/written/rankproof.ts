import { groupBy } from "../../foundation/columns/index.js";
import { linesOf, queriesOf, type WrittenFormatCard } from "./written-format.js";

/** This project's own: recorded runs, and golden sets in JSONL. */
export const rankproofFormat: WrittenFormatCard = {
  name: "rankproof",
  extensions: [],
  hasSubtopics: false,
  hasEmptyQueries: true,
  run: (run, _name, docs) =>
    linesOf(queriesOf(run), ([query_id, hits]) =>
      JSON.stringify({
        query_id,
        hits_top_k: hits.map(([id, score], index) => ({
          rank: index + 1,
          chunk_id: id,
          doc_id: docs?.get(id) ?? id,
          score,
        })),
      }),
    ),
  qrels: (judgments, { texts }) =>
    linesOf(
      groupBy(judgments, ({ query_id }) => query_id),
      ([id, list]) =>
        JSON.stringify({
          id,
          query: texts.get(id) ?? id,
          judgments: list.map(({ doc_id, grade }) => ({ doc_id, grade })),
        }),
    ),
};
