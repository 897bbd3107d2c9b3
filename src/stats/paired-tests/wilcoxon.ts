import { matchedRankBiserial } from "../effect-size.js";
import { wilcoxonSignedRank } from "../wilcoxon.js";
import type { PairedTest } from "./paired-test.js";

/** {@link wilcoxonSignedRank} of many metrics. */
export const wilcoxon: PairedTest = {
  label: "Wilcoxon signed-rank, two-sided",
  test: (pairs) =>
    pairs.map(({ differences }) => {
      const { p, isExact } = wilcoxonSignedRank(differences);
      return { p, isExact, way: matchedRankBiserial(differences) };
    }),
  isOfSigns: true,
};
