// Writes schemas/*.schema.json, made of the zod schemas: `node scripts/schemas.js`. A test compares them.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const root = fileURLToPath(new URL("../", import.meta.url));

/** What is published: file, title, what it is, and its shape among those of `rankproof/schema`. */
const PUBLISHED = [
  [
    "golden-set",
    "Golden set",
    "Queries with what they should retrieve and say: a list of queries, or a mapping with `queries`.",
    ({ goldenSetSchema, goldenQuerySchema }) => z.union([goldenSetSchema, z.array(goldenQuerySchema)]),
  ],
  [
    "config",
    "Configuration",
    "What commands take where no flag says otherwise: rankproof.config.json or .yaml.",
    ({ configSchema }) => configSchema,
  ],
  [
    "bench-fixture",
    "Benchmark fixture",
    "Papers, and queries with judgments of their sections.",
    ({ benchFixtureSchema }) => benchFixtureSchema,
  ],
  [
    "run",
    "Run",
    "What one version of a system returned for a set of queries.",
    ({ evalRunSchema }) => evalRunSchema,
  ],
  [
    "aggregate",
    "Aggregate",
    "The scores of one run, at 4 decimals, with their denominators.",
    ({ aggregateMetricsSchema }) => aggregateMetricsSchema,
  ],
  [
    "run-report",
    "Report on one run",
    "One run by itself: its scores with intervals, slices, where its first relevant hits stand, every query.",
    ({ runReportSchema }) => runReportSchema,
  ],
  [
    "evaluation",
    "Evaluation",
    "The scores of one run against judgments.",
    ({ evaluationRecordSchema }) => evaluationRecordSchema,
  ],
  [
    "compare-report",
    "Comparison of two runs",
    "Two runs side by side: scores, differences, and what became of every query.",
    ({ compareReportSchema }) => compareReportSchema,
  ],
  [
    "score-comparison",
    "Comparison of scores",
    "Two runs or more over the same queries: differences, whether they are real, and what follows.",
    ({ scoreComparisonSchema }) => scoreComparisonSchema,
  ],
  [
    "ranking-agreement",
    "Agreement of rankings",
    "How alike the rankings of two runs are, without judgments.",
    ({ rankingAgreementSchema }) => rankingAgreementSchema,
  ],
  [
    "bench-report",
    "Benchmark report",
    "Retrieval modes side by side on one fixture, and whether embeddings earn their keep.",
    ({ benchReportSchema }) => benchReportSchema,
  ],
  [
    "gate-report",
    "Gate report",
    "What rules say about a result, rule by rule.",
    ({ gateReportSchema }) => gateReportSchema,
  ],
];

/**
 * The published JSON Schemas (draft 2020-12) of what is read and written: path below the root, and content.
 * Fields that older files lack are optional.
 */
export function publishedSchemas(shapes) {
  return new Map(
    PUBLISHED.map(([name, title, description, shapeOf]) => {
      const { $schema, ...schema } = z.toJSONSchema(shapeOf(shapes), {
        io: "input",
        unrepresentable: "any",
        override,
      });
      return [
        `schemas/${name}.schema.json`,
        `${JSON.stringify({ $schema, title, description, ...schema }, null, "\t")}\n`,
      ];
    }),
  );
}

/** A field that must not be there is the one thing that zod does not say in JSON Schema. */
function override({ zodSchema, jsonSchema }) {
  const { type } = zodSchema._zod.def;
  // That a number can be held says nothing of what it means.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (type === "undefined") jsonSchema.not = {};
  else if (["transform", "custom", "date", "map", "set", "bigint", "symbol"].includes(type))
    throw new Error(`JSON Schema has nothing for z.${type}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}schemas`, { recursive: true });
  for (const [path, content] of publishedSchemas(await import("rankproof/schema")))
    writeFileSync(root + path, content);
}
