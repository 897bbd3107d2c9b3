/** A page of Markdown without the padding of its tables, which moves when any row becomes longer. */
export function unpadded(page: string): string {
  return page.replace(/^\|.*$/gm, (row) => row.replace(/ {2,}/g, " "));
}
