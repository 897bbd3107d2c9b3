// Sixty values a query, as many as trec_eval's usual ones.
const CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const LEVELS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export const METRICS = [
  ...["AP", "RR", "Rprec", "Bpref", "infAP", "nDCG", "SetP", "SetR", "SetF", "NumRet"],
  ...["P", "R", "nDCG", "AP"].flatMap((name) => CUTOFFS.map((k) => `${name}@${k}`)),
  ...LEVELS.map((level) => `IPrec@${level}`),
  ...[1, 5, 10].map((k) => `Success@${k}`),
].join(",");
