// Writes what is made of the zod schemas: schemas/*.schema.json, the types of `src/records/types/index.ts`,
// and
// `test/records/types-check.ts`, which holds the types against the schemas. A test compares them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import ts from "typescript";
import * as z from "zod";
import { namesOf, recordTypes, typesCheck } from "./types.js";

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
    ({ paperFixtureSchema }) => paperFixtureSchema,
  ],
  [
    "run",
    "Run",
    "What one version of a system returned for a set of queries.",
    // What a file does not say of a run, its reader fills in.
    ({ evalRunSchema }) =>
      evalRunSchema.partial({ run_id: true, suite: true, created_at: true, config_snapshot: true }),
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
    "batch-report",
    "Batch report",
    "A live search held against labels: scores, whose labels they rest on, and every query.",
    ({ batchReportSchema }) => batchReportSchema,
  ],
  [
    "audit-sample",
    "Sample for an audit",
    "Queries that were drawn by chance for people to label.",
    ({ auditSampleSchema }) => auditSampleSchema,
  ],
  [
    "label-audit",
    "Audit of labels",
    "Two sets of labels of the same pairs held against each other, and how the judge behind them was tried.",
    ({ labelAuditSchema }) => labelAuditSchema,
  ],
  [
    "evaluation",
    "Evaluation",
    "The scores of one run against judgments.",
    ({ evaluationRecordSchema }) => evaluationRecordSchema,
  ],
  [
    "evaluation-partial",
    "Shards of an evaluation",
    "The scores of some of a run's queries, to be merged with those of the others.",
    ({ evaluationPartialSchema }) => evaluationPartialSchema,
  ],
  [
    "aggregate-partial",
    "Shards of an aggregate",
    "What some of the golden queries add to the scores of a run, to be merged with the others.",
    ({ aggregatePartialSchema }) => aggregatePartialSchema,
  ],
  [
    "label-origin",
    "Origin of judgments",
    "Who made the labels that a qrels file was exported from: FILE.labels.json beside it.",
    ({ labelOriginSchema }) => labelOriginSchema,
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
    "fusion-tuning",
    "Search for a way to fuse runs",
    "The whole curve of fusion weights, what is chosen, and whether it holds for queries that had no say.",
    ({ fusionTuningSchema }) => fusionTuningSchema,
  ],
  [
    "experiments",
    "Experiments",
    "Settings of a live search that `tune backend` tries.",
    ({ experimentsSchema }) => experimentsSchema,
  ],
  [
    "backend-tuning",
    "Experiments on a live search",
    "How settings of a live search scored, which is chosen, and whether it holds for queries " +
      "that had no say.",
    ({ backendTuningSchema }) => backendTuningSchema,
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
  const metadata = named(schemasOf(shapes));
  return new Map(
    PUBLISHED.map(([name, title, description, shapeOf]) => {
      const { $schema, ...schema } = z.toJSONSchema(shapeOf(shapes), {
        io: "input",
        unrepresentable: "any",
        metadata,
        override,
      });
      return [
        `schemas/${name}.schema.json`,
        `${JSON.stringify({ $schema, title, description, ...schema })}\n`,
      ];
    }),
  );
}

/** What is made of the schemas besides: path below the root, and source. */
export async function madeOfSchemas(shapes) {
  const schemas = schemasOf(shapes);
  const sources = [
    ["src/records/types/index.ts", recordTypes(schemas, typeDocs())],
    ["test/records/types-check.ts", typesCheck(schemas)],
  ];
  const made = sources.map(async ([path, source]) => {
    const settings = { ...(await resolveConfig(root + path)), filepath: path };
    return [path, await format(source, settings)];
  });
  return new Map(await Promise.all(made));
}

const schemasOf = (shapes) =>
  Object.fromEntries(Object.entries(shapes).filter(([, shape]) => shape instanceof z.core.$ZodType));

/** What schemas say of themselves, with the name of each that has one: it is written once and referred to. */
function named(schemas) {
  const names = namesOf(schemas);
  const docs = typeDocs();
  return {
    get(schema) {
      const own = z.globalRegistry.get(schema);
      const id = names.get(schema);
      return id === undefined ? own : { description: docs.get(id), ...own, id };
    },
    has: (schema) => names.has(schema) || z.globalRegistry.has(schema),
  };
}

/** What each named type is, by its name: the comment at its schema. */
function typeDocs() {
  const folder = `${root}src/records/schema/`;
  return new Map(
    readdirSync(folder).flatMap((file) =>
      ts
        .createSourceFile(file, readFileSync(folder + file, "utf8"), ts.ScriptTarget.Latest, true)
        .statements.filter(ts.isVariableStatement)
        .flatMap((statement) => {
          const [doc] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
          const name = statement.declarationList.declarations[0].name.getText();
          if (doc === undefined || !name.endsWith("Schema")) return [];
          const text = ts.getTextOfJSDocComment(doc.comment).replace(/\s+/g, " ");
          return [[name[0].toUpperCase() + name.slice(1, -"Schema".length), text]];
        }),
    ),
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
  const shapes = await import("rankproof/schema");
  mkdirSync(`${root}schemas`, { recursive: true });
  for (const [path, content] of [...publishedSchemas(shapes), ...(await madeOfSchemas(shapes))])
    writeFileSync(root + path, content);
}
