/** What is to be known of an estimate before it is trusted. */
export interface EstimateCard {
  /** Of the function. */
  readonly name: string;
  readonly question: string;
  readonly formula: string;
  /** What has to be so for it to hold. */
  readonly assumptions: string;
  readonly edges: string;
  readonly source: string;
}

/** The estimates that bring people's and a model's labels together. */
export const estimateCards: readonly EstimateCard[] = [
  {
    name: "correctedMean",
    question: "What is a mean over all queries, when a model labelled all of them and people a few?",
    formula:
      "mean(Y) + lambda (mean(F of the N) - mean(F of the n)); lambda = cov_n(Y, F) / " +
      "((1 + n/N) var_{n+N}(F)), cut to [0, 1]; variance = var_n(Y - lambda F)/n + lambda² var_N(F)/N; " +
      "interval by Student's t, n - 1",
    assumptions: "The n queries were drawn by chance from all n + N. Nothing is assumed of the model.",
    edges:
      "lambda is 0, and the result that of people alone, where N < 2, F is constant or the covariance is " +
      "not above 0. One query: no interval. None: nothing.",
    source:
      "Angelopoulos, Duchi, Zrnic: PPI++: Efficient Prediction-Powered Inference, " +
      "https://arxiv.org/abs/2311.01453",
  },
  {
    name: "stratifiedMean",
    question: "The same, when queries of several kinds were each drawn by themselves?",
    formula:
      "sum of weight × the stratum's estimate; variance = sum of weight² × its variance; t, sum of n - 1",
    assumptions:
      "Weights are the shares of all queries; each stratum was drawn by chance, at least 2 queries.",
    edges: "One stratum gives the plain form. A constant stratum adds no variance.",
    source:
      "Neyman: On the two different aspects of the representative method, https://doi.org/10.2307/2342192",
  },
  {
    name: "neymanAllocation",
    question: "Of which kinds should people label the next queries?",
    formula:
      "shares by weight × deviation of Y - lambda F; counts, at least 2 each, that make the variance least",
    assumptions: "The kinds vary as they did in the sample before.",
    edges: "Where nothing varies the shares are 0, and the counts even.",
    source:
      "Neyman: On the two different aspects of the representative method, https://doi.org/10.2307/2342192",
  },
  {
    name: "correctedShare",
    question: "What share of answers is grounded, by a judge that errs?",
    formula:
      "(p + q0 - 1) / (q0 + q1 - 1), p the judge's share, q1 its sensitivity, q0 its specificity; variance " +
      "by the delta method; interval by the normal distribution",
    assumptions: "The judge errs on the items that people labelled as it does on all others.",
    edges: "Undefined where q0 + q1 <= 1, a class has no human labels, or there are no items.",
    source:
      "Rogan, Gladen: Estimating prevalence from the results of a screening test, " +
      "https://doi.org/10.1093/oxfordjournals.aje.a112510",
  },
  {
    name: "pairEstimate",
    question: "What is the difference of an additive metric, when people labelled single pairs?",
    formula:
      "(1/Q) [sum over all pairs of w m(f) + sum over drawn pairs of w (y - m(f)) / pi], m the mean grade " +
      "of people for a grade of the model, cross-fitted; interval by the normal distribution",
    assumptions:
      "Pairs were drawn independently with the known probabilities pi; the metric is a sum over hits with " +
      "a fixed norm (DCG, P, RBP, the mean grade).",
    edges:
      "Nothing drawn: the model's part alone, without an interval. Everything drawn: no error of the draw.",
    source:
      "Horvitz, Thompson: A generalization of sampling without replacement, " +
      "https://doi.org/10.1080/01621459.1952.10483446",
  },
  {
    name: "worth",
    question: "How many queries labelled by people alone would do as well?",
    formula: "n (n + N) / (n + f N), f = (1 - rho²)(n - 1)/(n - 2), cut at 1",
    assumptions: "rho is that of all queries; a small sample promises too much, which f takes back in part.",
    edges: "n where rho is not above 0, and for fewer than 3 queries.",
    source:
      "from the variance of PPI++ with its best lambda; checked by simulation with errors of eight judges",
  },
];
