import * as z from "zod";
import { filled, path, wholeFrom1 } from "./primitives.js";

const record = { error: "must be a mapping" };

const money = z.number({ error: "must be a number" }).min(0, { error: "must be a number from 0" });

/** What a million tokens of a model cost. */
export const tokenPriceSchema = z.strictObject({
  input: money.describe("of requests."),
  output: money.describe("of answers."),
  currency: filled.describe("such as `EUR`."),
});

/** A model behind an OpenAI-compatible chat endpoint. */
export const openaiLabelerConfigSchema = z.strictObject({
  kind: z.literal("openai").describe("an OpenAI-compatible chat endpoint."),
  model: filled.optional().describe("its model; by default that of `RANKPROOF_CHAT_MODEL`."),
  baseUrl: filled
    .optional()
    .describe("what `/chat/completions` is appended to; by default of the environment."),
  apiKey: filled.optional().describe("better left to `RANKPROOF_CHAT_API_KEY`; with a `baseUrl`, `${NAME}`."),
  prompt: filled.optional().describe("`product` (default), `passage`, or a YAML or JSON file of your own."),
  mode: z
    .enum(["simple", "complex"], { error: "must be simple or complex" })
    .optional()
    .describe("`complex` asks for a profile of each query first."),
  parameters: z
    .record(z.string(), z.unknown(), record)
    .optional()
    .describe("sent with each request, such as `{ temperature: 0 }`, which is the default."),
  batchSize: wholeFrom1.optional().describe("most items in a request; 50 by default."),
  votes: wholeFrom1.optional().describe("how often each item is judged; 1 by default."),
  concurrency: wholeFrom1.optional().describe("queries that are labelled at once; 4 by default."),
  requestsPerMinute: wholeFrom1.optional().describe("no limit by default."),
  timeoutMs: wholeFrom1
    .optional()
    .describe("longest time for an answer, in milliseconds; 120,000 by default."),
  maxItemCharacters: wholeFrom1
    .optional()
    .describe("most characters of an item that are sent; 2,000 by default."),
  price: tokenPriceSchema.optional().describe("without it no money is counted."),
});

/** The baseline that needs no model. */
export const overlapLabelerConfigSchema = z.strictObject({
  kind: z.literal("overlap").describe("the share of the query's words that an item has."),
});

/** A module of your own that grades. */
export const moduleLabelerConfigSchema = z.strictObject({
  kind: z.literal("module").describe("a module that exports `grade(query, item)`."),
  path: path.describe("the module."),
  version: filled.describe("changes whenever its grades may."),
});

/** Who labels. */
export const labelerConfigSchema = z.discriminatedUnion(
  "kind",
  [openaiLabelerConfigSchema, overlapLabelerConfigSchema, moduleLabelerConfigSchema],
  { error: "must have a kind: openai, overlap or module" },
);

/** A service that scores documents for a question. */
export const httpRerankerConfigSchema = z.strictObject({
  kind: z.literal("http").describe("a service with `/rerank`."),
  form: z
    .enum(["documents", "texts"], { error: "must be documents or texts" })
    .optional()
    .describe(
      "`documents` (Cohere, Jina, vLLM; default) or `texts` (Text Embeddings Inference): how it is asked.",
    ),
  model: filled.optional().describe("its model; by default that of `RANKPROOF_RERANK_MODEL`."),
  baseUrl: filled
    .optional()
    .describe("what `/rerank` is appended to; by default of `RANKPROOF_RERANK_BASE_URL`."),
  apiKey: filled.optional().describe("better left to `RANKPROOF_RERANK_API_KEY`; else `${NAME}`."),
  batchSize: wholeFrom1.optional().describe("most documents in a request; 80 by default, 32 of `texts`."),
  concurrency: wholeFrom1.optional().describe("requests at once; 4 by default."),
  requestsPerMinute: wholeFrom1.optional().describe("no limit by default."),
  timeoutMs: wholeFrom1
    .optional()
    .describe("longest time for an answer, in milliseconds; 60,000 by default."),
  maxItemCharacters: wholeFrom1
    .optional()
    .describe("most characters of an item that are sent; 2,000 by default."),
});

/** The reranker that needs no model. */
export const overlapRerankerConfigSchema = z.strictObject({
  kind: z.literal("overlap").describe("the share of the query's words that an item has."),
});

/** A module of your own that scores. */
export const moduleRerankerConfigSchema = z.strictObject({
  kind: z.literal("module").describe("a module that exports `score(query, documents)`."),
  path: path.describe("the module."),
  version: filled.describe("changes whenever its scores may."),
  batchSize: wholeFrom1.optional().describe("most documents in a call; 80 by default."),
  maxItemCharacters: wholeFrom1.optional().describe("most characters of an item; 2,000 by default."),
});

/** Who reranks. */
export const rerankerConfigSchema = z.discriminatedUnion(
  "kind",
  [httpRerankerConfigSchema, overlapRerankerConfigSchema, moduleRerankerConfigSchema],
  { error: "must have a kind: http, overlap or module" },
);

/** The search that is built in. */
export const builtinBackendConfigSchema = z.strictObject({
  kind: z.literal("builtin").describe("BM25 over the corpus, in memory."),
});

const pointer = (what: string): z.ZodOptional<z.ZodString> =>
  z
    .string({ error: "must be a JSON Pointer such as /hits/hits" })
    .regex(/^(?:\/.*)?$/s, { error: "must be a JSON Pointer such as /hits/hits, or empty for all of it" })
    .optional()
    .describe(what);
const METHOD = { error: "must be GET or POST" };
const requestShape = {
  method: z.enum(["GET", "POST"], METHOD).optional().describe("POST by default."),
  path: z.string({ error: "must be a path" }).optional().describe("put behind the address."),
  params: z
    .record(z.string(), z.string({ error: "must be a text" }), record)
    .optional()
    .describe("put into the address; one that is not known at the moment is left out."),
  body: z.unknown().optional().describe("sent as JSON, with names in braces filled in."),
};

/** Where an item has what. */
const itemShape = {
  id: pointer("its id; a number becomes text; /id by default."),
  fields: pointer("its fields; all of it by default."),
  omit: z
    .array(filled, { error: "must be a list of names" })
    .optional()
    .describe("fields that say nothing of the item itself, such as a score."),
};

/** Where a listed item has what. */
export const listedItemConfigSchema = z.strictObject(itemShape);

/** Where a hit has what. */
export const hitConfigSchema = z.strictObject({
  ...itemShape,
  score: pointer("its score; none by default."),
  lowerIsBetter: z
    .boolean({ error: "must be true or false" })
    .optional()
    .describe("of a distance; its sign is turned round."),
  features: pointer("numbers by name."),
});

/** How all items of a search are listed; by default at the same path as the search. */
export const itemListConfigSchema = z.strictObject({
  ...requestShape,
  items: pointer("where its items are; where the hits are, at the same path; else all of it."),
  item: listedItemConfigSchema.optional().describe("where an item has what; as a hit by default."),
  next: pointer("where the answer says how the next page is asked for, as `{cursor}`."),
  nextOfLast: pointer("where the last item says so."),
  start: filled.optional().describe("`{cursor}` of the first page; none by default."),
  pageSize: wholeFrom1.optional().describe("`{limit}` of each page; 1,000 by default."),
  isJsonl: z
    .boolean({ error: "must be true or false" })
    .optional()
    .describe("an item a line, all of them in one answer."),
});

/** What a service says of its settings. */
export const settingsRequestConfigSchema = z.strictObject(requestShape);

/** How a search service is asked, and where its answers have what. */
const searchShape = {
  ...requestShape,
  hits: pointer("where the hits are; they are searched for by default."),
  hit: hitConfigSchema.optional().describe("where a hit has what."),
  plan: pointer("where the answer says how it searched."),
  channels: z
    .record(z.string(), z.string({ error: "must be a JSON Pointer" }), record)
    .optional()
    .describe("where the answer has the ids of a stage, best first, by its name."),
  total: z
    .union([z.literal(false), z.string().regex(/^(?:\/.*)?$/s)], {
      error: "must be a JSON Pointer such as /hits/total, or false where nothing is to be counted",
    })
    .optional()
    .describe(
      "where the answer says how many hits there are; fewer than that are an error. false for an " +
        "engine that counts what it then puts together (collapse, grouping).",
    ),
  partial: z
    .array(z.string({ error: "must be a JSON Pointer" }), { error: "must be a list" })
    .optional()
    .describe("where an answer says that it has a part of the hits alone; that is an error."),
  error: z
    .union([z.string(), z.array(z.string())], { error: "must be a JSON Pointer, or a list of them" })
    .optional()
    .describe("where an answer that is an error says why; of several the first that is there."),
  pageSize: wholeFrom1
    .optional()
    .describe("most hits of a request; more are asked for by `{offset}` or `{page}`."),
  list: itemListConfigSchema.optional().describe("how all items are listed, in place of a corpus."),
  configuration: settingsRequestConfigSchema.optional().describe("where the service says its settings."),
  variables: z
    .record(z.string(), z.union([z.string(), z.number()], { error: "must be a text or a number" }), record)
    .optional()
    .describe("what further names in braces stand for."),
};
const serviceShape = {
  url: filled.describe("its address."),
  headers: z.record(z.string(), filled, record).optional().describe("such as a key: `${NAME}`."),
  timeoutMs: wholeFrom1
    .optional()
    .describe("longest time for an answer, in milliseconds; 30,000 by default."),
  retries: z
    .int({ error: "must be a whole number from 0" })
    .min(0, { error: "must be a whole number from 0" })
    .optional()
    .describe("how often a request is sent again after 429, 502, 503, 504 or no answer; 2 by default."),
  concurrency: wholeFrom1.optional().describe("requests at once; 4 by default."),
  requestsPerMinute: wholeFrom1.optional().describe("no limit by default."),
  maxAnswerBytes: wholeFrom1.optional().describe("most bytes of an answer; 67,108,864 by default."),
};

/** A search service of any kind. */
export const httpBackendConfigSchema = z.strictObject({
  kind: z.literal("http").describe("a search service; by default `{query, limit}` is posted to it."),
  ...serviceShape,
  ...searchShape,
});

/** Search engines that are asked in a way that is known. */
export const searchPresets = [
  "elasticsearch",
  "solr",
  "vespa",
  "typesense",
  "meilisearch",
  "qdrant",
] as const;

/** A search engine. What is given besides goes before what its kind says. */
export const engineBackendConfigSchema = z.strictObject({
  kind: z.enum(searchPresets).describe("the engine; OpenSearch is asked as elasticsearch."),
  ...serviceShape,
  index: filled.optional().describe("its index, collection or schema: `{index}`."),
  ...searchShape,
});

/** SQL over PostgreSQL. */
export const postgresqlBackendConfigSchema = z.strictObject({
  kind: z.literal("postgresql").describe("a query in SQL; needs the package `pg`."),
  url: filled.describe("how to connect: `${DATABASE_URL}`."),
  sql: filled.describe(
    "the query, best first: `$1` are the words, `$2` is how many hits; columns `id`, `score`, and fields.",
  ),
  listSql: filled.optional().describe("a query for all items: column `id`, and fields."),
  timeoutMs: wholeFrom1
    .optional()
    .describe("longest time for an answer, in milliseconds; 30,000 by default."),
});

/** A module that searches. */
export const moduleBackendConfigSchema = z.strictObject({
  kind: z.literal("module").describe("a module that exports `retrieve(query)`, as `rankproof run` takes it."),
  path: path.describe("the module."),
});

/** What was recorded of a search. */
export const runBackendConfigSchema = z.strictObject({
  kind: z.literal("run").describe("a run file."),
  path: path.describe("the run, of any format that is read."),
});

/** Where hits come from. */
export const backendConfigSchema = z.discriminatedUnion(
  "kind",
  [
    builtinBackendConfigSchema,
    httpBackendConfigSchema,
    engineBackendConfigSchema,
    postgresqlBackendConfigSchema,
    moduleBackendConfigSchema,
    runBackendConfigSchema,
  ],
  { error: `must have a kind: builtin, http, ${searchPresets.join(", ")}, postgresql, module or run` },
);

/** Queries and a corpus, and who searches and labels them. */
export const datasetConfigSchema = z.strictObject({
  queries: path.describe("a line each, TSV, JSONL, BEIR, or a golden set."),
  corpus: path
    .optional()
    .describe(
      "JSONL or JSON: objects with an id and the fields that raters see; by default what the backend lists.",
    ),
  fields: z
    .array(filled, { error: "must be a list of names" })
    .optional()
    .describe("the fields that raters see, in this order; all by default."),
  language: filled.optional().describe("for the built-in search; `english` by default."),
  tenant: filled.optional().describe("whose labels they are; `default` by default."),
  backend: filled.optional().describe("a name of `backends`; the built-in search by default."),
  reranker: filled
    .optional()
    .describe("a name of `rerankers`; none by default, and `overlap` for a deep rebuild."),
  labeler: filled.optional().describe("a name of `labelers`; `overlap` by default."),
  scorecard: filled
    .optional()
    .describe("a name of `scorecards`; by default that of search teams, on grades from 0 to 3."),
  licence: filled.optional().describe("shown wherever its text is."),
});
