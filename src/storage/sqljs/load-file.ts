/** What stands at an address; in Node and its like at a path, too. */
export async function loadFile(place: string): Promise<BufferSource> {
  const { process } = globalThis as { process?: Partial<Pick<NodeJS.Process, "getBuiltinModule">> };
  const files = /^https?:/i.test(place) ? undefined : process?.getBuiltinModule?.("node:fs/promises");
  if (files !== undefined) return files.readFile(/^file:/i.test(place) ? new URL(place) : place);
  const response = await fetch(place);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.arrayBuffer();
}
