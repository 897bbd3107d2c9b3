import { goldenMetrics, splitGuard } from "../compare/index.js";
import { InputError, isRankproofError, quote } from "../foundation/errors/index.js";
import { isDecimal } from "../foundation/numbers/index.js";
import type { Config } from "../records/index.js";
import type { ComparedBy } from "../workbench/index.js";

/**
 * How the configuration has the runs of a golden set compared: as `rankproof compare` does in its folder.
 *
 * @throws InputError `CONFIG` for names that are no metrics.
 */
export function resolveComparedBy({
  metrics,
  primary,
  guards,
  slices,
  maxFailedShare,
}: Pick<Config, "metrics" | "primary" | "guards" | "slices" | "maxFailedShare">): ComparedBy {
  try {
    return goldenMetrics(metrics?.join(","), {
      primary,
      guards: guards?.map((guard) => {
        const { metric, loss } = splitGuard(guard);
        const allowedLoss = loss === null ? 0 : isDecimal(loss) ? Number(loss) : NaN;
        if (!(allowedLoss >= 0 && allowedLoss < Infinity))
          throw new InputError("CONFIG", `guards: ${quote(guard)} allows no number`);
        return { metric, allowedLoss };
      }),
      slices,
      maxFailedShare,
    });
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    const message = error.message.replace(/^--guard/, "guards").replace(/^--/, "");
    throw new InputError("CONFIG", `the configuration: ${message}`, error.details, error);
  }
}
