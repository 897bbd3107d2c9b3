import type { JSX } from "preact";
import { inWords } from "./printed.js";

/** A sentence of the core, with what it has between backticks, one or more of them, as code. */
export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <>
      {inWords(text)
        .split(/(?<!`)(`+)(?!`)([^]+?)(?<!`)\1(?!`)/)
        .map((part, at) => (at % 3 === 0 ? part : at % 3 === 2 ? <code>{part.trim()}</code> : null))}
    </>
  );
}
