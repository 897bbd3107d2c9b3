// Absolute times of a machine move by a factor of two; the median ratio of alternating pairs moves by a
// tenth.

/**
 * The median of the ratios time(a) / time(b) over alternating pairs A B, B A, …, and the median times in
 * milliseconds.
 */
export function pairedRatio(a, b, pairs = 15) {
  a();
  b();
  const measured = Array.from({ length: pairs }, (_, index) => {
    const [first, second] = index % 2 === 0 ? [a, b] : [b, a];
    const [x, y] = [time(first), time(second)];
    return index % 2 === 0 ? [x, y] : [y, x];
  });
  return {
    ratio: median(measured.map(([x, y]) => x / y)),
    a: median(measured.map(([x]) => x)),
    b: median(measured.map(([, y]) => y)),
  };
}

function time(work) {
  globalThis.gc?.();
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values) {
  return [...values].sort((x, y) => x - y)[values.length >> 1];
}
