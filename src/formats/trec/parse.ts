import { problemsError, quote, type Problem } from "../../foundation/errors/index.js";
import { prepareQrels, type GivenWarning, type Qrel, type Qrels } from "../../records/index.js";
import { type RunReadOptions, scoredRunOf, type ScoredRun } from "../../records/index.js";
import type { ByteReader } from "../byte-reader.js";
import { RankOrder } from "../rank-order.js";
import { Utf8Check } from "../decode-text.js";
import { decodeId } from "./id-bytes.js";
import { TrecQrelsScanner } from "./qrels-scanner.js";
import { TrecRunScanner } from "./run-scanner.js";

/**
 * Judgments from a file in TREC's format: `query iteration item grade`.
 *
 * @param file what errors call it.
 * @param hasSubtopics whether the second column is the subtopic.
 * @throws InputError with all problems, each with line and column.
 */
export function parseTrecQrels(chunks: Iterable<Uint8Array>, file: string, hasSubtopics = false): Qrels {
  return prepareQrels(trecJudgments(chunks, file, hasSubtopics));
}

/** The lines of qrels in TREC's format, as a list. */
export function trecJudgments(chunks: Iterable<Uint8Array>, file: string, hasSubtopics: boolean): Qrel[] {
  const judgments: Qrel[] = [];
  const lines = new Map<string, number>();
  const twice: Problem[] = [];
  // As where the iteration stands last.
  let isAllZero = true;
  const seconds = new Set<string>();
  const scanner = new TrecQrelsScanner(file, (columns) => {
    const { bytes, count, queryStart, queryEnd, subtopicStart, subtopicEnd } = columns;
    const query_id = decodeId(bytes, queryStart, queryEnd);
    const second = decodeId(bytes, subtopicStart, subtopicEnd);
    const subtopic = hasSubtopics ? second : undefined;
    if (isAllZero && seconds.size < 2) seconds.add(second);
    for (let i = 0; i < count; i++) {
      const line = columns.line + i;
      const doc_id = decodeId(bytes, columns.itemStarts[i] as number, columns.itemEnds[i] as number);
      isAllZero &&= columns.grades[i] === 0 && /^\d+$/.test(doc_id);
      const key = `${query_id} ${subtopic ?? ""} ${doc_id}`;
      const before = lines.get(key);
      if (before !== undefined)
        twice.push({
          code: "QRELS_DUPLICATE",
          where: `${file}:${line}:1`,
          line,
          column: 1,
          message:
            `query ${quote(query_id)}: item ${quote(doc_id)} was judged on line ${before} already; ` +
            "keep one of the judgments, or say that the second column is the subtopic",
        });
      else {
        lines.set(key, line);
        judgments.push({
          query_id,
          doc_id,
          grade: columns.grades[i] as number,
          ...(subtopic !== undefined && { subtopic }),
        });
      }
    }
  });
  for (const chunk of chunks) scanner.write(chunk);
  scanner.end();
  if (isAllZero && seconds.size > 1 && !hasSubtopics)
    throw problemsError([
      {
        code: "QRELS_SYNTAX",
        where: file,
        message:
          "the third column has numbers, every grade, the fourth column, is 0, and the second varies by " +
          "line: are the columns query, item, grade, iteration? Write them as query, iteration, item, " +
          "grade",
      },
    ]);
  const [first, ...others] = twice;
  if (first !== undefined) throw problemsError([first, ...others]);
  return judgments;
}

/**
 * A run from a file in TREC's format: `query Q0 item rank score tag`. For scoring a file
 * {@link TrecRunScanner} is faster.
 *
 * @param file what errors call it.
 * @throws InputError with all problems, each with line and column.
 */
export function parseTrecRun(chunks: Iterable<Uint8Array>, file: string): TrecRun {
  const reader = trecRunReader(file);
  for (const chunk of chunks) reader.write(chunk);
  return reader.end();
}

/** A run from a file in TREC's format, and its tag, the last column. */
export interface TrecRun {
  readonly run: ScoredRun;
  readonly tag: string | null;
  /** What can mislead about it. */
  readonly warnings: readonly GivenWarning[];
}

/** As {@link parseTrecRun}, of bytes as they come. */
export function trecRunReader(file: string, options?: RunReadOptions): ByteReader<TrecRun> {
  const check = new Utf8Check(file);
  const queries = new Map<string, { ids: string[]; scores: number[] }>();
  const rankOrder = new RankOrder();
  const scanner = new TrecRunScanner(file, (block) => {
    const { queryStart, queryEnd, count, bytes, starts, ends, scores } = block;
    const queryId = decodeId(bytes, queryStart, queryEnd);
    rankOrder.addBlock(block);
    let query = queries.get(queryId);
    if (query === undefined) queries.set(queryId, (query = { ids: [], scores: [] }));
    for (let i = 0; i < count; i++) {
      query.ids.push(decodeId(bytes, starts[i] as number, ends[i] as number));
      query.scores.push(scores[i] as number);
    }
  });
  return {
    write(chunk) {
      check.write(chunk);
      scanner.write(chunk);
    },
    end() {
      check.end();
      scanner.end();
      return {
        run: scoredRunOf(queries, options),
        tag: scanner.tag,
        warnings: rankOrder.warnings,
      };
    },
  };
}
