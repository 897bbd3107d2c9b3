export { chunkerVersionOf } from "./chunk-places.js";
export { docSpanMatching, type DocSpanMatching } from "./doc-span-matcher.js";
export { exactMatcher, matchDocuments, type Matcher, type Matches } from "./matcher.js";
export { spansOverlap } from "./overlap.js";
export { citationResolver, citesOnlyRealChunks, type CitationResolver } from "./resolve-citations.js";
