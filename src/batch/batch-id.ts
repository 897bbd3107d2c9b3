/**
 * The id of a batch, sortable by time: `20261122T101500Z-3f9a`.
 *
 * @param at when it began, in milliseconds since 1970.
 * @param suffix tells it from another one of the same second.
 */
export function batchId(at: number, suffix: string): string {
  return `${new Date(at).toISOString().replace(/\.\d+|[-:]/g, "")}-${suffix}`;
}

/** Whether a run is called as batches are. */
export function isBatchId(id: string): boolean {
  return /^\d{8}T\d{6}Z-\w+$/.test(id);
}
