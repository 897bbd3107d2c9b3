import type { LabelAudit } from "../records/index.js";
import { auditFindings } from "./findings.js";

/**
 * An audit without what queries, items and raters say, for what leaves the house: texts of queries, titles
 * and reasons are null. Ids, names and numbers stay.
 */
export function withoutTexts(audit: LabelAudit): LabelAudit {
  return {
    ...audit,
    by_query: audit.by_query.map((query) => ({ ...query, query: null })),
    disagreements: audit.disagreements.map((pair) => ({
      ...pair,
      query: null,
      title: null,
      first_reason: null,
      second_reason: null,
    })),
    outliers: audit.outliers.map((outlier) => ({ ...outlier, query: null, title: null })),
  };
}

/** An audit without the names of raters, sentences included: `the first rater` and `the second rater`. */
export function withoutRaters(audit: LabelAudit): LabelAudit {
  const [first, second] = ["the first rater", "the second rater"];
  const nameless = {
    ...audit,
    first: { ...audit.first, name: first, rater: null },
    second: { ...audit.second, name: second, rater: null },
    probes: audit.probes === null ? null : { ...audit.probes, judge: second },
  };
  return { ...nameless, findings: auditFindings(nameless) };
}
