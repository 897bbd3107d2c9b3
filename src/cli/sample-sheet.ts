import type { WeightedPair } from "../audit/index.js";
import { existsSync, lstatSync, realpathSync, renameSync, statSync } from "node:fs";
import { formatLabelSheet, parseLabelSheet, type LabelSheetRow } from "../formats/index.js";
import { isRankproofError } from "../foundation/errors/index.js";
import type { Dataset } from "../node/index.js";
import { newBatchId } from "../node/internal.js";
import { contentOf } from "../node/evaluate/index.js";
import type { BackendHit, EvalRun } from "../records/index.js";
import { datasetWords, type DatasetFlags } from "./dataset-flags.js";
import { shellWord } from "./shell-word.js";
import { itemOnSheet } from "./item-on-sheet.js";
import type { Terminal } from "./terminal.js";
import { writeOutput } from "./write-output.js";

/** A row of a sheet, and the query that it is of. */
export interface SheetPair extends LabelSheetRow {
  readonly queryId: string;
}

/** What a person does with a sheet. */
export function nextStep(sheet: string, given: string | undefined, flags: DatasetFlags): string {
  return (
    "fill in the column grade (0 to 3), save it as CSV, then " +
    `\`rankproof label import ${shellWord(sheet)}${datasetWords(given, flags)} --rater NAME\``
  );
}

/** Writes a sheet; what stands there, and may have grades in it, is kept under another name. */
export async function writeLabelSheet(
  rows: readonly LabelSheetRow[],
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (output !== undefined && output !== "-" && (await mayHoldGrades(output))) {
    // A link stays one: what it leads to is written anew.
    const path = lstatSync(output).isSymbolicLink() ? realpathSync(output) : output;
    let count = 1;
    const numberPath = (): string => path.replace(/(\.[a-z.]+)?$/i, (ending) => `-${count}${ending}`);
    while (existsSync(numberPath())) count++;
    renameSync(path, numberPath());
    terminal.warn(`${output} was no empty sheet; what was in it is ${numberPath()} now`);
  }
  writeOutput(formatLabelSheet(rows), output, terminal);
}

/** Whether a file is neither empty nor a sheet without grades. */
async function mayHoldGrades(path: string): Promise<boolean> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined || !there.isFile() || there.size === 0) return false;
  let notes = false;
  try {
    return parseLabelSheet(await contentOf(path), path, () => (notes = true)).length > 0 || notes;
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    return true;
  }
}

/** The id and time of what is made now. */
export function newSampleId(): { readonly sampleId: string; readonly createdAt: string } {
  const now = Date.now();
  return {
    sampleId: newBatchId(now),
    createdAt: new Date(now).toISOString(),
  };
}

/** What is shown of each item: as the corpus has it, else as a search told it. */
export function withFields(
  pairs: readonly (Pick<WeightedPair, "queryId" | "item"> & { readonly query: string })[],
  { items }: Dataset,
  runs: readonly EvalRun[],
): SheetPair[] {
  const said = new Map(
    runs.flatMap(({ results }) =>
      results.flatMap(({ hits_top_k }) =>
        hits_top_k.flatMap((hit: BackendHit) => (hit.fields ? [[hit.chunk_id, hit.fields] as const] : [])),
      ),
    ),
  );
  return pairs.map(({ queryId, query, item }) => {
    const shown = itemOnSheet(items.get(item));
    return { queryId, query, item, ...shown, ...(!items.has(item) && { fields: said.get(item) ?? {} }) };
  });
}
