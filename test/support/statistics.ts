import { fileURLToPath } from "node:url";

/**
 * A file of the oracle values of statistics, made for this project by SciPy, statsmodels and ranx (see its
 * README).
 */
export function statisticsOracle(path: string): string {
  return fileURLToPath(new URL(`../../fixtures/oracles/statistics/${path}`, import.meta.url));
}
