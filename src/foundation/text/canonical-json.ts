/**
 * JSON with the keys of every mapping sorted by UTF-16 units, without those that are undefined: equal records
 * have equal texts.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  // Dates, as JSON has them.
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return canonicalJson((toJSON as () => unknown).call(value));
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
