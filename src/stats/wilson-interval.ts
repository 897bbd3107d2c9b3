import { checkShare } from "./check-settings.js";
import { wholeNumber } from "../foundation/checks/index.js";
import { normalQuantile } from "./normal.js";

/** A share with what it may be. */
export interface ShareInterval {
  /** `successes / trials`; 0 for no trials. */
  readonly share: number;
  /** From 0 to 1. */
  readonly low: number;
  /** From 0 to 1. */
  readonly high: number;
}

/**
 * Wilson's score interval of a share, which holds where the share is near 0 or 1 and trials are few; for no
 * trials it is all of 0 to 1.
 *
 * Source: E. B. Wilson (1927), {@link https://doi.org/10.1080/01621459.1927.10502953}.
 *
 * @param level from 0 to 1, both excluded. Default 0.95.
 * @throws InputError `ARGUMENT`
 */
export function wilsonInterval(successes: number, trials: number, level = 0.95): ShareInterval {
  wholeNumber("trials", trials, 0);
  wholeNumber("successes", successes, 0, trials);
  checkShare("level", level);
  if (trials === 0) return { share: 0, low: 0, high: 1 };
  const z = normalQuantile(0.5 + level / 2);
  const share = successes / trials;
  const weight = 1 + z ** 2 / trials;
  const middle = (share + z ** 2 / (2 * trials)) / weight;
  const reach = (z / weight) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return {
    share,
    low: successes === 0 ? 0 : Math.max(0, middle - reach),
    high: successes === trials ? 1 : Math.min(1, middle + reach),
  };
}
