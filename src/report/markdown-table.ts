/** A table in GitHub's Markdown. Cells come escaped. Words of queries are left out where none are known. */
export function markdownTable(
  head: readonly string[],
  alignment: string,
  rows: readonly (readonly string[])[],
): string {
  const separator = [...alignment].map((side) => (side === "r" ? "---:" : "---"));
  const isFilled = (_: string, column: number): boolean =>
    head[column] !== "query" || rows.some((cells) => cells[column] !== "");
  return [head, separator, ...rows].map((cells) => `| ${cells.filter(isFilled).join(" | ")} |`).join("\n");
}

/** Headings, paragraphs, tables: those that are not empty, with a blank line between. Parts come escaped. */
export function markdownBlocks(...blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** A heading and a list; nothing where there is nothing to list. Lines come escaped. */
export function markdownList(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
