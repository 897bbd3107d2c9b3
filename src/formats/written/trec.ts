import { linesOf, rowsOf, trecField, trecQuery, type WrittenFormatCard } from "./written-format.js";

export const trecFormat: WrittenFormatCard = {
  name: "trec",
  extensions: ["run", "trec", "txt", "qrels"],
  hasSubtopics: true,
  hasEmptyQueries: false,
  run(run, name) {
    for (const [query, { ids }] of run) for (const id of [trecQuery(query), ...ids]) trecField(id, "item id");
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    const tag = name.replace(/[\s\u0000-\u001f]+/g, "_") || "_";
    return linesOf(rowsOf(run), ({ query, id, rank, score }) => `${query} Q0 ${id} ${rank} ${score} ${tag}`);
  },
  qrels: (judgments) =>
    linesOf(
      judgments,
      ({ query_id, doc_id, grade, subtopic = "0" }) =>
        `${trecQuery(query_id)} ${trecField(subtopic, "subtopic")} ` +
        `${trecField(doc_id, "item id")} ${grade}`,
    ),
};
