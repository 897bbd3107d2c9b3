// Two packages that come without types: what is used of them.

declare module "stopword" {
  /** English. */
  export const eng: readonly string[];
}

declare module "snowball-stemmers" {
  export function newStemmer(algorithm: string): { stem(word: string): string };
}
