import { cFixed } from "../foundation/numbers/index.js";

/** What trec_eval prints of one query, or of all together. */
export interface TrecEvalBlock {
  /** The query's id, or `all`. */
  readonly query: string;
  /** Values by line, in the order of the lines; null where the line is not printed for this block. */
  readonly values: readonly (number | string | null)[];
}

/** A line as trec_eval prints it. */
export interface TrecEvalLine {
  readonly name: string;
  /** Printed as a whole number. */
  readonly isCount: boolean;
}

const NAME_WIDTH = 22;

/** trec_eval's own output: name, query and value on a line, separated by tabs. */
export function renderTrecEval(lines: readonly TrecEvalLine[], blocks: readonly TrecEvalBlock[]): string {
  const labels = lines.map(({ name }) => `${name.padEnd(NAME_WIDTH)}\t`);
  let output = "";
  for (const { query, values } of blocks) {
    const middle = `${query}\t`;
    for (const [index, { isCount }] of lines.entries()) {
      const value = values[index];
      if (value === undefined || value === null) continue;
      const text =
        typeof value === "string" ? value : isCount ? value.toFixed(0) : cFixed(value, 4).padStart(6);
      output += `${labels[index]}${middle}${text}\n`;
    }
  }
  return output;
}
