/** What metrics look at, by their names without parameters and cutoff; the first metric decides. */
const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ["Graded ranking", ["nDCG", "DCG", "ERR", "RBP", "Avg_Grade", "AvgGrade"]],
  ["Precision", ["P", "Exact_Precision", "Strong_Precision", "Useful_Precision", "AP", "Rprec", "Bpref"]],
  ["Recall", ["R", "Gain_Recall", "GainRecall"]],
  ["Success", ["Success", "Exact_Success", "Strong_Success", "RR", "MRR_Exact", "MRR_Strong"]],
];
interface Group {
  readonly title: string;
  readonly names: readonly string[];
}

/** The names of metrics, the deciding one first, by what they look at. */
export function metricGroups(metrics: readonly string[]): Group[] {
  const [primary, ...others] = metrics;
  const rest = new Set(others);
  const groups: Group[] = primary === undefined ? [] : [{ title: "Primary", names: [primary] }];
  for (const [title, bases] of GROUPS) {
    const names = others.filter((name) => bases.includes(name.replace(/[(@].*/, "")));
    for (const name of names) rest.delete(name);
    if (names.length > 0) groups.push({ title, names });
  }
  return rest.size === 0 ? groups : [...groups, { title: "Others", names: [...rest] }];
}
