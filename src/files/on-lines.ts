import type { Readable } from "node:stream";

/**
 * Takes the lines of a program's output as they come. Node's `readline` ends lines at U+2028 and U+2029, too,
 * which JSON has as they are.
 *
 * @param end is called when there are no more.
 */
export function onLines(input: Readable, take: (line: string) => void, end?: () => void): void {
  /** Of a line that is not at its end. */
  let parts: string[] = [];
  const takeWhole = (last: string): void => {
    take([...parts, last].join("").replace(/\r$/, ""));
    parts = [];
  };
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    const [first = "", ...more] = text.split("\n");
    const rest = more.pop();
    if (rest === undefined) {
      parts.push(first);
      return;
    }
    takeWhole(first);
    more.forEach(takeWhole);
    parts.push(rest);
  });
  input.on("end", () => {
    if (parts.some((part) => part !== "")) takeWhole("");
    end?.();
  });
}
