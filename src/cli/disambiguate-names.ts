/** The names of runs; where two have the same one, their paths. */
export function disambiguateNames(names: readonly string[], paths: readonly string[]): readonly string[] {
  if (new Set(names).size === names.length) return names;
  // A run against itself is a fine test of a setup.
  return names.length === 2 && paths[0] === paths[1]
    ? [`${names[0] ?? ""} (a)`, `${names[1] ?? ""} (b)`]
    : paths;
}
