/**
 * Every code of a warning, with what it means and, where there is something to do, what. The errors page of
 * the docs is printed from this table.
 */
export const warningCodes = {
  RUN_OF_TWO_COMMITS:
    "A recording went on at another commit than it began at, and what it had is of the older one. Record " +
    "over it with `replace`, or under another id.",
  RUN_OF_TWO_STATES:
    "A recording goes on, and a query that was answered before finds other hits by now: the index or the " +
    "search has changed in between. Record over it with `replace`, or under another id. A search that " +
    "never answers twice alike is warned of, too.",
  RUN_INCOMPLETE: "The recording of the run was interrupted. Record it again with `resume`.",
  RESULTS_FAILED:
    "Results of the run have an error. They count as they are, usually as nothing found; fix what the " +
    "messages say, and record them again.",
  FIELD_UNREAD:
    "Results have a field whose name is like one that is read, and so is probably a typo. Rename it; " +
    "fields of your own are fine under other names.",
  RUN_EMPTY: "The run has no results at all. Earlier versions wrote `EMPTY_RUN`.",
  RUN_OUTSIDE_GOLDEN_SET: "All results of the run are of queries outside the golden set. Do the ids agree?",
  GOLDEN_MEASURES_NOTHING:
    "No golden query says what is expected. Add `expected_chunk_ids`, `expected_doc_ids`, `judgments`, " +
    "`expected_refusal`, `must_contain` or `forbidden`.",
  DOCUMENTS_ONLY:
    "The golden queries name documents and no chunks, so that metrics of chunks have nothing to measure. " +
    "Ask for metrics by document (`metrics` with `unit: doc`), or add `expected_chunk_ids`.",
  ONE_SUBTOPIC:
    "A metric of diversity was asked for, and no query has judgments of more than one subtopic. The second " +
    "column of the qrels is the subtopic.",
  SCORED_AS_ONE: "Queries without anything relevant score 1 by a convention, whatever the run returns.",
  MISSING_QUERIES:
    "Judged queries that a run does not answer. They count as 0, or are left out where that was asked for.",
  UNMATCHED_RESULTS: "Results of queries that the golden set does not have. They are in the totals only.",
  DUPLICATE_CHUNKS: "Hits that repeat a chunk of a better rank. They count as not relevant.",
  SCORES_RISE:
    "Scores of a file rise with the ranks beside them, as distances do. The highest score counts as the " +
    "best hit, as in trec_eval; negate distances, or leave them out, so that ranks count.",
  RETURNED_ONLY:
    "Judgments are read from a response of `_rank_eval`, which rates returned hits only. Recall and nDCG " +
    "come out too high; give the request.",
  TIED_RANKS: "Several hits of one query have one rank. They are taken in the order of the list.",
  SPANS_UNKNOWN:
    "The place of an expected chunk is not known, so it was matched by its document. Add " +
    "`expected_spans`, or record into a store.",
  CITATIONS_NOT_CHECKED:
    "Answers have citations, and there was no knowledge base to check them with. Name a store or a corpus.",
  SHORT_RANKINGS: "The run was recorded with fewer than 10 hits a query; scores at 10 see no further.",
  UNEVEN_DEPTHS:
    "The rankings of a compared run were cut before those of another, and a metric looks deeper. Cut both " +
    "at one depth, or use a lower cutoff.",
  OTHER_CHUNKER: "Expected chunks are those of another chunker than the run's. Match by document and span.",
  CHUNKERS_DIFFER: "The two runs have different chunkers. Hits of both were matched by document and span.",
  HITS_WITHOUT_SPANS:
    "Hits in expected documents have no spans, or empty ones, or of another kind (lines, bytes) than the " +
    "expected ones, and could not count. Return `source_spans` or a located `citation` of that kind.",
  NOTHING_JUDGED: "No hit of the run is judged. The ids, or the unit, probably do not agree.",
  NEAR_IDS:
    "Ids that differ from judged or expected ones only by Unicode form or white space, and so count as " +
    "others. Earlier versions wrote `near_ids`.",
  LABELLED_BY_MODEL:
    "Judgments are labels of a model, at least in part. Scores say how far a system agrees with it; how " +
    "far its labels can be trusted, labels of people for some of the pairs tell.",
  LABEL_ORIGIN_OTHER:
    "The file that says where judgments come from, FILE.labels.json, is of another version of them. " +
    "Export them again, or delete it.",
  RUN_LACKS_QUERIES:
    "Queries that only some of the compared runs were scored on. They count as the worst score for the " +
    "others.",
  UNEVEN_SCORES:
    "A metric that the compared runs have for different queries, such as text checks of answers where one " +
    "run gives few. Its difference is tested over the queries that both have; look at what the run with " +
    "fewer has instead.",
  PRIMARY_SATURATED:
    "Nearly every query has the best possible score in every run, so the metric that decides can hardly " +
    "tell them apart. Decide by one that more queries can lose by, or judge harder queries.",
  SECRETS_REDACTED:
    "Values of `config` look like secrets and are recorded as `[redacted]`. Leave secrets out of `config`.",
  NOTHING_RELEVANT: "Queries without anything relevant. They say nothing about retrieval.",
  QUERY_TYPES_MISSING: "The fixture has no queries of some types, and says nothing about them.",
  QUERIES_WITHOUT_WORDS: "Judged queries without a text. They cannot be searched.",
  QUERIES_WITHOUT_JUDGMENTS: "Queries without a judgment. They cannot be measured.",
  DOCUMENTS_NOT_IN_CORPUS: "Judged documents that the corpus lacks. No system can find them.",
  DOCUMENTS_WITHOUT_TEXT: "Relevant documents that have no text. No system can find them by words.",
  LATENCY_NOT_MEASURED:
    "Answers come from a record, at least in part, so that their latency is not that of a system.",
  NOTHING_FOUND:
    "A run or a system found nothing of what is expected, for any query. The ids probably do not agree.",
  CASES_UNANSWERED: "Cases for which a system returned nothing.",
  CASES_FAILED: "Cases for which a system threw an error.",
  CONFIGURATION_WITHOUT_EFFECT:
    "Configurations of a live search for which every query got the same hits as with the original one. The " +
    "search may not have taken them up: look at the restart, and at `health.expect`.",
  SHARDS_MISSING: "Partials of some shards are missing. Aggregates are over the queries of the others only.",
  VECTORS_MISSING: "A file of vectors lacks those of some texts.",
} as const;

/** A code of a warning that this version gives. */
export type WarningCode = keyof typeof warningCodes;
