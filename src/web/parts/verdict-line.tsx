import type { JSX } from "preact";
import type { WorkbenchVerdict } from "../../records/index.js";
import { Prose } from "./prose.js";

const WORDS: Readonly<Record<WorkbenchVerdict["kind"], readonly [sign: string, word: string]>> = {
  better: ["▲", "Better"],
  worse: ["▼", "Worse"],
  equivalent: ["=", "Equivalent"],
  inconclusive: ["○", "Inconclusive"],
  not_comparable: ["≠", "Not comparable"],
};

/** The colour of a verdict, and of the difference that it is about. */
export function toneOf({ kind }: WorkbenchVerdict): "better" | "worse" | "neutral" {
  return kind === "better" || kind === "worse" ? kind : "neutral";
}

/** A verdict on the last change: its word and its sentence, the same on every screen. */
export function VerdictLine({
  verdict,
  painted,
}: {
  verdict: WorkbenchVerdict;
  painted: string;
}): JSX.Element {
  const [sign, word] = WORDS[verdict.kind];
  return (
    <>
      <p class={`word ${toneOf(verdict)}`}>
        <span aria-hidden="true">{sign}</span> {word}
      </p>
      <p class="headline" data-painted={painted}>
        <Prose text={verdict.headline} />
      </p>
    </>
  );
}
