// What a good programmer would write from a textbook: straight loops, one query after another. The baseline
// of the statistics; a seeded generator stands in for `Math.random`, so that both sides of a pair do the same
// work every time.

/** mulberry32, about as fast as `Math.random`. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

const meanOf = (values) => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
};

const deviationOf = (values) => {
  const middle = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - middle) ** 2;
  return Math.sqrt(squares / (values.length - 1));
};

/** Two-sided p of the paired randomization test. */
export function naiveSignFlips(differences, permutations, random = generator(1)) {
  let observed = 0;
  for (let i = 0; i < differences.length; i++) observed += differences[i];
  observed = Math.abs(observed) - 1e-9;
  let extreme = 0;
  for (let permutation = 0; permutation < permutations; permutation++) {
    let sum = 0;
    for (let i = 0; i < differences.length; i++) sum += random() < 0.5 ? differences[i] : -differences[i];
    if (Math.abs(sum) >= observed) extreme++;
  }
  return (extreme + 1) / (permutations + 1);
}

/** The 95 % BCa interval of the mean. */
export function naiveBootstrap(differences, resamples, random = generator(1)) {
  const count = differences.length;
  const middle = meanOf(differences);
  const means = new Float64Array(resamples);
  let below = 0;
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += differences[Math.floor(random() * count)];
    means[resample] = sum / count;
    if (means[resample] < middle) below++;
  }
  means.sort();
  let [squares, cubes] = [0, 0];
  for (let i = 0; i < count; i++) {
    // The mean without query i lies so far from that of all, the other way.
    const distance = (differences[i] - middle) / (count - 1);
    squares += distance ** 2;
    cubes += distance ** 3;
  }
  const acceleration = squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
  const bias = quantileOfNormal(Math.min(Math.max(below, 0.5), resamples - 0.5) / resamples);
  const at = (z) => {
    const share = shareOfNormal(bias + (bias + z) / (1 - acceleration * (bias + z)));
    return means[Math.min(resamples - 1, Math.floor(share * resamples))];
  };
  return { low: at(-1.959963984540054), high: at(1.959963984540054) };
}

/** Two-sided p of Wilcoxon's signed-rank test by the normal distribution, ties shared. */
export function naiveWilcoxon(differences) {
  const moved = Array.from(differences).filter((difference) => difference !== 0);
  const sorted = moved
    .map((difference) => ({ size: Math.abs(difference), isAbove: difference > 0 }))
    .sort((a, b) => a.size - b.size);
  const count = sorted.length;
  let above = 0;
  let ties = 0;
  for (let start = 0; start < count;) {
    let end = start;
    while (end < count && sorted[end].size === sorted[start].size) end++;
    for (let i = start; i < end; i++) if (sorted[i].isAbove) above += (start + 1 + end) / 2;
    ties += (end - start) ** 3 - (end - start);
    start = end;
  }
  const z =
    (above - (count * (count + 1)) / 4) / Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24 - ties / 48);
  return 2 * shareOfNormal(-Math.abs(z));
}

/**
 * Differences, intervals, p values and adjusted ones of every metric of two tables, as a script would have
 * them.
 */
export function naiveComparison(a, b, { permutations = 100_000, resamples = 10_000 } = {}) {
  const placeInB = new Map(b.queryIds.map((id, place) => [id, place]));
  const tested = a.metrics.map(({ name }, column) => {
    const differences = a.queryIds.map(
      (id, row) => b.columns[column][placeInB.get(id)] - a.columns[column][row],
    );
    const error = deviationOf(differences) / Math.sqrt(differences.length);
    const mean = meanOf(differences);
    return {
      name,
      mean,
      t: { low: mean - 1.96 * error, high: mean + 1.96 * error },
      bca: naiveBootstrap(differences, resamples),
      p: naiveSignFlips(differences, permutations),
      improved: differences.filter((difference) => difference > 0).length,
      worse: differences.filter((difference) => difference < 0).length,
    };
  });
  let most = 0;
  const rising = [...tested].sort((x, y) => x.p - y.p);
  rising.forEach(
    (test, place) => (test.adjusted = most = Math.min(1, Math.max(most, test.p * (rising.length - place)))),
  );
  return tested;
}

/** Abramowitz and Stegun 7.1.26: good to seven digits. */
function shareOfNormal(z) {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const tail =
    (t *
      (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
      Math.exp((-z * z) / 2)) /
    2;
  return z < 0 ? tail : 1 - tail;
}

function quantileOfNormal(share) {
  let [low, high] = [-9, 9];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (shareOfNormal(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
