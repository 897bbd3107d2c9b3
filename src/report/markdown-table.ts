/** A table in GitHub's Markdown. Cells come escaped. */
export function markdownTable(
  head: readonly string[],
  alignment: string,
  rows: readonly (readonly string[])[],
): string {
  const separator = [...alignment].map((side) => (side === "r" ? "---:" : "---"));
  return [head, separator, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A heading and a list; nothing where there is nothing to list. Lines come escaped. */
export function markdownList(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
