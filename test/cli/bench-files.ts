import type { BenchReport, PaperFixture } from "../../src/records/index.js";
import { aCase, aFixture, aPaper } from "../support/bench-fixtures.js";
import { QRELS, QUERIES, RANKS, trecRun } from "./spawned.js";

/** What the papers and documents are about, and how somebody asks for it. */
const TOPICS = [
  ["Routing of queries in graphs", "routing queries"],
  ["Solar panels for cold climates", "solar panels in the cold"],
  ["Baking bread with sourdough", "baking sourdough"],
  ["Tides of the northern sea", "tides of seas"],
  ["Migration of arctic birds", "birds that migrate"],
] as const;

const TYPES = ["exact", "paraphrase", "term_mismatch", "paper_targeted", "cross_field"];

/** Five papers, and a case of each type, whose answer is the paper's abstract. */
export function paperFixture(more: Partial<PaperFixture> = {}): PaperFixture {
  return aFixture({
    papers: TOPICS.map(([title], index) =>
      aPaper({ paper_id: index + 1, title, abstract: `${title} is what this is about.` }),
    ),
    cases: TOPICS.map(([, query], index) =>
      aCase({
        case_id: `c${index + 1}`,
        query,
        query_type: TYPES[index] ?? "",
        judgments: [{ paper_id: index + 1, chunk_ref: `${index + 1}:abstract:0`, relevance: 3 }],
        expected_paper_ids: [index + 1],
        expected_chunk_refs: [`${index + 1}:abstract:0`],
      }),
    ),
    ...more,
  });
}

export function jsonl(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The documents of a folder: for each of the twelve queries one that answers it, and one that does not. */
export const DOCUMENTS = QUERIES.flatMap((query, index) => {
  const [topic] = TOPICS[index % TOPICS.length] as (typeof TOPICS)[number];
  return [
    {
      _id: `r-${query}`,
      title: topic,
      text: `${topic} of the kind ${query}. A second sentence stands here.`,
    },
    { _id: `x1-${query}`, text: `Something else of the kind ${query}.` },
  ];
});

/** A folder with a collection, its twelve queries judged as the runs of `RANKS` are. */
export function collection(folder: string): Record<string, string> {
  return {
    [`${folder}/corpus.jsonl`]: jsonl(...DOCUMENTS),
    [`${folder}/queries.jsonl`]: jsonl(
      ...QUERIES.map((query, index) => ({
        _id: query,
        text: `${TOPICS[index % TOPICS.length]?.[1] ?? ""} of the kind ${query}`,
      })),
    ),
    [`${folder}/qrels.txt`]: QRELS,
  };
}

/** All of it: a fixture, a folder, and runs of the folder's queries. */
export function benchFiles(): Record<string, string> {
  return {
    "fixture.json": JSON.stringify(paperFixture(), null, 1),
    ...collection("folder"),
    ...Object.fromEntries(
      Object.entries(RANKS).map(([name, rankOf]) => [`${name}.run`, trecRun(name, rankOf)]),
    ),
  };
}

/**
 * Runs as modes: full text has every relevant item at rank 2, embeddings at 1, both together at 3 and 1 by
 * turns.
 */
export const RUNS_AS_MODES = [
  "--system",
  "fts_only=base.run",
  "--system",
  "embedding_only=good.run",
  "--system",
  "hybrid=mixed.run",
];

/** What is said of them. */
export const RECORDED =
  "warning: fts_only, embedding_only, hybrid: answers come from a record, at least in part, so " +
  "that the latency is not that of a system, and the budget says nothing about it\n";

export function reportIn(stdout: string): BenchReport {
  return JSON.parse(stdout) as BenchReport;
}

/** A report, or Markdown, without what a clock told. */
export function withoutTimes(text: string): string {
  return text.replace(/("\w*latency_ms": )[\d.]+/g, "$1_").replace(/(?:< )?[\d.]+ ms/g, "_ ms");
}
