import type { Readable } from "node:stream";

const LINE_END = /\r\n|\r|\n/;

/**
 * Takes the lines of a program's output as they come: Node's `readline` ends them at U+2028 and U+2029, too,
 * which JSON has as they are.
 *
 * @param end is called when there are no more.
 */
export function onLines(input: Readable, take: (line: string) => void, end?: () => void): void {
  /** Of a line that is not at its end. */
  let parts: string[] = [];
  const takeWhole = (last: string): void => {
    const line = [...parts, last].join("");
    parts = [];
    take(line);
  };
  /** Whether the last chunk ended in CR: an LF that follows belongs to it. */
  let isAfterReturn = false;
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    const lines = (isAfterReturn ? text.replace(/^\n/, "") : text).split(LINE_END);
    if (text !== "") isAfterReturn = text.endsWith("\r");
    const rest = lines.pop() ?? "";
    lines.forEach(takeWhole);
    parts.push(rest);
  });
  input.on("end", () => {
    try {
      if (parts.some((part) => part !== "")) takeWhole("");
    } finally {
      end?.();
    }
  });
}
