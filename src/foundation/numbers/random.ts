/** The least and the largest seed: 32 bits, with a sign or without one. */
export const SEEDS = { least: -(2 ** 31), most: 2 ** 32 - 1 };

/**
 * A source of random words of 32 bits, the same everywhere for the same seed: sfc32 by Chris Doty-Humphrey
 * (PractRand), seeded by splitmix32. Many at a time, so that the state stays in registers.
 *
 * @param seed a whole number; its lowest 32 bits count.
 */
export function seededWords(seed: number): (words: Uint32Array) => void {
  let mixed = seed | 0;
  const state = Int32Array.from({ length: 4 }, () => {
    mixed = (mixed + 0x9e3779b9) | 0;
    const first = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
    return second ^ (second >>> 16);
  });
  return (words) => fillWords(state, words);
}

/**
 * A function of its own, which takes the state: within the closure V8 keeps it boxed, and each word takes six
 * times as long. For the same reason all that is kept is made a whole number.
 */
function fillWords(state: Int32Array, words: Uint32Array): void {
  let a = (state[0] as number) | 0;
  let b = (state[1] as number) | 0;
  let c = (state[2] as number) | 0;
  let counter = (state[3] as number) | 0;
  const { length } = words;
  for (let i = 0; i < length; i++) {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = (b ^ (b >>> 9)) | 0;
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    words[i] = sum;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}

const BUFFERED = 64;

/** A generator of numbers from 0 (included) to 1 (excluded), from {@link seededWords}. */
export function seededRandom(seed: number): () => number {
  const fill = seededWords(seed);
  const words = new Uint32Array(BUFFERED);
  let next = BUFFERED;
  return () => {
    if (next === BUFFERED) {
      fill(words);
      next = 0;
    }
    return (words[next++] as number) / 2 ** 32;
  };
}
