import { csvFormat, tsvFormat } from "./csv.js";
import { jsonFormat } from "./json.js";
import { jsonlFormat } from "./jsonl.js";
import { rankEvalFormat } from "./rank-eval.js";
import { rankproofFormat } from "./rankproof.js";
import { trecFormat } from "./trec.js";
import type { WrittenFormatCard } from "./written-format.js";

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
