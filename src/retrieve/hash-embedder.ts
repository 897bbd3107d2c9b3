import { sha256 } from "@noble/hashes/sha2.js";
import type { EmbeddingProvider, EmbeddingProviderCard } from "../records/index.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";

/** How texts are hashed. */
export interface HashEmbedderOptions {
  /** Numbers in a vector. Default 128. */
  readonly dimensions?: number | undefined;
}

const DIMENSIONS = 128;
/** Raised when the same text would get another vector, so that the two are never compared. */
const VERSION = 1;
/**
 * Letters of scripts that put no spaces between words, or inflect within them: each is a token of its own.
 */
const LETTER_ALONE = String.raw`(?=\p{L})[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]`;
/** No run begins with a mark: what selects the look of an emoji is one, and says nothing. */
const TOKENS = new RegExp(
  String.raw`${LETTER_ALONE}|(?!\p{M})(?:(?!${LETTER_ALONE})[\p{L}\p{M}\p{Nd}_+-])+`,
  "gu",
);
/** Tokens whose place is remembered: words repeat, and to hash each anew would take most of the time. */
const MOST_REMEMBERED = 2 ** 16;
/** After so many texts timers, Ctrl-C and the page have their turn. */
const TEXTS_PER_TURN = 1000;

/**
 * Embeds by hashing tokens with signs: offline, without a key, the same vectors everywhere. It knows words,
 * not meaning: the least that a real model has to beat.
 *
 * The text in lower case is cut into runs of letters, digits, marks, `_`, `+` and `-`, and single Han,
 * Hiragana, Katakana and Hangul letters. Of each token's SHA-256 the first four bytes (big-endian, modulo
 * `dimensions`) say the place, and the fifth the sign: `+1` where it is even. The sum has unit length; it is
 * zero where there is no token, or where all cancel out.
 *
 * After K. Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009,
 * https://doi.org/10.1145/1553374.1553516
 *
 * @throws InputError `ARGUMENT` when `dimensions` is not a whole number from 1
 */
export function hashEmbedder(options: HashEmbedderOptions = {}): EmbeddingProvider {
  const { dimensions = DIMENSIONS } = checkKnownOptions(options, ["dimensions"]);
  wholeNumber("dimensions", dimensions);
  const slotOf = rememberSlots(dimensions);
  const model = `hash-${dimensions}`;
  return {
    model,
    identity: `${model}/${VERSION}`,
    async embed(texts, { signal, onProgress } = {}) {
      const vectors: Float32Array[] = [];
      signal?.throwIfAborted();
      while (vectors.length < texts.length) {
        if (vectors.length > 0) await new Promise((resolve) => setTimeout(resolve, 0));
        signal?.throwIfAborted();
        for (const text of texts.slice(vectors.length, vectors.length + TEXTS_PER_TURN))
          vectors.push(hashVector(text, dimensions, slotOf));
        onProgress?.(vectors.length, texts.length);
      }
      return vectors;
    },
  };
}

/** Where a token counts, from 1, negative where it counts against: a place of 0 could have no sign. */
type SlotOf = (token: string) => number;

function hashVector(text: string, dimensions: number, slotOf: SlotOf): Float32Array {
  const sums = new Float64Array(dimensions);
  for (const [token] of text.toLowerCase().matchAll(TOKENS)) {
    const slot = slotOf(token);
    (sums[Math.abs(slot) - 1] as number) += Math.sign(slot);
  }
  // Whole numbers, so that the order of the tokens does not matter to the last bit.
  const length = Math.sqrt(sums.reduce((total, sum) => total + sum * sum, 0));
  return length === 0 ? new Float32Array(dimensions) : Float32Array.from(sums, (sum) => sum / length);
}

function rememberSlots(dimensions: number): SlotOf {
  const utf8 = new TextEncoder();
  const slots = new Map<string, number>();
  return (token) => {
    const known = slots.get(token);
    if (known !== undefined) return known;
    const digest = new DataView(sha256(utf8.encode(token)).buffer);
    const place = (digest.getUint32(0) % dimensions) + 1;
    const slot = digest.getUint8(4) % 2 === 0 ? place : -place;
    if (slots.size === MOST_REMEMBERED) slots.clear();
    slots.set(token, slot);
    return slot;
  };
}

export const hashEmbedderCard: EmbeddingProviderCard = {
  name: "hash",
  about: "offline, no key",
  open: () => hashEmbedder(),
};
