import type { JSX } from "preact";

/** The metric that decides unless a dataset has its own; the page has a plain name for it. */
export const PRIMARY = "Primary_Metric_Score";
/** What it is of, in the order of its formula. */
const PARTS =
  "nDCG@20, nDCG@50, ERR(max)@10, P(rel=2)@10, P(rel=2)@20, P@50, AvgGrade@10 / 3 and GainRecall@20";

/** What it is, where its plain name stands. */
export const PRIMARY_TITLE = `${PRIMARY}: the mean of ${PARTS}`;

/** A metric where its name stands alone. */
export function MetricName({ name }: { name: string | null | undefined }): JSX.Element {
  if (name !== PRIMARY)
    // A long name breaks at its underscores.
    return <>{(name ?? "Score").split(/(?<=_)/).map((part, at) => (at === 0 ? part : [<wbr />, part]))}</>;
  return <abbr title={PRIMARY_TITLE}>Primary score</abbr>;
}

/** What the primary score is, below where it first stands; nothing for metrics of a name that is known. */
export function PrimaryMeaning({ of }: { of: string | null }): JSX.Element | null {
  if (of !== PRIMARY) return null;
  return (
    <p class="quiet small">
      The primary score (<code>{PRIMARY}</code>) is the mean of eight metrics of the first 50 hits, from 0 to
      1, the best.
    </p>
  );
}
