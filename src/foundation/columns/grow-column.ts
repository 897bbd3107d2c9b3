/** A column with what was in a smaller one, and room for more. */
export function growColumn<T extends Uint8Array | Uint32Array | Int32Array | Float64Array>(
  larger: T,
  column: T,
): T {
  larger.set(column);
  return larger;
}
