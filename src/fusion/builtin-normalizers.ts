// One line per normalizer: the catalogue, the parser and the laws follow from it.
export { noNormalizer } from "./no-normalizer.js";
export { minMaxNormalizer } from "./min-max-normalizer.js";
export { minMaxInvertedNormalizer } from "./min-max-inverted-normalizer.js";
export { maxNormalizer } from "./max-normalizer.js";
export { sumNormalizer } from "./sum-normalizer.js";
export { zmuvNormalizer } from "./zmuv-normalizer.js";
export { rankNormalizer } from "./rank-normalizer.js";
export { bordaNormalizer } from "./borda-normalizer.js";
