import { linesOf, rowsOf, type WrittenFormatCard } from "./written-format.js";

export const jsonlFormat: WrittenFormatCard = {
  name: "jsonl",
  extensions: ["jsonl", "ndjson"],
  hasSubtopics: true,
  hasEmptyQueries: false,
  run: (run) =>
    linesOf(rowsOf(run), ({ query, id, rank, score }) =>
      JSON.stringify({ query_id: query, doc_id: id, rank, score }),
    ),
  qrels: (judgments) =>
    linesOf(judgments, ({ query_id, doc_id, grade, subtopic }) =>
      JSON.stringify({ query_id, ...(subtopic !== undefined && { subtopic }), doc_id, grade }),
    ),
};
