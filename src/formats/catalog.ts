import { colbertRankings } from "./colbert.js";
import { csvTables } from "./csv.js";
import { msmarcoRuns } from "./msmarco.js";
import type { ReadFormatCard } from "./read-format.js";
import { csvFormat, tsvFormat } from "./written/csv.js";
import { jsonFormat } from "./written/json.js";
import { jsonlFormat } from "./written/jsonl.js";
import { rankEvalFormat } from "./written/rank-eval.js";
import { rankproofFormat } from "./written/rankproof.js";
import { trecFormat } from "./written/trec.js";
import type { WrittenFormatCard } from "./written/written-format.js";

/** The formats that runs and judgments are written in. */
export const writtenFormats: readonly WrittenFormatCard[] = [
  trecFormat,
  csvFormat,
  tsvFormat,
  jsonlFormat,
  jsonFormat,
  rankEvalFormat,
  rankproofFormat,
];

/** The formats that are read as a whole, besides TREC's lines and JSON. */
export const readFormats = [
  csvTables,
  msmarcoRuns,
  colbertRankings,
] as const satisfies readonly ReadFormatCard[];

/** The name of a format that is read as a whole. */
export type ReadFormatName = (typeof readFormats)[number]["name"];
