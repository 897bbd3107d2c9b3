import type { Assessment } from "../records/index.js";
import type { Cost } from "./labeler.js";

/** What an assessment took. */
export function costOf({ tokens, price }: Pick<Assessment, "tokens" | "price">): Cost {
  return { tokens: tokens ?? undefined, price: price ?? undefined };
}

/** Two costs together; a currency that differs is an error of the labeler, and the first one stays. */
export function addCosts(a: Cost, b: Cost): Cost {
  const tokens = a.tokens ?? b.tokens;
  const price = a.price ?? b.price;
  return {
    ...(tokens && {
      tokens: {
        input: (a.tokens?.input ?? 0) + (b.tokens?.input ?? 0),
        output: (a.tokens?.output ?? 0) + (b.tokens?.output ?? 0),
      },
    }),
    ...(price && {
      price: { amount: (a.price?.amount ?? 0) + (b.price?.amount ?? 0), currency: price.currency },
    }),
  };
}

/** A cost divided evenly. */
export function shareOf({ tokens, price }: Cost, among: number): Cost {
  return {
    ...(tokens && { tokens: { input: tokens.input / among, output: tokens.output / among } }),
    ...(price && { price: { ...price, amount: price.amount / among } }),
  };
}

/** Tokens of request and answer. */
export function tokensOf({ tokens }: Cost): number {
  return (tokens?.input ?? 0) + (tokens?.output ?? 0);
}
