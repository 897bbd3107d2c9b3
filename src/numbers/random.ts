/**
 * A generator of numbers from 0 (included) to 1 (excluded), the same everywhere for the same seed: sfc32 by Chris Doty-Humphrey
 * (PractRand), seeded by splitmix32.
 *
 * @param seed a whole number; its lowest 32 bits count.
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  };
  let [a, b, c, counter] = [next(), next(), next(), next()] as [number, number, number, number];
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
