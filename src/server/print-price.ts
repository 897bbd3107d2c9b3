import { formatAmount } from "../foundation/numbers/index.js";
import type { Cost } from "../label/index.js";

/** What was paid; null where no price is known. */
export function printPrice({ price }: Cost): string | null {
  return price ? `${formatAmount(price.amount)} ${price.currency}` : null;
}
