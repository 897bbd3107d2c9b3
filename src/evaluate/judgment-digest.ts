import { fnv1a } from "../foundation/ids/index.js";
import type { QrelsTable } from "../formats/trec/index.js";
import { hashOf } from "../formats/trec/internal.js";
import type { EvaluationPartial, Qrels } from "../records/index.js";

/** Tells judgments from others: a digest, and the number of queries. */
export type JudgmentDigest = Pick<EvaluationPartial["judgments"], "digest" | "queries">;

/** Four words of 32 bits, each begun and mixed in another way. */
const SEEDS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];
const grade = new Float64Array(1);
const gradeWords = new Uint32Array(grade.buffer);

/**
 * A digest of judgments that does not depend on the order of their lines, and is the same from a table and
 * from records: the sums of a hash of each judgment. It tells a mistake, not an attack.
 */
class DigestOfJudgments {
  readonly #sums = new Uint32Array(SEEDS.length);
  #query = 0;

  begin(queryId: string): void {
    this.#query = fnv1a(queryId);
    // A query without judgments is one, too.
    this.add(0, NaN);
  }

  add(itemHash: number, given: number, subtopic = 0): void {
    grade[0] = given;
    for (let at = 0; at < SEEDS.length; at++) {
      const seed = SEEDS[at] as number;
      let hash = mixBits(this.#query ^ seed);
      hash = mixBits(hash ^ itemHash);
      hash = mixBits(hash ^ (gradeWords[0] as number));
      hash = mixBits(hash ^ (gradeWords[1] as number) ^ Math.imul(subtopic, seed));
      (this.#sums[at] as number) += hash;
    }
  }

  get hex(): string {
    return [...this.#sums].map((sum) => sum.toString(16).padStart(8, "0")).join("");
  }
}

/** The finalizer of MurmurHash3, which lets every bit change every other one. */
function mixBits(hash: number): number {
  let mixing = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixing = Math.imul(mixing ^ (mixing >>> 13), 0xc2b2ae35);
  return mixing ^ (mixing >>> 16);
}

/** The digest of judgments. */
export function judgmentDigest({ queries }: Qrels): JudgmentDigest {
  const digest = new DigestOfJudgments();
  const encoder = new TextEncoder();
  for (const [queryId, { grades, subtopics }] of queries) {
    digest.begin(queryId);
    for (const [itemId, given] of grades) {
      const bytes = encoder.encode(itemId);
      const hash = hashOf(bytes, 0, bytes.length);
      digest.add(hash, given);
      for (const [subtopic, each] of subtopics?.documents[subtopics.places.get(itemId) ?? -1] ?? [])
        digest.add(hash, each, subtopic + 1);
    }
  }
  return { digest: digest.hex, queries: queries.size };
}

/** The digest of a table, which is that of the same judgments as records. */
export function tableDigest({ queries, hashes, grades }: QrelsTable): JudgmentDigest {
  const digest = new DigestOfJudgments();
  for (const { id, from, to } of queries.values()) {
    digest.begin(id);
    for (let entry = from; entry < to; entry++) digest.add(hashes[entry] as number, grades[entry] as number);
  }
  return { digest: digest.hex, queries: queries.size };
}
