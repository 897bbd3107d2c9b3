import type { Cost } from "../label/index.js";

/** What was paid; null where no price is known. */
export function printPrice({ price }: Cost): string | null {
  return price ? `${price.amount.toFixed(2)} ${price.currency}` : null;
}
