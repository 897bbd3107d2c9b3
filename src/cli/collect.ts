/** Adds the value of a flag that may be repeated to those before. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
