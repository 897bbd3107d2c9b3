/** Runs under names that tell them apart: where two have the same one, each is called by its path. */
export function disambiguateNames<R extends { readonly name: string }>(
  runs: readonly R[],
  paths: readonly string[],
): R[] {
  if (new Set(runs.map(({ name }) => name)).size === runs.length) return [...runs];
  // A run against itself is a fine test of a setup.
  const isItself = runs.length === 2 && paths[0] === paths[1];
  return runs.map((run, at) => ({
    ...run,
    name: isItself ? `${run.name} (${"ab"[at]})` : (paths[at] ?? ""),
  }));
}
