/**
 * What a JSON Pointer leads to ({@link https://www.rfc-editor.org/rfc/rfc6901}); undefined for nothing. The
 * empty pointer leads to all of it.
 */
export function atPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (at, key) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, key)
          ? (at as Readonly<Record<string, unknown>>)[key]
          : undefined,
      value,
    );
}
