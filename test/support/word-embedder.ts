import type { EmbeddingProvider } from "../../src/retrieve/index.js";

const DIMENSIONS = 64;

/**
 * Counts words in a few dimensions: texts that share words are near each other, a text without words has no
 * direction.
 */
export function wordEmbedder(): EmbeddingProvider {
  return { model: "words-64", identity: "words-64", embed: async (texts) => texts.map(counted) };
}

function counted(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0;
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) >>> 0;
    (vector[hash % DIMENSIONS] as number)++;
  }
  return vector;
}

/** Gives each text the vector that stands under it. */
export function tableEmbedder(
  table: Readonly<Record<string, readonly number[]>>,
  identity = "table",
): EmbeddingProvider {
  return {
    model: identity,
    identity,
    embed: async (texts) => texts.map((text) => Float32Array.from(table[text] ?? [])),
  };
}
