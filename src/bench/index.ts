/**
 * The evidence benchmark: fixtures of documents and judged queries, on which ways of searching are compared.
 *
 * @module
 */
export type { BenchCase, BenchFixture } from "./bench-fixture.js";
export { collectionBenchFixture, type Collection } from "./collection-bench-fixture.js";
export { paperBenchFixture, type PaperFixtureOptions } from "./paper-bench-fixture.js";
