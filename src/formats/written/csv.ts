import type { Qrel, ScoredRun } from "../../records/index.js";
import { csvField } from "../../foundation/text/index.js";
import { linesOf, rowsOf, textField, type WrittenFormatCard } from "./written-format.js";

function* tableOf(
  header: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  separator: "," | "\t",
): Iterable<string> {
  const line = (row: readonly (string | number)[]): string =>
    row.map((value) => csvField(value, separator)).join(separator);
  yield* linesOf([header], line);
  yield* linesOf(rows, line);
}

/** All ids of a run, before anything of it is written. */
function checkRunIds(run: ScoredRun): ScoredRun {
  for (const [query, { ids }] of run) {
    textField(query, "query id");
    for (const id of ids) textField(id, "item id");
  }
  return run;
}

function checkQrelIds(judgments: readonly Qrel[]): readonly Qrel[] {
  for (const { query_id, doc_id, subtopic = "" } of judgments) {
    textField(query_id, "query id");
    textField(doc_id, "item id");
    textField(subtopic, "subtopic");
  }
  return judgments;
}

function* runRows(run: ScoredRun): Iterable<readonly (string | number)[]> {
  for (const { query, id, rank, score } of rowsOf(run)) yield [query, id, rank, score];
}

const RUN_HEADER = ["query_id", "doc_id", "rank", "score"];

export const csvFormat: WrittenFormatCard = {
  name: "csv",
  extensions: ["csv"],
  hasSubtopics: true,
  hasEmptyQueries: false,
  run: (run) => tableOf(RUN_HEADER, runRows(checkRunIds(run)), ","),
  qrels(judgments) {
    const hasSubtopics = judgments.some(({ subtopic }) => subtopic !== undefined);
    return tableOf(
      ["query_id", ...(hasSubtopics ? ["subtopic"] : []), "doc_id", "grade"],
      checkQrelIds(judgments).map(({ query_id, doc_id, grade, subtopic = "" }) => [
        query_id,
        ...(hasSubtopics ? [subtopic] : []),
        doc_id,
        grade,
      ]),
      ",",
    );
  },
};

/** Judgments are written in BEIR's form. */
export const tsvFormat: WrittenFormatCard = {
  name: "tsv",
  extensions: ["tsv"],
  hasSubtopics: false,
  hasEmptyQueries: false,
  run: (run) => tableOf(RUN_HEADER, runRows(checkRunIds(run)), "\t"),
  qrels: (judgments) =>
    tableOf(
      ["query-id", "corpus-id", "score"],
      checkQrelIds(judgments).map(({ query_id, doc_id, grade }) => [query_id, doc_id, grade]),
      "\t",
    ),
};
