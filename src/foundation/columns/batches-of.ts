/** How much goes into one request. */
export interface BatchLimits {
  readonly texts: number;
  /** UTF-16 code units. */
  readonly characters: number;
}

/**
 * Texts in their order, in as few batches as the limits allow; a text that is too long by itself has a batch
 * of its own.
 */
export function batchesOf<T extends { readonly text: string }>(
  items: readonly T[],
  limits: BatchLimits,
): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    const isFull = batch.length === limits.texts || characters + item.text.length > limits.characters;
    if (batch.length === 0 || isFull) {
      batch = [];
      batches.push(batch);
      characters = 0;
    }
    batch.push(item);
    characters += item.text.length;
  }
  return batches;
}
