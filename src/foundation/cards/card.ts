/** What is said of every metric, fusion method and normalizer: for help texts, pages and laws. */
export interface Card {
  /** As printed and parsed, without parameters: `nDCG`, `rrf`, `min-max`. Letters, digits, `_` and `-`. */
  readonly name: string;
  /** Further names that are read and never written. */
  readonly aliases?: readonly string[];
  /** The question that it answers, in one sentence. */
  readonly question: string;
  readonly formula: string;
  /** What comes out where something is missing, ties or is equal throughout. */
  readonly edges: string;
  /** The reference implementations that give the same number. */
  readonly agreesWith: string;
  /** Where it was introduced, with DOI where there is one. */
  readonly paper: string;
}
