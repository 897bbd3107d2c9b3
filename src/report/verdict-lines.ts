import type { Verdict } from "../records/index.js";
import { oneLine } from "../foundation/text/index.js";
import { formatVerdict } from "./printed-statistics.js";

const COLOURS = {
  better: "good",
  worse: "bad",
  equivalent: "strong",
  inconclusive: "strong",
  not_comparable: "bad",
} as const;

/** A verdict for a terminal: a word, a sentence, and the reasons. */
export function verdictLines(
  { kind, headline, reasons }: Verdict,
  paint: (text: string, as: "good" | "bad" | "strong") => string,
): string[] {
  return [
    `${paint(formatVerdict(kind).toUpperCase(), COLOURS[kind])}  ${paint(oneLine(headline), "strong")}`,
    ...reasons.map((reason) => `  ${oneLine(reason)}`),
  ];
}
