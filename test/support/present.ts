/** A value that must be there. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("a value that the test needs is missing");
  return value;
}
