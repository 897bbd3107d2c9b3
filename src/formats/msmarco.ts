import { quote, type Problem } from "../foundation/errors/index.js";
import type { ReadFormatCard } from "./read-format.js";
import { RowCollector } from "./rows.js";

const LINE = /^[ \t]*(\S+)[ \t]+(\S+)[ \t]+([1-9]\d{0,8})[ \t\r]*$/;

/** MS MARCO's runs have no scores: query, item and rank a line, the ranks of a query rising from 1. */
export const msmarcoRuns = {
  name: "msmarco",
  role: "run",
  fits: (line) => LINE.exec(line)?.[3] === "1",
  read: (text, file) => {
    const problems: Problem[] = [];
    const collector = new RowCollector("run", problems);
    const lastRanks = new Map<string, number>();
    for (const [index, line] of text.split("\n").entries()) {
      const isComment = lastRanks.size === 0 && line.trimStart().startsWith("#");
      if (line.trim() === "" || isComment) continue;
      const [, query_id, doc_id, digits] = LINE.exec(line) ?? [];
      const fail = (message: string): void =>
        void problems.push({ code: "RUN_SYNTAX", where: `${file}:${index + 1}`, line: index + 1, message });
      if (query_id === undefined || doc_id === undefined) {
        fail(`a line must be a query, an item and a rank, as the first one is, got ${quote(line)}`);
        continue;
      }
      const [rank, last] = [Number(digits), lastRanks.get(query_id) ?? 0];
      // Scores in place of ranks would turn the order around.
      if (last === 0 ? rank !== 1 : rank <= last)
        fail(
          `query ${quote(query_id)}: rank ${rank} comes after ${last === 0 ? "none" : `rank ${last}`}; ` +
            "ranks rise from 1, and lines with scores are `query Q0 item rank score tag`",
        );
      lastRanks.set(query_id, rank);
      collector.hits.push({ query_id, doc_id, score: -rank });
    }
    return collector.check();
  },
} as const satisfies ReadFormatCard;
