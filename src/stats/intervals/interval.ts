/** Where something lies, both ends included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Two differences or more, and their bootstrap. */
export interface Sample {
  readonly differences: Float64Array;
  /** Their mean, correctly rounded. */
  readonly observed: number;
  /** Degrees of freedom of their deviation; one less than the differences unless given. */
  readonly degrees?: number | undefined;
  /** The rising means of the resamples, which are drawn when they are first asked for. */
  readonly means: () => Float64Array;
}

/** A way to say where a mean difference lies. */
export interface IntervalMethod {
  /** As reports write it. */
  readonly label: string;
  /**
   * Where the mean of the sample lies.
   *
   * @param confidence share of the interval, such as 0.95.
   */
  readonly interval: (sample: Sample, confidence: number) => Interval;
}
