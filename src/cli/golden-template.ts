/** What `init` writes. */
export const GOLDEN_TEMPLATE = `\
# Golden set: what each query should retrieve, and what its answer must say.
#
# Only \`id\` and \`query\` are required. Which field feeds which metric:
#
#   expected_chunk_ids   hit@k, MRR, precision@k
#   expected_doc_ids     recall@k of documents, paraphrase groups
#   must_contain,        text checks: the answer has every string of must_contain and none of forbidden
#     forbidden          (compared after Unicode NFC, with regard to case)
#   expected_refusal     refusal correctness
#   judgments            graded metrics such as nDCG@10: [{chunk_id: c1, grade: 3}, {doc_id: d1, grade: 1}]
#   expected_spans       where the evidence stands, for comparing runs of different chunkers:
#                        [{doc_id: d1, span: {kind: line, start: 3, end: 9}}]
#
# precision@k divides by k, also when fewer than k hits came back.
# A metric skips the queries that do not have its field; it never counts them as 0.
# Refusals: \`expected_refusal: true\` marks a query that the system should refuse. So does an explicit
#   \`expected_doc_ids: []\` (without expected chunks). A query that does not mention expected_doc_ids is \
unlabelled, and not judged.
# Ids must exist in the knowledge base. A recording that finds stale ones lists them all and stops \
before the first query;
#   \`rankproof check golden.yaml --store FILE\` does the same.
# Where chunks may be cut anew, name the chunker of the ids as runs do: write the list below as a mapping, \
{chunker_version: …, queries: […]}.
# Paraphrases of one intent share a \`group\` and must name the same expected_doc_ids.
# For your own use: lang, difficulty, query_type (labels), and meta (anything). An unknown key is an error, \
because a typo would
#   silently change what is measured.

- id: q-001
  query: "How do I rotate an API key?"
  lang: en
  query_type: how_to
  difficulty: easy
  # expected_doc_ids: ["security.md"]
  # expected_chunk_ids: ["security.md#rotating-keys"]
  # must_contain: ["rotate"]

# - id: q-002
#   query: "What will the product cost in 2040?"
#   expected_doc_ids: []    # the knowledge base cannot answer this; the system should refuse
`;

/** The line by which editors find the schema of a YAML file. */
export function schemaLine(schema: string): string {
  return `# yaml-language-server: $schema=${schema}\n`;
}

/** What \`init\` writes beside the golden set. */
export function configTemplate(golden: string): string {
  return `# What rankproof takes where no flag says otherwise. Paths are relative to this file; \${NAME} is
# the environment's value. The same keys in rankproof.config.mjs: export default defineConfig({ … }).

golden: ${JSON.stringify(golden)}
# system: search.mjs                    # what \`rankproof run\` records
# store: .rankproof/store.sqlite
# metrics: [nDCG@10, AP]
# primary: MRR@10                       # the metric that decides
# guards: [R@100, hit@1=0.02]           # must not fall significantly, or by a loss at most
# gates: [MRR@10 not worse by 0.02, at most 2 regressions]
# slices: [lang, query_type]
# maxFailedShare: 0.2
# stopAfterFailures: 5
`;
}

/** What `init --search` writes: a dataset to label, with everything that can be said of it. */
export const SEARCH_TEMPLATE = `# What rankproof takes where no flag says otherwise. Paths are relative to
# this file; \${NAME} is the environment's value. In rankproof.config.mjs the same keys stand in
# export default defineConfig({ … }).

# A dataset is what a search is labelled and evaluated over.
datasets:
  shop:
    queries: queries.txt          # a line each; or TSV, JSONL, BEIR, a golden set
    corpus: products.jsonl        # an object a line: an id, and any fields
    # fields: [title, brand, color, description]   # what raters see, in this order; all by default
    # language: english           # of the built-in search
    # tenant: default             # teams that share a label store, and not their labels
    # backend: live               # below; the search that is built in by default
    # reranker: cross             # below; none by default
    # labeler: gpt                # below; overlap by default, which needs no model
    # licence: CC BY 4.0          # shown wherever its text is

# backends:
#   live:
#     kind: elasticsearch         # or solr, vespa, typesense, meilisearch, qdrant, postgresql, http
#     url: https://search.example.org:9200
#     index: shop
#     headers: { authorization: "ApiKey \${SEARCH_KEY}" }
#   mine:
#     kind: module                # exports retrieve(query), as \`rankproof run\` takes it
#     path: search.mjs
#   before:
#     kind: run                   # a run file
#     path: run.jsonl

# rerankers:
#   cross:
#     kind: http                  # asked at /rerank as Cohere, Jina and vLLM are; \`form: texts\` as TEI is
#     baseUrl: http://127.0.0.1:8080

# The key of a model is best left to the environment: RANKPROOF_CHAT_API_KEY, and RANKPROOF_CHAT_BASE_URL
# for any other endpoint than OpenAI's (Ollama: http://127.0.0.1:11434/v1).
# labelers:
#   gpt:
#     kind: openai
#     model: gpt-4o-mini
#     prompt: product             # or passage, or a file: \`rankproof label prompt product > my-prompt.yaml\`
#     # mode: complex             # asks for a profile of each query first
#     # votes: 3                  # judges each item three times, in other company
#     # price: { input: 0.15, output: 0.6, currency: USD }   # of a million tokens

# labels: .rankproof/labels.sqlite
# store: .rankproof/store.sqlite
`;
