/**
 * Every error code, with what it means and what to do. The errors page of the docs is printed from this
 * table.
 */
export const errorCodes = {
  GOLDEN_SYNTAX:
    "The golden file is not readable as YAML, JSON, JSONL or a table. The message names line and column.",
  GOLDEN_SHAPE:
    "A field of the golden file is missing or has the wrong type. The message names line, field " +
    "and what was found.",
  GOLDEN_UNKNOWN_KEY:
    "A key that no golden query has. A typo would silently change what is measured; free-form data " +
    "goes under `meta`.",
  GOLDEN_DUPLICATE_ID: "Two golden queries have the same id. Rename one, or delete the copy.",
  GOLDEN_GROUP:
    "Two queries of one `group` name different `expected_doc_ids`. Paraphrases of one intent must " +
    "expect the same documents.",
  GOLDEN_STALE_IDS:
    "Expected ids that the knowledge base does not have, all of them listed. Fix the golden set, " +
    "or index again.",
  RUN_SYNTAX: "The run file is not readable as JSON or JSONL. The message names line and column.",
  RUN_SHAPE: "A field of a run, result, hit or answer is missing or has the wrong type.",
  RUN_DUPLICATE_QUERY: "Two results of one run have the same query id, so it is not clear which one counts.",
  RUN_RANK: "A hit's rank is not a whole number from 1.",
  RUN_ID: "A run id that cannot be used here, for example as a folder name.",
  QRELS_SYNTAX: "The judgments are not readable in any known format. The message names line and column.",
  QRELS_GRADE: "A grade is not a finite number.",
  QRELS_DUPLICATE: "An item is judged twice for one query, so it is not clear which grade counts.",
  RUN_UNGROUPED:
    "The lines of a query do not stand together, and the run was to be read in one pass. Read it " +
    "again with `isUngrouped`.",
  RUN_SCORE: "A score is not a finite number.",
  RUN_DUPLICATE_HIT: "An item is duplicated in the results of one query, and the mode is strict about it.",
  RUN_UNANSWERED:
    "The run answers none of the queries, which trec_eval and its profiles, and pools, refuse. Look " +
    "whether both files name queries the same way.",
  CORPUS_SYNTAX: "The corpus file is not readable as JSON or JSONL.",
  CORPUS_SHAPE:
    "A chunk or document of the corpus file misses a field or has one of the wrong type, or there is none.",
  PARTIAL_SHAPE: "A partial is not one that this version can read. The message names what is wrong.",
  PARTIAL_CONFLICT:
    "Partials that do not belong together: a shard twice, another run or search, other judgments, queries, " +
    "metrics or conventions, another number of shards, or none.",
  PARTIAL_GAP: "Partials of some shards are missing. Make them, or merge with `--incomplete`.",
  RESULT_SHAPE: "A stored aggregate or report is not one that this version can read.",
  FILE_NOT_FOUND: "The file does not exist.",
  FILE_UNREADABLE: "The file exists but cannot be read.",
  FILE_UNWRITABLE: "The file or folder cannot be written.",
  FILE_ENCODING: "The file is not UTF-8 text. The message names the line.",
  FILE_TOO_LARGE:
    "The file, or one line of it, is larger than what can be read as a whole. The message names the limit.",
  FILE_EXISTS: "The file is there already and would be overwritten.",
  ARGUMENT: "An argument or option has a value that is not possible.",
  METRIC_UNKNOWN: "No metric has that name. The message lists the nearest ones.",
  METRIC_PARAMETER: "A metric has no such parameter, or the value is out of its range.",
  METRIC_SCORE:
    "A metric cannot score a query: it returned a number that is not finite, or a grade is above " +
    "the top of its scale.",
  METRIC_SUBTOPICS:
    "A metric of diversity was asked for, but the judgments name no subtopics (the second column of qrels).",
  METRIC_TIES:
    "A metric has no exact form for the expectation over tied hits. Ask for `ties: trec`, or leave " +
    "the metric out.",
  GATE_RULE:
    "A gate's rule cannot be read, or there is no rule at all. The message shows how rules are written.",
  GATE_FAILED: "A rule of a gate does not hold. The gate's report says which, and why.",
  NOT_BETTER: "A setting that was to be applied does not hold for queries that had no say in it.",
  COMPARE_CHUNKER_VERSION:
    "The runs were made with different chunkers and `strictChunkerVersion` forbids comparing them " +
    "by document and span.",
  STORE_RUN_NOT_FOUND: "The store has no run with that id. The message lists the nearest ones.",
  STORE_RUN_EXISTS:
    "The store has a run with that id already. Choose another id, or say that it may be replaced.",
  STORE_NOT_SQLITE: "The store file is not an SQLite database.",
  STORE_CORRUPT: "The store file is truncated or damaged. It was left as it is; restore it from a copy.",
  STORE_WAL:
    "The store file belongs to a program that has it open, or left a journal behind, so reading it " +
    "alone would miss data.",
  STORE_SCHEMA:
    "The database has tables of the right names that cannot be used: other columns, a view, a rule " +
    "of its own. SQLite's own words are in the message.",
  STORE_LOCKED:
    "Another process is writing to the store and did not finish in time, or records the same batch.",
  STORE_WRITE: "The store could not be written: no room, no permission, a limit. The file is as it was.",
  STORE_TOO_LARGE:
    "The store would be larger than what sql.js can keep in memory. Keep the run in a JSONL file, " +
    "or use a Node that has its own SQLite.",
  STORE_DATABASE:
    "The PostgreSQL server of a store cannot be reached, refuses the role or the database, or does not do " +
    "what is asked. Its own words are in the message.",
  STORE_CLOSED: "The store was used after it was closed.",
  RUN_EMPTY: "A run without any result was to be scored. `--allow-empty` goes on with it.",
  RUN_OUTSIDE_GOLDEN_SET:
    "A run answers none of the queries that it was held against. Look whether both name queries the same " +
    "way; `--allow-empty` goes on.",
  CONFIG:
    "A configuration (`rankproof.config.*`) has a key that is not known, a value of the wrong type, or " +
    "names a variable that the environment does not have.",
  SYSTEM_MODULE:
    "A module that was to be recorded cannot be imported, does not export `retrieve`, or throws where " +
    "nothing catches it. The message says what it exports, or threw.",
  SYSTEM_PROGRAM:
    "A program that was to be recorded cannot be started, ended too early, or answers with something else " +
    "than lines of JSON. Its logs belong on standard error.",
  RUN_FAILING:
    "The first queries of a recording all failed alike, so that it is not a query that is wrong. Fix what " +
    "the message says, and record again.",
  RUN_INCOMPLETE: "The run was interrupted. What it had is stored; record it again with `resume` to finish.",
  FIXTURE_SYNTAX: "The benchmark fixture is not readable as JSON. The message names line and column.",
  FIXTURE_SHAPE:
    "A field of the benchmark fixture is missing or has the wrong type. The message names line, " +
    "field and what was found.",
  FIXTURE_CHECK:
    "The benchmark fixture contradicts itself: an id is duplicated, or a judgment is of something " +
    "that the corpus does not have. All of it is listed.",
  EMBEDDING_CONFIG:
    "No embedding provider is set up, or a setting of it is not possible. The message names the " +
    "variable to set.",
  EMBEDDING_REFUSED:
    "The embedding endpoint refuses: a wrong key, an unknown model, or no `/embeddings` at that " +
    "address. Trying again does not help.",
  EMBEDDING_UNAVAILABLE: "The embedding endpoint cannot be reached, or kept failing through every retry.",
  EMBEDDING_ANSWER:
    "What the embedding endpoint answers cannot be used: no JSON, too few vectors, vectors of " +
    "another length.",
  CHAT_CONFIG:
    "No chat endpoint is set up, or a setting of it is not possible. The message names the variable to set.",
  CHAT_REFUSED:
    "The chat endpoint refuses: a wrong key, an unknown model, or no `/chat/completions` at that address. " +
    "Trying again does not help.",
  CHAT_UNAVAILABLE: "The chat endpoint cannot be reached, or kept failing through every retry.",
  CHAT_ANSWER: "What the chat endpoint answers is no completion.",
  RERANK_CONFIG:
    "No reranker is set up, or a setting of it is not possible. The message names the variable to set.",
  RERANK_REFUSED:
    "The reranker refuses: a wrong key, an unknown model, or no `/rerank` at that address. " +
    "Trying again does not help.",
  RERANK_UNAVAILABLE: "The reranker cannot be reached, or kept failing through every retry.",
  RERANK_ANSWER: "What the reranker answers is not one score for each document.",
  RERANKER_FAILED: "A reranker of yours failed, or returned something else than a number for each document.",
  RETRIEVER_FAILED: "A retriever of yours failed, or returned something that is no list of hits.",
  SERVER_PORT: "The port of the workbench is in use, or may not be opened. The message says what to do.",
  INDEX_SHAPE:
    "A stored index is damaged, or not one that this version can read. Build it again from the corpus.",
  LABEL_SHAPE:
    "An assessment or label is missing a field or has a value of the wrong type. The message says which, " +
    "and what it must be.",
  LABELER_FAILED:
    "A labeler of yours failed. What it had answered before is kept, and is not asked for again.",
  BUILD_RESUME: "A build of labels cannot go on because its queries have changed since it was interrupted.",
  EXPERIMENTS:
    "The experiments of a tuning cannot be read, or do not fit the template. The message names line and " +
    "column.",
  TUNING_BUSY:
    "The configuration of a search is being tuned already, or is still to be restored after a tuning that " +
    "was killed. The message says by whom, and what to do.",
  TUNING_COMMAND:
    "A command of `tuning` in the configuration failed, or took too long. What it printed is in the message.",
  TUNING_UNHEALTHY: "The search did not become healthy in time after its configuration was changed.",
  TUNING_CHANGED: "Another program changed the configuration of a search while it was tuned.",
  TUNING_RESTORE:
    "The original configuration of a search could not be put back. The message says where it is kept.",
  TUNING_RESUME:
    "A tuning cannot go on because what it was made of has changed since. The message says what.",
  RUN_RESUME: "The stored run cannot be continued because it was recorded with another configuration.",
} as const;
