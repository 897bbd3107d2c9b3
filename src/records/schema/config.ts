import * as z from "zod";
import {
  backendConfigSchema,
  datasetConfigSchema,
  labelerConfigSchema,
  rerankerConfigSchema,
} from "./dataset.js";
import { path } from "./primitives.js";
import { tuningConfigSchema } from "./tuning-config.js";

const names = z.array(z.string({ error: "must be a name" }), { error: "must be a list of names" });
const MAPPING = { error: "must be a mapping" };
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const ID_RULE = "must be small letters, digits, dots, lines and underscores, at most 64";
const metric = z.string({ error: "must be the printed name of a metric" });

/** How hybrids are fused. */
export const fusionConfigSchema = z.strictObject(
  {
    method: z
      .string({ error: "must be the name of a method, such as wsum(weights=0.7/0.3)" })
      .describe("a fusion method with its parameters, such as wsum(weights=0.7/0.3)."),
    normalize: z
      .string({ error: "must be the name of a normalizer" })
      .optional()
      .describe("how scores are made comparable; what the method needs by default."),
  },
  MAPPING,
);

/**
 * The configuration of a project: what commands take where no flag says otherwise. Paths are relative to the
 * file.
 */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe("For editors; not read."),
  golden: path.optional().describe("the golden set."),
  store: path.optional().describe("the store: an SQLite file, or a postgresql:// address."),
  labels: path
    .optional()
    .describe("the label store; by default a postgresql:// store, else .rankproof/labels.sqlite."),
  artifacts: path
    .optional()
    .describe("the folder of what commands write besides the stores; .rankproof by default."),
  system: path.optional().describe("the module that `rankproof run` records."),
  metrics: names.optional().describe("further metrics, such as nDCG@10."),
  primary: metric.optional().describe("the metric that decides."),
  guards: names
    .optional()
    .describe("metrics that must not fall, or by no more than a loss: `R@100`, `R@100=0.01`."),
  gates: z
    .array(z.string({ error: "must be a rule" }), {
      error: "must be a list of rules, or of files of them: `[gates.txt]`",
    })
    .min(1, { error: "must have a rule: a gate without any would pass everything" })
    .optional()
    .describe(
      "rules, or files of them, that `run` and `compare` fail by, such as `MRR@10 not worse by 0.02`.",
    ),
  slices: names.optional().describe("slice by these labels only."),
  fusion: fusionConfigSchema.optional().describe("how hybrids are fused; `tune fusion --apply` writes it."),
  maxFailedShare: z
    .number({ error: "must be a share from 0 to 1" })
    .min(0, { error: "must be a share from 0 to 1" })
    .max(1, { error: "must be a share from 0 to 1" })
    .optional()
    .describe("share of failed results above which a run is not compared; 0.2 by default."),
  stopAfterFailures: z
    .int({ error: "must be a whole number from 1" })
    .min(1, { error: "must be a whole number from 1" })
    .optional()
    .describe("stop a recording when so many queries were asked and all failed alike; 5 by default."),
  datasets: z
    .record(z.string().regex(ID, { error: ID_RULE }), datasetConfigSchema, MAPPING)
    .optional()
    .describe("what is labelled, by id."),
  scorecards: z
    .record(z.string(), names, MAPPING)
    .optional()
    .describe("metrics that a live search is measured by, the one that decides first, by name."),
  backends: z.record(z.string(), backendConfigSchema, MAPPING).optional().describe("searches, by name."),
  tuning: z
    .record(z.string(), tuningConfigSchema, MAPPING)
    .optional()
    .describe("how `tune backend` changes the configuration of a search, by the name of the backend."),
  rerankers: z.record(z.string(), rerankerConfigSchema, MAPPING).optional().describe("who reranks, by name."),
  labelers: z.record(z.string(), labelerConfigSchema, MAPPING).optional().describe("who labels, by name."),
});
