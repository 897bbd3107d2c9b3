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
  verdict: Verdict,
  paint: (text: string, as: "good" | "bad" | "strong") => string,
): string[] {
  const { kind, headline } = verdict;
  return [
    `${paint(formatVerdict(kind).toUpperCase(), COLOURS[kind])}  ${paint(oneLine(headline), "strong")}`,
    ...reasonsOf(verdict).map((reason) => `  ${oneLine(reason)}`),
  ];
}

/** What a verdict rests on, with the guards that hold: who asked for them wants to see that. */
export function reasonsOf({ reasons, guards }: Verdict): string[] {
  return [...reasons, ...guards.filter(({ is_held }) => is_held).map(({ why }) => why)];
}
