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
      "mean(Y) + lambda (mean(F of the N) - mean(F of the n)); lambda = cov_n(Y, F) / ((1 + n/N) " +
      "var_{n+N}(F)), cut to [0, 1]; variance = var_n(Y - lambda F)/n + lambda² var_N(F)/N; " +
      "interval by Student's t, n - 1",
    assumptions: "The n queries were drawn by chance from all n + N. Nothing is assumed of the model.",
    edges:
      "lambda is 0, and the result that of people alone, where N < 2, F is constant or the " +
      "covariance is not above 0. One query: no interval. None: nothing. Of 10 queries the 95 % " +
      "interval holds the truth in 93 to 94 % of cases, because lambda comes from the same few " +
      "queries; from 20 on in 94 to 95 %. Where most queries have the same score, as a difference " +
      "of 0, it is far too short: with a tenth that differ, 55 % of 10 and 82 % of 40; " +
      "comparisons ask for 5 that differ, which makes it 91 % and more, or 80 % where differences " +
      "are skewed as well (a third gain much, the others lose little).",
    source:
      "Angelopoulos, Duchi, Zrnic: PPI++: Efficient Prediction-Powered Inference, " +
      "https://arxiv.org/abs/2311.01453; Angelopoulos, Bates, Fannjiang, Jordan, Zrnic: " +
      "Prediction-powered inference, https://doi.org/10.1126/science.adi6000",
  },
  {
    name: "stratifiedMean",
    question: "The same, when queries of several kinds were each drawn by themselves?",
    formula:
      "sum of weight × the stratum's estimate; variance = sum of weight² × its variance; t, sum of n - 1; " +
      "lambda of each stratum, or shared: the sum of weight² cov/n over that of weight² var(F) " +
      "(1/n + 1/N), with degrees of freedom by Satterthwaite",
    assumptions:
      "Weights are the shares of all queries; each stratum was drawn by chance, at least 2 queries.",
    edges:
      "One stratum gives the plain form. A shared lambda is 0 where one stratum of fewer than 5 queries " +
      "has most of the weight. A constant stratum adds no variance. With a lambda of each stratum " +
      "the 95 % interval holds the truth in 81 % of cases for 10 strata of 2 queries each, in 86 % for 6 " +
      "of 3 and in 90 % for 4 of 5; with a shared one, which comparisons take, in 94 % and more, and in " +
      "88 to 93 % where scores are skewed.",
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
      "(p + q0 - 1) / (q0 + q1 - 1), p the judge's share, q1 its sensitivity, q0 its specificity; " +
      "variance by the delta method; interval by the normal distribution",
    assumptions: "The judge errs on the items that people labelled as it does on all others.",
    edges:
      "Undefined where q0 + q1 <= 1, a class has no human labels, or there are no items. A class " +
      "without an error among few labels adds no variance, so that the interval is too short.",
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
      "Pairs were drawn independently with the known probabilities pi; the metric is a sum over " +
      "hits with a fixed norm (DCG, P, RBP, the mean grade).",
    edges:
      "Nothing drawn: the model's part alone, without an interval. Everything drawn: no error of the " +
      "draw. A grade that the table lacks, or that no other query has a drawn pair of, stands for itself.",
    source:
      "Horvitz, Thompson: A generalization of sampling without replacement, " +
      "https://doi.org/10.1080/01621459.1952.10483446",
  },
  {
    name: "drawProbabilities",
    question: "By which probabilities should pairs be drawn for people to label?",
    formula:
      "min(1, max(floor, c |w| spread)) where the weight w is not 0, else 0; c such that they add " +
      "up to the budget",
    assumptions:
      "The spread is how much people's grades vary around m(f); a wrong one costs width, not truth.",
    edges:
      "All 1 where the budget covers every pair with a weight. Without a floor a pair with spread " +
      "0 is never drawn, and there is no estimate with it.",
    source:
      "Horvitz, Thompson: A generalization of sampling without replacement, " +
      "https://doi.org/10.1080/01621459.1952.10483446",
  },
  {
    name: "worth",
    question: "How many queries labelled by people alone would do as well?",
    formula: "n (n + N) / (n + f N), f = (1 - rho²)(n - 1)/(n - 2), cut at 1",
    assumptions:
      "rho is that of all queries; a small sample promises too much, which f takes back in part: with a " +
      "judge of rho 0.97 and many further queries 5 of people promise six times what they are worth, 10 " +
      "three times, 20 twice; comparisons tell it from 20 on.",
    edges: "n where rho is not above 0, and for fewer than 3 queries.",
    source:
      "from the variance of PPI++ with its best lambda; checked by simulation with errors of eight judges",
  },
  {
    name: "cheapestMix",
    question: "What share of the queries should people label, when a label of the model costs g of theirs?",
    formula:
      "share sqrt(g (1 - rho²) / rho²); an observation costs 1 - rho² + g rho² + 2 sqrt(g rho² (1 - rho²))",
    assumptions: "Every query has a label of the model; there are enough of them that rho is known.",
    edges: "Where that share exceeds 1, people label all, and an observation costs 1 + g.",
    source: "the least of ((1 - rho²)/s + rho²) (s + g) over the share s",
  },
];
