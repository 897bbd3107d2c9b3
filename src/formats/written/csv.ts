import type { ScoredRun } from "../../records/index.js";
import { csvField } from "../../foundation/text/index.js";
import { linesOf, rowsOf, type WrittenFormatCard } from "./written-format.js";

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

function* runRows(run: ScoredRun): Iterable<readonly (string | number)[]> {
  for (const { query, id, rank, score } of rowsOf(run)) yield [query, id, rank, score];
}

const RUN_HEADER = ["query_id", "doc_id", "rank", "score"];

export const csvFormat: WrittenFormatCard = {
  name: "csv",
  extensions: ["csv"],
  hasSubtopics: true,
  hasEmptyQueries: false,
  run: (run) => tableOf(RUN_HEADER, runRows(run), ","),
  qrels(judgments) {
    const hasSubtopics = judgments.some(({ subtopic }) => subtopic !== undefined);
    return tableOf(
      ["query_id", ...(hasSubtopics ? ["subtopic"] : []), "doc_id", "grade"],
      judgments.map(({ query_id, doc_id, grade, subtopic = "" }) => [
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
  run: (run) => tableOf(RUN_HEADER, runRows(run), "\t"),
  qrels: (judgments) =>
    tableOf(
      ["query-id", "corpus-id", "score"],
      judgments.map(({ query_id, doc_id, grade }) => [query_id, doc_id, grade]),
      "\t",
    ),
};
