import type { JSX } from "preact";
import { inWords } from "./printed.js";

/** A sentence of the core, with what it has between backticks as code. */
export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <>
      {inWords(text)
        .split(/`([^`]+)`/)
        .map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}
    </>
  );
}
