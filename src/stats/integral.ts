/** Nodes and weights of Gauss and Legendre on [-1, 1], found by Newton's method. */
function gaussLegendre(count: number): readonly (readonly [node: number, weight: number])[] {
  return Array.from({ length: count }, (_, index) => {
    let x = Math.cos((Math.PI * (index + 0.75)) / (count + 0.5));
    for (;;) {
      let before = 0;
      let value = 1;
      for (let n = 1; n <= count; n++)
        [before, value] = [value, ((2 * n - 1) * x * value - (n - 1) * before) / n];
      const slope = (count * (x * value - before)) / (x * x - 1);
      const step = value / slope;
      x -= step;
      if (Math.abs(step) < 1e-15) return [x, 2 / ((1 - x * x) * slope * slope)] as const;
    }
  });
}

/** Points of a piece. */
export const NODES = 32;
let nodes: ReturnType<typeof gaussLegendre> | null = null;

/** The integral of a smooth function, in pieces of one rule each. */
export function integral(of: (x: number) => number, from: number, to: number, pieces: number): number {
  nodes ??= gaussLegendre(NODES);
  const half = (to - from) / pieces / 2;
  let sum = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const middle = from + (2 * piece + 1) * half;
    for (const [node, weight] of nodes) sum += weight * of(middle + half * node);
  }
  return sum * half;
}
