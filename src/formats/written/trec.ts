import { linesOf, rowsOf, trecField, type WrittenFormatCard } from "./written-format.js";

export const trecFormat: WrittenFormatCard = {
  name: "trec",
  extensions: ["run", "trec", "txt", "qrels"],
  hasSubtopics: true,
  hasEmptyQueries: false,
  run(run, name) {
    for (const [query, { ids }] of run)
      for (const id of [trecField(query, "query id"), ...ids]) trecField(id, "item id");
    const tag = name.replace(/\s+/g, "_");
    return linesOf(rowsOf(run), ({ query, id, rank, score }) => `${query} Q0 ${id} ${rank} ${score} ${tag}`);
  },
  qrels: (judgments) =>
    linesOf(
      judgments,
      ({ query_id, doc_id, grade, subtopic = "0" }) =>
        `${trecField(query_id, "query id")} ${trecField(subtopic, "subtopic")} ` +
        `${trecField(doc_id, "item id")} ${grade}`,
    ),
};
