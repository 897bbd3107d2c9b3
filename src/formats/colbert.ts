import { quote, type Problem } from "../foundation/errors/index.js";
import type { ReadFormatCard } from "./read-format.js";
import { RowCollector } from "./rows.js";

const LINE = /^[ \t]*(\S+)[ \t]+(\S+)[ \t]+([1-9]\d{0,8})[ \t]+(\S+)[ \t\r]*$/;
/** Grades are whole numbers, mostly. */
const SCORE = /^[+-]?(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE]-\d+)$/;
/** What judgments have in their second column, whose third may be an item called 1. */
const ITERATION = /^q?0$/i;

/** ColBERT's rankings: query, item, rank and score a line, the ranks of a query rising from 1. */
export const colbertRankings = {
  name: "colbert",
  role: "run",
  fits: (line) => {
    const [, , item = "", rank, score = ""] = LINE.exec(line) ?? [];
    return rank === "1" && SCORE.test(score) && !ITERATION.test(item);
  },
  read: (text, file) => {
    const problems: Problem[] = [];
    const collector = new RowCollector("run", problems);
    for (const [index, line] of text.split("\n").entries()) {
      const isComment = collector.hits.length === 0 && line.trimStart().startsWith("#");
      if (line.trim() === "" || isComment) continue;
      const [, query_id, doc_id, rank, score] = LINE.exec(line) ?? [];
      const place = { where: `${file}:${index + 1}`, line: index + 1 };
      if (query_id === undefined)
        problems.push({
          code: "RUN_SYNTAX",
          ...place,
          message:
            "a line must be a query, an item, a rank and a score, as the first one is, got " + quote(line),
        });
      else {
        const values = new Map(Object.entries({ query_id, doc_id, rank, score }));
        collector.add({ values, place: () => place });
      }
    }
    return collector.check();
  },
} as const satisfies ReadFormatCard;
