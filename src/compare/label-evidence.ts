import type { ComparedSystem } from "./compared-system.js";

/** Grades by query id, then by item. */
export type GradesByQuery = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Queries drawn by chance to be labelled by people. */
export interface QuerySample {
  /** All queries that it was drawn from by id, each with its stratum; one where nothing stratifies. */
  readonly frame: ReadonlyMap<string, string>;
  /** Those that were drawn: of one stratum all with the same probability. */
  readonly drawn: ReadonlySet<string>;
}

/** Who made judgments: what a comparison needs to say how far they carry. */
export interface LabelEvidence {
  /** What the model behind the labels is called; null where none is known. */
  readonly labeler: string | null;
  /** The model itself, to know runs that search with it; null where it has none. */
  readonly labelerModel?: string | null | undefined;
  /** Whose labels the judgments are; null where nothing is known of them. */
  readonly counts: { readonly people: number; readonly model: number } | null;
  /** The labels of people alone; without them nothing is corrected. */
  readonly byPeople?: GradesByQuery | undefined;
  /** The labels of the model alone, of people's queries, too. */
  readonly byModel?: GradesByQuery | undefined;
  readonly sample?: QuerySample | null | undefined;
}

/**
 * The runs that search with the model that labelled: `reranker.model` or `embedding.model` of their
 * configuration is its model, whatever the vendor's prefix and the date behind it.
 *
 * @param model of the labeler; null where it has none.
 */
export function selfJudgedRuns(
  systems: readonly ComparedSystem[],
  model: string | null | undefined,
): string[] {
  if (model == null || model === "") return [];
  const wanted = modelFamily(model);
  return systems
    .filter(({ run }) => modelsOf(run).some((each) => modelFamily(each) === wanted))
    .map(({ name }) => name);
}

/**
 * Vendors and regions: `us.anthropic.claude-3`, `openai:gpt-4o`. Before a colon only those that are known as
 * such, since in `gemma:7b` and `mistral:v0.1` the model itself stands there.
 */
const VENDORS = new RegExp(
  "^(?:(?:us-gov|[a-z]+\\d*)\\.(?=[a-z])|(?:anthropic|azure|azure_openai|bedrock|bedrock_converse|cohere|" +
    "ft|google|google_genai|google-vertex|groq|huggingface|jina|mistral(?=:[a-z]+stral-)|ollama|openai|" +
    "openrouter|perplexity|together|vertexai|vertex_ai|voyage|voyageai|xai):)+",
);

/** A model without its vendor and its date: `openai/GPT-4o-2024-08-06` is `gpt-4o`. */
export function modelFamily(model: string): string {
  return model
    .toLowerCase()
    .trim()
    .replace(/^.*\//, "")
    .replace(VENDORS, "")
    .replace(/([-@_:]\d{8})-v\d+(?::\d+)?$/, "$1")
    .replace(/[-@_:](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|latest)$/, "");
}

/** Models of rerankers and embeddings, wherever in a configuration they stand. */
function modelsOf(run: ComparedSystem["run"]): string[] {
  const config =
    "config_snapshot" in run ? (run as { readonly config_snapshot: unknown }).config_snapshot : null;
  const found: string[] = [];
  // What is pending is kept here: configurations may be nested deeper than the stack.
  const pending: [value: unknown, path: string][] = [[config, ""]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, path] = next;
    if (typeof value === "string") {
      if (MODEL_PATH.test(path)) found.push(value);
    } else if (Array.isArray(value)) for (const member of value) pending.push([member, path]);
    else if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) pending.push([member, `${path}.${name}`]);
  }
  return found;
}

/** `reranker.model`, `embedding.options.model`, `reranker_model`. */
const MODEL_PATH = /(?:re-?rank|embedding)\w*(?:\.\w+)*[._-]model$/i;
