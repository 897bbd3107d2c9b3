// Made of the zod schemas in `records/schema/` by `npm run schemas`. Change those.

/** The scores of one run. Every score has 4 decimals; the wire names are fixed. */
export interface AggregateMetrics {
  /** Version of this shape. */
  schema_version: 1;
  /** Share of queries with an expected chunk among the first k hits, by k; from 0 to 1. */
  hit_at_k: AtCutoffs;
  /** Mean reciprocal rank of the first expected chunk among the first 10 hits; from 0 to 1. */
  mrr: number;
  /**
   * Share of the first k places that hold an expected chunk, by k; from 0 to 1. Empty in files of other
   * programs.
   */
  precision_at_k_chunk: AtCutoffs | Record<string, never>;
  /** Share of the expected documents among the documents of the first k hits, by k; from 0 to 1. */
  recall_at_k_doc: AtCutoffs;
  /**
   * Share of grounded answers that have citations and of which every one resolves; from 0 to 1. Null
   * without such answers, or without the current chunks.
   */
  citation_coverage: number | null;
  /**
   * Share of answers that pass their text checks; from 0 to 1. A check of words, not of truth; 0 where
   * `support` is 0.
   */
  groundedness: number;
  /** Share of results without hits; from 0 to 1, lower is better. */
  empty_result_rate: number;
  /**
   * Share of the queries that should be refused and were; from 0 to 1. Null where the run has no answers.
   */
  refusal_correctness: number | null;
  /** Results in the run. */
  total_queries: number;
  /** Results with an error. */
  failed_queries: number;
  /** Why results failed, the most frequent message first; the ten most frequent. */
  failures: readonly Failure[];
  /** The denominator of every metric, by its name in this record. */
  support: Record<string, number>;
  /** Golden queries without a result, sorted. */
  missing_queries: readonly string[];
  /** Results without a golden query, sorted. */
  unmatched_results: readonly string[];
  /** Milliseconds; null when no result has a time. */
  latency_ms: Latency | null;
  /** Further metrics that were asked for, by printed name. */
  metrics: Record<string, number>;
  /** Direction and range of every metric in `metrics`, by its printed name. */
  metric_cards: Record<string, MetricCard>;
  /** What may mislead in these scores. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/**
 * What some shards of a golden set's queries add to the aggregate of a run: merged with the others it
 * gives the bytes of one pass.
 */
export interface AggregatePartial {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "aggregate_partial";
  /** Id of the run. */
  run: string;
  /** Tells other results; the same whatever their order. */
  run_digest: string;
  /** What the whole run is held against. */
  golden: {
    /** Tells other golden queries; the same whatever their order. */
    digest: string;
    /** Golden queries, of all shards. */
    queries: number;
  };
  /** How it was scored. */
  settings: {
    /** How expected chunks are found. */
    matching: "exact" | "docSpan";
    /** What a query without a result scores. */
    missing_queries: "zero" | "skip";
    /** How texts of answers are compared. */
    text_match: "caseSensitive" | "caseInsensitive";
    /** What the further metrics are about. */
    unit: "chunk" | "doc";
    /** Whether there were chunks to look citations up in. */
    checks_citations: boolean;
    /** Tells other chunks, the same whatever their order; null where there were none. */
    corpus_digest: string | null;
  };
  /** Printed names of the further metrics. */
  metrics: readonly string[];
  /** Shards by the 32-bit FNV-1a hash of the query id modulo their number, and 1. */
  shards: Shards;
  /** What is known of the run as a whole, which every shard says. */
  of_run: {
    /** Share of results without hits; from 0 to 1, lower is better. */
    empty_result_rate: number;
    /** Results in the run. */
    total_queries: number;
    /** Results with an error. */
    failed_queries: number;
    /** Why results failed, the most frequent message first; the ten most frequent. */
    failures: readonly Failure[];
    /** Results without a golden query, sorted. */
    unmatched_results: readonly string[];
    /** Milliseconds; null when no result has a time. */
    latency_ms: Latency | null;
    /** What may mislead in these scores. */
    warnings: readonly Warning[];
    [key: string]: unknown;
  };
  /** Of the run, where it is known and ids are matched. */
  chunker_version: string | null;
  /** Golden queries of these shards, sorted. */
  query_ids: readonly string[];
  /** Those without a result, sorted. */
  missing_queries: readonly string[];
  /** Exact sums: of the fields of an aggregate, then of the further metrics that are fractions. */
  fractions: readonly FractionSum[];
  /** Of the further metrics, by metric and then by query; null where nothing is judged. */
  scores: readonly (readonly (number | null)[])[];
  /** What can mislead about these queries, sorted by id. */
  noticed: {
    /** Hits that repeat a chunk. */
    repeats: number;
    /** Queries with such hits. */
    repeating: readonly string[];
    /** Queries with several hits at one rank. */
    tied: readonly string[];
    /** Queries with an expected chunk of unknown place. */
    unplaced: readonly string[];
    /** Hits in expected documents that have no spans to be matched by. */
    without_spans: number;
    /** Queries that expect a chunk of another chunker. */
    foreign: readonly string[];
    /** Queries with a hit that differs from an expected id by its writing alone. */
    near: readonly string[];
    /** Queries whose hits are none that is expected; null once any query found something. */
    blind:
      | readonly {
          /** The query. */
          query: string;
          /** What it expects first. */
          expected: string;
          /** Its first hit. */
          hit: string;
        }[]
      | null;
  };
  [key: string]: unknown;
}

/** What the system said, and what it cites. */
export interface Answer {
  /** What the system said; `must_contain` and `forbidden` are looked for in it. */
  answer: string;
  /** False: the system declined to answer. */
  grounded: boolean;
  /** What it points at. */
  citations?:
    | readonly {
        /** How the text refers to it, such as `1`. */
        marker?: string | null | undefined;
        /** The cited chunk or place. */
        citation: Citation;
        [key: string]: unknown;
      }[]
    | null
    | undefined;
  /** Kept for people. */
  refusal_reason?: string | null | undefined;
  /** Kept for people. */
  prompt_template_version?: string | null | undefined;
  [key: string]: unknown;
}

/** What came of asking a rater once. */
export type AssessmentOutcome = "graded" | "cannot_tell" | "invalid" | "refused" | "withdrawn";

/**
 * What one rater said once of one item for one query. It is never changed: a later one takes its place,
 * and `withdrawn` takes back the latest one of the same rater. Unknown further fields are kept.
 */
export interface Assessment {
  /** Whose label it is; `default` unless several share a store. */
  tenant: string;
  /** The query's text, normalized: NFC, white space folded, case kept. */
  query: string;
  /** Id of the item. */
  item: string;
  /** SHA-256 of the item's label fields as canonical JSON; a label is stale when they change. */
  item_hash?: string | null | undefined;
  /** SHA-256 of what the rater was shown of the item. */
  sent_hash?: string | null | undefined;
  /** Characters that were shown, where the item was cut. */
  sent_length?: number | null | undefined;
  /**
   * `graded`; `cannot_tell`, said by the rater; `invalid`, an answer that cannot be used; `refused`;
   * `withdrawn`, which takes back the rater's assessment before it.
   */
  outcome: AssessmentOutcome;
  /** From 0, irrelevant, to 3, fully relevant; null unless it is `graded`. */
  grade: number | null;
  /** Who said it. */
  rater: Rater;
  /** Number of the vote, where a model is asked several times. */
  vote: number;
  /** Items of one batch were judged in one request. */
  batch?: string | null | undefined;
  /** Place in the batch, from 0. */
  place?: number | null | undefined;
  /** Items in the batch. */
  batch_size?: number | null | undefined;
  /** When, in UTC with milliseconds: 2026-05-01T09:00:00.000Z. */
  at: string;
  /** What it took. */
  tokens?:
    | {
        /** Tokens of the request, the item's share of its batch. */
        input: number;
        /** Tokens of the answer, the item's share of its batch. */
        output: number;
      }
    | null
    | undefined;
  /** What it cost, where the labeler has a price. */
  price?:
    | {
        /** The item's share of its batch. */
        amount: number;
        /** Such as `EUR`. */
        currency: string;
      }
    | null
    | undefined;
  /** Why, in the rater's words, or what was wrong with the answer. */
  reason?: string | null | undefined;
  [key: string]: unknown;
}

/** One score for each of the cutoffs 1, 3, 5 and 10. */
export interface AtCutoffs {
  /** At cutoff 1. */
  "1": number;
  /** At cutoff 3. */
  "3": number;
  /** At cutoff 5. */
  "5": number;
  /** At cutoff 10. */
  "10": number;
}

/** What two sets of labels say of the same systems. */
export interface AuditConclusions {
  /** The metric that decides, by its printed name. */
  metric: string;
  /** Queries with scores by both. */
  queries: number;
  /** The systems, the best by the first rater before the others. */
  systems: readonly {
    /** The system. */
    name: string;
    /** Its mean score by the labels of the first rater. */
    first: number;
    /** Its mean score by those of the second. */
    second: number;
  }[];
  /** Kendall's tau-b of both orders; null for fewer than two values. */
  kendall_tau: number | null;
  /**
   * As Kendall's tau, with mistakes at the top weighing more; the first rater's order is taken for true.
   */
  tau_ap: number | null;
  /** The best system by the first rater. */
  best_first: string;
  /** The best system by the second. */
  best_second: string;
  /** Share of resamples of queries in which the two name another system the best. */
  best_changes: number;
  /** Pairs of systems. */
  pairs: number;
  /** Pairs of which the second rater prefers the other system. */
  wrong_signs: number;
  /** Pairs of systems that are nearly the same. */
  near: {
    /** A pair is near where its scores by the first rater differ by no more. */
    below: number;
    /** Such pairs. */
    pairs: number;
    /** Those of which the second rater prefers the other system. */
    wrong_signs: number;
  };
}

/** What is wrong with labels, or with the judge behind them. */
export interface AuditFinding {
  /** What it is. */
  kind:
    | "invalid_answers"
    | "constant"
    | "chance"
    | "inverted"
    | "query_words"
    | "instruction"
    | "length"
    | "position"
    | "company"
    | "wording";
  /** It in words. */
  sentence: string;
}

/** What is drawn, or chosen, for people to label, and how. */
export interface AuditSample {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "audit_sample";
  /** Its id. */
  sample_id: string;
  /** Id of the dataset. */
  dataset: string;
  /** Whose labels they are. */
  tenant: string;
  /** When it was drawn, in UTC. */
  created_at: string;
  /** Of the draw: a larger one of the same seed holds the smaller. */
  seed: number;
  /**
   * `estimate`: drawn by chance, so that what people say of it holds for all queries; `complete`: what
   * such a sample lacks; `next`: chosen since it may move a comparison, from which nothing follows.
   */
  purpose: "estimate" | "complete" | "next";
  /** What was drawn: whole queries, or pairs. */
  unit: "query" | "pair";
  /** All queries that it was drawn from. */
  frame: readonly {
    /** A query. */
    query_id: string;
    /** What kind it is of. */
    stratum: string;
  }[];
  /** Kinds of queries, each drawn by itself. */
  strata: readonly {
    /** What its queries have in common; `all` where nothing stratifies. */
    name: string;
    /** Queries of the kind. */
    queries: number;
    /** Those that were drawn. */
    drawn: number;
  }[];
  /** The queries that people label; of pairs those that have any. */
  drawn: readonly {
    /** A query. */
    query_id: string;
    /** Its text, as labels are kept under it. */
    query: string;
    /** What kind it is of. */
    stratum: string;
    /** By which it was drawn. */
    probability: number;
  }[];
  /** The pairs that people label; null or left out where it is all pairs of the drawn queries. */
  pairs?:
    | readonly {
        /** A query. */
        query_id: string;
        /** Id of an item. */
        item: string;
        /** What a grade of 1 moves; null where none was weighed. */
        weight: number | null;
        /** By which the pair was drawn; null where it was chosen, and not drawn. */
        probability: number | null;
      }[]
    | null
    | undefined;
  [key: string]: unknown;
}

/** A pair of query and item, and what both raters say of it. */
export interface AuditedPair {
  /** Id of the query. */
  query_id: string;
  /** Its text; null where texts are left out. */
  query: string | null;
  /** Id of the item. */
  item: string;
  /** What the item is called; null where it is not known, or left out. */
  title: string | null;
  /** The grade of the first rater. */
  first: number;
  /** The grade of the second rater. */
  second: number;
  /** Why, in the first rater's words. */
  first_reason: string | null;
  /** Why, in the second rater's words. */
  second_reason: string | null;
}

/** One of the two whose labels are held against each other. */
export interface AuditedRater {
  /** What it is called. */
  name: string;
  /** `people`: persons, or an adjudicator; else a model. */
  kind: "people" | "model";
  /** Its identity; null where several persons are one. */
  rater: string | null;
}

/** Where hits come from. */
export type BackendConfig =
  | BuiltinBackendConfig
  | HttpBackendConfig
  | EngineBackendConfig
  | PostgresqlBackendConfig
  | ModuleBackendConfig
  | RunBackendConfig;

/** What experiments on a live search found, and whether it holds. */
export interface BackendTuning {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "backend_tuning";
  /** Its id, and the name of its folder. */
  tuning_id: string;
  /** Id of the dataset. */
  dataset: string;
  /** Whose labels they are. */
  tenant: string;
  /** The search that was tuned. */
  backend: {
    /** Its name in the configuration. */
    name: string;
    /** What it is. */
    kind: string;
  };
  /** When it was begun, in UTC. */
  started_at: string;
  /** When it was scored, in UTC. */
  evaluated_at: string;
  /** Printed name of the metric that was tuned for. */
  metric: string;
  /** Its direction and range. */
  metric_card: MetricCard;
  /** Hits that were asked for. */
  top_k: number;
  /** Queries. */
  queries: number;
  /** Of sign flips, resamples and parts. */
  seed: number;
  /** Whether what would be chosen beats what is there, on queries that had no say in the choice. */
  verdict: TuningVerdict;
  /** What all queries together choose: the highest mean, the first of equal ones. */
  chosen: {
    /** Its name; `current` where nothing is better. */
    name: string;
    /** Null for the original configuration. */
    parameters: Record<string, unknown> | null;
    /** Of the queries that chose it, and too good; at 4 decimals. */
    mean: number;
  };
  /** What the choice is worth for queries that had no say in it; null for fewer than two. */
  held_out: {
    /** How queries were held out. */
    validation: "leave_one_out" | "folds" | "given";
    /** Parts of a repeat; each is scored by what the others chose. */
    parts: number;
    /** How often the parts were drawn. */
    repeats: number;
    /** Of the draw of parts; null where nothing was drawn. */
    seed: number | null;
    /** Mean of what queries score with what the others chose, at 4 decimals. */
    mean: number;
    /** That minus the mean of the current setting, at 4 decimals. */
    gain: number;
    /**
     * Of the gain, at each end the wider of BCa bootstrap and Student's t; null for fewer than two
     * queries, and where all gains are equal.
     */
    interval: {
      /** Lower end. */
      low: number;
      /** Upper end. */
      high: number;
    } | null;
    /** Share of the interval. */
    confidence: number;
    /** What the interval must lie above for `better`. */
    margin: number;
    /** Queries that gain. */
    improved: number;
    /** Queries that stay as they are. */
    equal: number;
    /** Queries that lose. */
    worse: number;
    /** How much the choice varies from part to part, the most frequent first. */
    chosen: readonly {
      /** Of the setting. */
      name: string;
      /** In how many parts it was chosen. */
      times: number;
    }[];
  } | null;
  /** How often a search would find so much where nothing is better (max-T). */
  search_test: SearchTest;
  /** Every setting, in the order in which it was tried. */
  experiments: readonly ExperimentResult[];
  /** Unjudged hits that might change the choice. */
  unjudged: {
    /** Pairs of a query and an item in view of some setting without a label. */
    items: number;
    /** All pairs in view of some setting. */
    of: number;
  };
  /** Whose labels the scores rest on, and how far they carry. */
  trust: LabelTrust;
  /** Every query, by id. */
  per_query: readonly {
    /** Its id. */
    query_id: string;
    /** Its words. */
    query: string | null;
    /** Score with the original configuration. */
    current: number;
    /** Score with the chosen setting. */
    chosen: number;
    /** Mean score with what the other queries chose. */
    held_out: number | null;
  }[];
  /** The original configuration, which was put back. */
  restored: readonly {
    /** A configuration file. */
    file: string;
    /** Its digest before the tuning, and after it. */
    sha256: string;
  }[];
  /** Name of the setting that was written into the configuration afterwards; null for none. */
  applied: string | null;
  /** What may mislead here. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/** One of the first hits of a query, as a reader wants to see it. */
export interface BatchHit {
  /** Its rank. */
  rank: number;
  /** Id of the item. */
  id: string;
  /** Its label; null where it has none. */
  label: number | null;
  /** What it is called; null where nothing is known of it. */
  title: string | null;
  /** The search's own score. */
  relevance_score: number | null;
}

/** A query as the live search answered it. */
export interface BatchQuery {
  /** The query. */
  query_id: string;
  /** Null where its text is unknown. */
  query: string | null;
  /** What slices are made by: `lang` to `ko`. */
  labels: Record<string, string>;
  /**
   * By run in the order of `runs`, then by metric in the order of `metrics`; null where a run has no
   * score.
   */
  scores: readonly (readonly (number | null)[])[];
  /**
   * The first hits of each run, in the order of `runs`; a grade of null is unjudged. Null where the
   * rankings were not kept.
   */
  rankings:
    | readonly (readonly {
        /** Id of the hit. */
        id: string;
        /** Its grade; null for an unjudged hit. */
        grade: number | null;
      }[])[]
    | null;
  /**
   * By run the rank of its first relevant hit, null where there is none; null or absent where the
   * rankings were not kept.
   */
  first_relevant?: readonly (number | null)[] | null | undefined;
  /** By run what its result failed with, null where it did not; absent where no run failed. */
  errors?: readonly (string | null)[] | undefined;
  /** The relevant items, best grade first, and what became of each in every run. */
  expected:
    | readonly {
        /** Id of the item. */
        id: string;
        /** Its grade. */
        grade: number;
        /** What became of it, by run. */
        runs: readonly Fate[];
      }[]
    | null;
  /** Milliseconds; null where the run does not tell. */
  elapsed_ms: number | null;
  /** What the answer got right, null where there is nothing to judge; null without answers. */
  answer: {
    /** It should be refused, and was. */
    refusal: boolean | null;
    /** It has what it must contain and nothing that is forbidden. */
    text: boolean | null;
    /** It has citations, and every one resolves. */
    citations: boolean | null;
  } | null;
  /** `X-Request-ID` of each request of this query. */
  request_ids: readonly string[];
  /** Hits that came back. */
  returned: number;
  /** Those of them that have a label. */
  judged: number;
  /** Labels of the first 10 hits, `1:L3 | 2:L?`: `L?` is a hit without a label. */
  top_label_sequence_top10: string;
  /** Labels of the first 20 hits. */
  top_label_sequence_top20: string;
  /** The first 20 hits. */
  top_results: readonly BatchHit[];
  /** Judged useful items that did not come back, best first. */
  missed: readonly MissedItem[];
  /** How many they are, of which `missed` has the first. */
  missed_count: number;
  /** What would make this query's scores surer, in sentences. */
  tips: readonly string[];
  /** What each stage of the search had, by its name, where the search told of them. */
  stages: Record<
    string,
    {
      /** Items that it had. */
      returned: number;
      /** How many of the first 10 hits were among them. */
      first10: number;
      /** How many of the missed items were among them. */
      missed: number;
    }
  >;
  /** Means of the numbers that came with the first 10 hits, by name. */
  signals: Record<string, number>;
  /** What the service says of how it searched. */
  plan?: unknown;
}

/** A live search held against labels: scores, every query, whose labels these are. */
export interface BatchReport {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "batch_report";
  /** What was scored. */
  run: {
    /** Name of the run. */
    run: string;
    /** When it was recorded, ISO 8601. */
    created_at?: string | null | undefined;
    /** The commit that it was recorded at. */
    commit_hash?: string | null | undefined;
    /** Queries of the golden set or the judgments. */
    queries: number;
    /** Those of them that the run has a result for. */
    answered: number;
  };
  /** In the order of every table. */
  metrics: readonly MeanScore[];
  /** Direction, range and meaning of every metric, by printed name. */
  metric_cards: Record<string, MetricCard>;
  /** The metric that queries are sorted by. */
  primary: string | null;
  /** Lowest grade that is relevant. */
  relevant_from: number;
  /** How it was scored; null for a golden set, which has one way. */
  conventions: Conventions | null;
  /** Of the intervals. */
  settings: {
    /** Of everything that is drawn at random. */
    seed: number;
    /** Resamples of the bootstrap. */
    resamples: number;
    /** Share of the intervals, such as 0.95. */
    confidence: number;
    [key: string]: unknown;
  };
  /** Over the queries that anything is relevant to. */
  first_ranks: {
    /**
     * How many queries have their first relevant hit at these ranks, both ends included; null: any below.
     */
    ranks: readonly {
      /** First rank. */
      from: number;
      /** Last rank; null: any below. */
      to: number | null;
      /** Queries whose first relevant hit stands there. */
      queries: number;
    }[];
    /** Queries with something relevant, none of which came back. */
    missed: number;
  };
  /** How long queries took; null where the run does not tell. */
  latency_ms: Latency | null;
  /** How many results failed, and why; null where it is not known. */
  failed_results: FailedResults | null;
  /** Queries of one kind; of each label the lowest mean of the primary metric first. */
  slices: readonly {
    /** What the queries have in common, such as `lang`. */
    by: string;
    /** Its value, such as `ko`. */
    value: string;
    /** Means over these queries. */
    metrics: readonly MeanScore[];
  }[];
  /** Every query, in the order of its id. */
  per_query: readonly BatchQuery[];
  /** What may mislead in this report. */
  warnings: readonly Warning[];
  /** Id of the batch, and of its run in the store. */
  batch_id: string;
  /** Id of the dataset. */
  dataset: string;
  /** Whose labels they are. */
  tenant: string;
  /** Of the dataset. */
  licence?: string | null | undefined;
  /** When the search was asked, in UTC. */
  created_at: string;
  /** When it was scored, in UTC. */
  evaluated_at: string;
  /** Hits that were asked for. */
  top_k: number;
  /** Who was asked. */
  backend: {
    /** Name of the search in the configuration. */
    name: string;
    /** What it is, such as `http`. */
    kind: string;
  };
  /** How it was scored; the metrics stand in `metrics`. */
  scorecard: {
    /** Its name. */
    name: string;
    /** The metric that decides. */
    primary: string;
    /** What a grade is worth in nDCG. */
    gain: string;
    /** The highest grade. */
    top_grade: number;
  };
  /** What the scores rest on. */
  labels: {
    /** Identity of the labeler whose labels count; null for none. */
    labeler: string | null;
    /** Labels of these queries by who decided. */
    by: {
      /** Labels that an adjudicator decided. */
      adjudicator: number;
      /** Labels that people decided. */
      people: number;
      /** Labels by the labeler alone. */
      labeler: number;
    };
    /** Labels of these queries by grade, from 0. */
    grades: readonly number[];
    /** Labels of the first 10 hits by grade, from 0. */
    top10: readonly number[];
    /** Hits of all queries. */
    pairs: number;
    /** Those of them that have a label. */
    labelled: number;
    /** Labelled hits whose item has changed since. */
    stale: number;
    /** Queries without any label. */
    queries_without: number;
  };
  /** Whose labels the scores rest on, and how far they carry. */
  trust: LabelTrust;
  /** What people's labels make of the means, where they do. */
  corrected: readonly CorrectedScore[] | null;
  [key: string]: unknown;
}

/** A batch as a list shows it. */
export interface BatchSummary {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "batch_summary";
  /** Id of the batch. */
  batch_id: string;
  /** Id of the dataset. */
  dataset: string;
  /** When the search was asked, in UTC. */
  created_at: string;
  /** Name of the search. */
  backend: string;
  /** Queries. */
  queries: number;
  /** Queries that the search failed for. */
  failed: number;
  /** The metric that decides. */
  primary: string;
  /** Means of the first metrics by the labels as they are, at 4 decimals, by printed name. */
  metrics: Record<string, number | null>;
  /** Of the mean of the metric that decides; absent in earlier versions. */
  interval?:
    | {
        /** Lower end. */
        low: number;
        /** Upper end. */
        high: number;
      }
    | null
    | undefined;
  /** Whose labels these rest on, as in the report. */
  trust?: "people" | "audited" | "not_audited" | "unknown" | undefined;
  /** What people's labels make of the metric that decides; null where they do not. */
  corrected?: number | null | undefined;
  [key: string]: unknown;
}

/** What one mode returned for one case. */
export interface BenchCaseResult {
  /** The case of the fixture. */
  case_id: string;
  /**
   * What was found, best first: chunk refs, or documents. Deeper than `top_k`, which the scores look at.
   */
  ranked: readonly string[];
  /**
   * By the first documents of `ranked` the chunk that was found; absent where documents are not cut, or
   * chunks are judged.
   */
  passages?: readonly string[] | undefined;
  /** Recall at `top_k`; from 0 to 1. */
  recall: number;
  /** Reciprocal rank of the first relevant item within `top_k`; from 0 to 1. */
  mrr: number;
  /** nDCG at `top_k` with exponential gain; from 0 to 1. */
  ndcg: number;
  /** Whether anything of grade 1 or more is within `top_k`. */
  is_hit: boolean;
  /** The median over the repeats. */
  latency_ms: number;
  /** What the retriever failed with, if it did; then nothing was found. */
  error: string | null;
}

/** What to run, and why. */
export interface BenchDecision {
  /** What follows for embeddings. */
  outcome: "keep_hybrid" | "keep_embedding_only" | "fall_back_to_fts_only" | "inconclusive";
  /** The first rule that held. */
  rule: "hybrid_improves" | "embedding_improves" | "latency" | "no_gain" | "undecided";
  /** The mode to run until there is better evidence. */
  run: string;
  /** The tier that was decided on. */
  tier: BenchTier;
  /** One sentence. */
  headline: string;
  /** Further sentences, the weightiest first. */
  reasons: readonly string[];
  /** Differences of nDCG within it do not matter. */
  margin: number;
  /** Share of the intervals, such as 0.95. */
  confidence: number;
  /** Highest 95th percentile of milliseconds that is accepted. */
  latency_budget_ms: number;
  /** Of everything that is drawn at random. */
  seed: number;
  /** Resamples of the bootstrap. */
  resamples: number;
  /** Every mode against `fts_only`. */
  evidence: readonly BenchEvidence[];
  /** For an undecided benchmark: cases that would decide it; null where no number would. */
  cases_needed: number | null;
  /** What to switch off if the numbers do not hold. */
  rollback: string;
}

/** How one mode does against `fts_only`. */
export interface BenchEvidence {
  /** The mode that is held against `fts_only`. */
  mode: string;
  /** Differences of the means, with their intervals; null for fewer than 5 cases. */
  ndcg: {
    /** Mean of the mode minus that of `fts_only`. */
    difference: number;
    /** Lower end of its interval. */
    low: number;
    /** Upper end of its interval. */
    high: number;
  } | null;
  /** The same of the share of cases with a hit. */
  evidence_hit_rate: {
    /** Mean of the mode minus that of `fts_only`. */
    difference: number;
    /** Lower end of its interval. */
    low: number;
    /** Upper end of its interval. */
    high: number;
  } | null;
  /** 95th percentile of its milliseconds. */
  p95_latency_ms: number;
  /** nDCG's interval lies above the margin, and that of the hit rate not below 0. */
  improves: boolean;
  /** Whether that is within the budget. */
  is_within_budget: boolean;
  /** Cases that would tell its difference from the margin; null where no number would. */
  cases_needed: number | null;
}

/** One way to retrieve, measured. */
export interface BenchMode {
  /** `fts_only`, `embedding_only`, `hybrid`; `hybrid@live` in the live tier; a name of your own. */
  mode: string;
  /** `offline`: vectors come from hashes; `live_shadow`: from a real provider that is tried out. */
  tier: BenchTier;
  /** What it consists of, in words. */
  description: string;
  /** The embedding model, null where there is none. */
  embedding_model: string | null;
  /** How a hybrid fuses its channels: `rrf(k=60)`. */
  fusion?: string | undefined;
  /** Scores over all cases. */
  overall: BenchScores;
  /** Scores over the cases of each query type. */
  by_query_type: Record<string, BenchScores>;
  /** Every case, in the order of the fixture. */
  per_case: readonly BenchCaseResult[];
}

/** Retrieval modes side by side on one fixture, and the decision. */
export interface BenchReport {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "bench_report";
  /** What was searched. */
  fixture: {
    /** Name of the fixture. */
    name: string;
    /** Its version, if it says one. */
    version: string | null;
    /** What it says of itself. */
    description: string;
    /** Of chunks, cases and judgments: the same digest, the same benchmark. */
    digest: string;
    /** What is judged. */
    unit: "chunk" | "doc";
    /** What cut its documents. */
    chunker_version: string;
    /** Chunks that were searched. */
    chunks: number;
    /** Queries. */
    cases: number;
    /** How many cases have each type, in the order of the fixture. */
    query_types: readonly {
      /** Kind of query. */
      query_type: string;
      /** Its cases. */
      cases: number;
    }[];
  };
  /** How it was measured. */
  settings: {
    /** Measured times per case after the warm-up; the latency is their median. */
    repeats: number;
    /** Cases that each mode answers beforehand, unmeasured. */
    warm_up: number;
    /** Hits that were asked for. */
    depth: number;
    /** The `top_k` of all cases; null where they differ. */
    top_k: number | null;
    [key: string]: unknown;
  };
  /** The modes, `fts_only` first. */
  modes: readonly BenchMode[];
  /**
   * Every other mode against `fts_only`: differences, intervals, tests, slices by query type. Null
   * without `fts_only`, or with one mode.
   */
  comparison: ScoreComparison | null;
  /** Null where `fts_only` or both embedding modes are missing. */
  decision: BenchDecision | null;
  /** What people said of sampled hits; null where no sheet was labelled. */
  sampling: SamplePass | null;
  /** What has to be there before embeddings are promoted. */
  checklist: readonly ChecklistItem[];
  /**
   * Whether embeddings may be promoted: the decision keeps them, and nothing of the checklist is missing.
   */
  may_promote: boolean;
  /** What may mislead in this report. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/**
 * The scores of one mode over some cases, at 4 decimals. Besides these `recall_at_5`, `mrr_at_5` and
 * `ndcg_at_5` (exponential gain), named by the `top_k` of the cases; `recall_at_k` and so on where cases
 * differ in it.
 */
export interface BenchScores {
  /** Cases that the scores are over. */
  case_count: number;
  /** Share of cases with anything of grade 1 or more within `top_k`. */
  evidence_hit_rate: number;
  /** Mean milliseconds of a case. */
  avg_latency_ms: number;
  /** The nearest rank. */
  p95_latency_ms: number;
  [key: string]: number;
}

/**
 * Whether vectors come from hashes, the same on every machine, or from a real provider that is tried out.
 */
export type BenchTier = "offline" | "live_shadow";

/** The search that is built in. */
export interface BuiltinBackendConfig {
  /** BM25 over the corpus, in memory. */
  kind: "builtin";
}

/** What has to be there before embeddings are promoted. */
export interface ChecklistItem {
  /** What has to be there. */
  item: "judged_dataset" | "side_by_side" | "metrics" | "manual_sampling" | "rollback";
  /** Whether it is. */
  is_done: boolean;
  /** What there is, or what to do. */
  note: string;
}

/** A chunk as the knowledge base has it, without its text. */
export interface ChunkRecord {
  /** Unique in one version of the knowledge base. */
  chunk_id: string;
  /** Its document. */
  doc_id: string;
  /** Path of the document. */
  doc_path?: string | null | undefined;
  /** Where in the document it lies. */
  source_spans?: readonly Span[] | null | undefined;
  /** What cut the document. */
  chunker_version?: string | null | undefined;
  [key: string]: unknown;
}

/** What an answer points at: a chunk by its id, or a place in a document. */
export type Citation =
  | {
      kind?: undefined;
      /** The cited chunk. */
      chunk_id: string;
      [key: string]: unknown;
    }
  | {
      kind: "line";
      /** Path of the cited document. */
      path: string;
      /** First line, from 1. */
      start: number;
      /** Last line, included. */
      end: number;
      [key: string]: unknown;
    }
  | {
      kind: "code";
      /** Path of the cited document. */
      path: string;
      /** First line, from 1. */
      line_start: number;
      /** Last line, included. */
      line_end: number;
      [key: string]: unknown;
    }
  | {
      kind: "byte";
      /** Path of the cited document. */
      path: string;
      /** First byte, from 0. */
      start: number;
      /** First byte after it. */
      end: number;
      [key: string]: unknown;
    }
  | {
      kind: "page";
      /** Path of the cited document. */
      path: string;
      /** Page, from 0. */
      page: number;
      /** First character on the page, from 0; without it, the whole page. */
      char_start?: number | null | undefined;
      /** First character after it. */
      char_end?: number | null | undefined;
      [key: string]: unknown;
    }
  | {
      kind: "time";
      /** Path of the cited document. */
      path: string;
      /** First millisecond. */
      start_ms: number;
      /** First millisecond after it. */
      end_ms: number;
      [key: string]: unknown;
    }
  | {
      kind: "region";
      /** Path of the cited document. */
      path: string;
      /** Left edge, in any unit. */
      x: number;
      /** Upper edge, in the same unit. */
      y: number;
      /** Width. */
      w: number;
      /** Height. */
      h: number;
      /** Page, from 0; without it, any. */
      page?: number | null | undefined;
      [key: string]: unknown;
    }
  | {
      kind: "caption";
      /** Path of the cited document. */
      path: string;
      [key: string]: unknown;
    };

/**
 * A command, as a program and its arguments. Nothing in them is read by a shell, unless it is asked for.
 */
export type CommandConfig =
  | readonly string[]
  | {
      /** a line for the shell. */
      shell: string;
    };

/** Two runs side by side. */
export interface CompareReport {
  /** Version of this shape. */
  schema_version: 1;
  /** Id of the baseline. */
  run_a: string;
  /** Id of the run that is compared with it. */
  run_b: string;
  /** The scores of a. */
  aggregate_a: AggregateMetrics;
  /** The scores of b. */
  aggregate_b: AggregateMetrics;
  /** Run b minus run a. */
  deltas: Deltas;
  /** How many queries became what. */
  counts: {
    /** Queries where b's first expected hit stands higher, or a has none. */
    win: number;
    /** Queries where it stands lower. */
    loss: number;
    /** Queries where a has an expected hit and b none. */
    regression: number;
    /** Queries where it stands at the same rank, or is in neither. */
    draw: number;
  };
  /** Every golden query that either run has a result for. */
  per_query: readonly QueryComparison[];
  /** Differences in configuration that are known to move results, said once. */
  causes: readonly {
    /** What differs, such as `embedding model`. */
    cause: string;
    /** What a has; null where it does not say. */
    a: string | null;
    /** What b has; null where it does not say. */
    b: string | null;
  }[];
  /** Every leaf of the configuration that differs. */
  config_diff: readonly ConfigDifference[];
  /** Queries of which an expected chunk was matched by its document, because its spans are unknown. */
  fallback_queries: number;
  /**
   * Whether the differences are real: tests, intervals, slices and the verdict. Null in reports of
   * earlier versions.
   */
  statistics: ScoreComparison | null;
  /** What may mislead in this report. */
  warnings: readonly Warning[];
}

/** A query in every run. */
export interface ComparedQuery {
  /** The query. */
  query_id: string;
  /** Null where its text is unknown. */
  query: string | null;
  /** What slices are made by: `lang` to `ko`. */
  labels: Record<string, string>;
  /**
   * By run in the order of `runs`, then by metric in the order of `metrics`; null where a run has no
   * score.
   */
  scores: readonly (readonly (number | null)[])[];
  /**
   * The first hits of each run, in the order of `runs`; a grade of null is unjudged. Null where the
   * rankings were not kept.
   */
  rankings:
    | readonly (readonly {
        /** Id of the hit. */
        id: string;
        /** Its grade; null for an unjudged hit. */
        grade: number | null;
      }[])[]
    | null;
  /**
   * By run how alike its ranking is to the baseline's, without regard to judgments: rank-biased overlap
   * of the first 100 hits, from 0 to 1. Null where the rankings were not kept.
   */
  overlap: readonly number[] | null;
  /**
   * By run the rank of its first relevant hit, null where there is none; null or absent where the
   * rankings were not kept.
   */
  first_relevant?: readonly (number | null)[] | null | undefined;
  /** By run what its result failed with, null where it did not; absent where no run failed. */
  errors?: readonly (string | null)[] | undefined;
  /** The relevant items, best grade first, and what became of each in every run. */
  expected:
    | readonly {
        /** Id of the item. */
        id: string;
        /** Its grade. */
        grade: number;
        /** What became of it, by run. */
        runs: readonly Fate[];
      }[]
    | null;
}

/** How differences were tested and when they count. */
export interface ComparisonSettings {
  /** The test of paired differences. */
  test: PairedTestName;
  /** Of everything that is drawn at random. */
  seed: number;
  /** Sign flips drawn where there are too many to enumerate, and resamples of the bootstrap. */
  permutations: number;
  /** Resamples of the bootstrap. */
  resamples: number;
  /** Share of the intervals, such as 0.95. */
  confidence: number;
  /** An adjusted p below it is significant. */
  alpha: number;
  /** How p values of a family are adjusted. */
  correction: CorrectionName;
  /** The power that `detectable` and `queries_needed` are for. */
  power: number;
  /** A query whose scores differ by no more is equal. */
  tolerance: number;
  /** Differences within it, either way, do not matter: a share of the metric's range. */
  margin: number;
  /** The metric that decides; null where there is none. */
  primary: string | null;
  /** Metrics that must not fall, each with the loss that is allowed. */
  guards: readonly {
    /** Printed name. */
    metric: string;
    /** Loss that is allowed, in the metric's own unit, from 0. */
    allowed_loss: number;
  }[];
  /** Highest 95th percentile of milliseconds that is accepted; null for any. */
  max_p95_ms: number | null;
  /** Share of failed results above which a run is not compared; earlier versions compared any. */
  max_failed_share: number;
  [key: string]: unknown;
}

/** A leaf of the configuration that differs. A leaf that one side lacks is null there. */
export interface ConfigDifference {
  /** Path of the leaf, such as `embedding.model`. */
  path: string;
  /** Its value in a; secrets are redacted. */
  a: unknown;
  /** Its value in b; secrets are redacted. */
  b: unknown;
}

/**
 * The configuration of a project: what commands take where no flag says otherwise. Paths are relative to
 * the file.
 */
export interface Config {
  /** For editors; not read. */
  $schema?: string | undefined;
  /** the golden set. */
  golden?: string | undefined;
  /** the store: an SQLite file, or a postgresql:// address. */
  store?: string | undefined;
  /** the label store; by default a postgresql:// store, else .rankproof/labels.sqlite. */
  labels?: string | undefined;
  /** the folder of what commands write besides the stores; .rankproof by default. */
  artifacts?: string | undefined;
  /** the module that `rankproof run` records. */
  system?: string | undefined;
  /** further metrics, such as nDCG@10. */
  metrics?: readonly string[] | undefined;
  /** the metric that decides. */
  primary?: string | undefined;
  /** metrics that must not fall, or by no more than a loss: `R@100`, `R@100=0.01`. */
  guards?: readonly string[] | undefined;
  /** rules, or files of them, that `run` and `compare` fail by, such as `MRR@10 not worse by 0.02`. */
  gates?: readonly string[] | undefined;
  /** slice by these labels only. */
  slices?: readonly string[] | undefined;
  /** how hybrids are fused; `tune fusion --apply` writes it. */
  fusion?: FusionConfig | undefined;
  /** share of failed results above which a run is not compared; 0.2 by default. */
  maxFailedShare?: number | undefined;
  /** stop a recording when so many queries were asked and all failed alike; 5 by default. */
  stopAfterFailures?: number | undefined;
  /** what is labelled, by id. */
  datasets?: Record<string, DatasetConfig> | undefined;
  /** metrics that a live search is measured by, the one that decides first, by name. */
  scorecards?: Record<string, readonly string[]> | undefined;
  /** searches, by name. */
  backends?: Record<string, BackendConfig> | undefined;
  /** how `tune backend` changes the configuration of a search, by the name of the backend. */
  tuning?: Record<string, TuningConfig> | undefined;
  /** who reranks, by name. */
  rerankers?: Record<string, RerankerConfig> | undefined;
  /** who labels, by name. */
  labelers?: Record<string, LabelerConfig> | undefined;
}

/** Everything about which evaluation tools disagree, and what was decided. */
export interface Conventions {
  /** Name of the profile that decides what was not set by itself, such as `trec_eval`. */
  profile: string;
  /**
   * Hits of equal score: by id descending as trec_eval, the mean over all orders, or in the order of the
   * input.
   */
  ties: "trec" | "expected" | "input";
  /** The precision in which scores are held. */
  precision: "double" | "single";
  /** Averaged over all judged queries, or over those that the run answers. */
  queries: "judged" | "intersection";
  /** A query without anything relevant scores 0 and counts, is left out, or scores 1. */
  noRelevant: "zero" | "skip" | "one";
  /** Unjudged hits are not relevant, or are left out of the ranking first. */
  unjudged: "irrelevant" | "remove";
  /** Of the same item twice in one ranking the first counts, it is an error, or each counts. */
  duplicates: "first" | "error" | "count";
  /** Grades as they are, or cut to whole numbers as C does. */
  grades: "as given" | "cut";
  /** Means are rounded once, or are sums in the order of the query ids divided by their number. */
  means: "exact" | "in order";
  /** Whether a hit with the id of its query counts. */
  identicalIds: "keep" | "drop";
  /** Hits looked at; null for all. */
  depth: number | null;
}

/** What the knowledge base holds: the chunks that ids, citations and spans are checked against. */
export interface Corpus {
  /** The chunks that are there now. */
  chunks: readonly ChunkRecord[];
  [key: string]: unknown;
}

/**
 * A metric by the labels of a model and, where a probability sample of queries was labelled by people,
 * what these make of it: a mean of one run, or a mean difference.
 */
export interface CorrectedScore {
  /** Printed name, such as nDCG@10. */
  metric: string;
  /** By the model's labels alone, over all queries of the sample's frame. */
  raw: number;
  /** By PPI++: people's labels, helped by the model's as far as they agree. */
  corrected: number;
  /** Of the corrected one, by Student's t; null for fewer than two queries. */
  interval: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
  /** That the corrected one is 0; two-sided. */
  p: number | null;
  /** The same, adjusted within its family; null for the mean of one run. */
  p_adjusted: number | null;
  /** What the people's queries say by themselves. */
  people: {
    /** By people's labels alone. */
    mean: number;
    /** By Student's t. */
    interval: {
      /** Lower end. */
      low: number;
      /** Upper end. */
      high: number;
    } | null;
  };
  /** How much the model's labels count, from 0 to 1. */
  lambda: number;
  /** Of both scores of a query; null where there is none. */
  correlation: number | null;
  /** Queries labelled by people. */
  queries: number;
  /** Further queries, labelled by the model only. */
  further: number;
  /** How many queries labelled by people alone would do as well. */
  worth: number;
  /** Queries labelled by people where the run is better; absent for the mean of one run. */
  improved?: number | undefined;
  /** Those where it is as good. */
  equal?: number | undefined;
  /** Those where it is worse. */
  worse?: number | undefined;
}

/** The ways to adjust p values of a family of tests. */
export type CorrectionName =
  "holm" | "bonferroni" | "hochberg" | "hommel" | "benjamini-hochberg" | "benjamini-yekutieli" | "none";

/** Queries and a corpus, and who searches and labels them. */
export interface DatasetConfig {
  /** a line each, TSV, JSONL, BEIR, or a golden set. */
  queries: string;
  /**
   * JSONL or JSON: objects with an id and the fields that raters see; by default what the backend lists.
   */
  corpus?: string | undefined;
  /** the fields that raters see, in this order; all by default. */
  fields?: readonly string[] | undefined;
  /** for the built-in search; `english` by default. */
  language?: string | undefined;
  /** whose labels they are; `default` by default. */
  tenant?: string | undefined;
  /** a name of `backends`; the built-in search by default. */
  backend?: string | undefined;
  /** a name of `rerankers`; none by default, and `overlap` for a deep rebuild. */
  reranker?: string | undefined;
  /** a name of `labelers`; `overlap` by default. */
  labeler?: string | undefined;
  /** a name of `scorecards`; by default that of search teams, on grades from 0 to 3. */
  scorecard?: string | undefined;
  /** shown wherever its text is. */
  licence?: string | undefined;
}

/** Differences b - a of the stored values, at 4 decimals; null where either side has none. */
export interface Deltas {
  /**
   * `fallback_doc` is read from reports of other programs, which match by documents alone; it is never
   * written.
   */
  chunker_version_match: "exact" | "fallback_doc_span" | "fallback_doc";
  /** Of hit@k, by k. */
  hit_at_k: {
    /** At cutoff 1. */
    "1": number | null;
    /** At cutoff 3. */
    "3": number | null;
    /** At cutoff 5. */
    "5": number | null;
    /** At cutoff 10. */
    "10": number | null;
  };
  /** Of MRR@10. */
  mrr: number | null;
  /** Of precision@k of chunks, by k. */
  precision_at_k_chunk: {
    /** At cutoff 1. */
    "1": number | null;
    /** At cutoff 3. */
    "3": number | null;
    /** At cutoff 5. */
    "5": number | null;
    /** At cutoff 10. */
    "10": number | null;
  };
  /** Of recall@k of documents, by k. */
  recall_at_k_doc: {
    /** At cutoff 1. */
    "1": number | null;
    /** At cutoff 3. */
    "3": number | null;
    /** At cutoff 5. */
    "5": number | null;
    /** At cutoff 10. */
    "10": number | null;
  };
  /** Of the citation coverage. */
  citation_coverage: number | null;
  /** Of the text checks. */
  groundedness: number | null;
  /** Of the share of empty results. */
  empty_result_rate: number | null;
  /** Of the refusal correctness. */
  refusal_correctness: number | null;
  /** Of further metrics, by printed name. */
  metrics: Record<string, number | null>;
}

/** A search engine. What is given besides goes before what its kind says. */
export interface EngineBackendConfig {
  /** the engine; OpenSearch is asked as elasticsearch. */
  kind: "elasticsearch" | "solr" | "vespa" | "typesense" | "meilisearch" | "qdrant";
  /** its address. */
  url: string;
  /** such as a key: `${NAME}`. */
  headers?: Record<string, string> | undefined;
  /** longest time for an answer, in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** how often a request is sent again after 429, 502, 503, 504 or no answer; 2 by default. */
  retries?: number | undefined;
  /** requests at once; 4 by default. */
  concurrency?: number | undefined;
  /** no limit by default. */
  requestsPerMinute?: number | undefined;
  /** most bytes of an answer; 67,108,864 by default. */
  maxAnswerBytes?: number | undefined;
  /** its index, collection or schema: `{index}`. */
  index?: string | undefined;
  /** POST by default. */
  method?: "GET" | "POST" | undefined;
  /** put behind the address. */
  path?: string | undefined;
  /** put into the address; one that is not known at the moment is left out. */
  params?: Record<string, string> | undefined;
  /** sent as JSON, with names in braces filled in. */
  body?: unknown;
  /** where the hits are; they are searched for by default. */
  hits?: string | undefined;
  /** where a hit has what. */
  hit?: HitConfig | undefined;
  /** where the answer says how it searched. */
  plan?: string | undefined;
  /** where the answer has the ids of a stage, best first, by its name. */
  channels?: Record<string, string> | undefined;
  /**
   * where the answer says how many hits there are; fewer than that are an error. false for an engine that
   * counts what it then puts together (collapse, grouping).
   */
  total?: false | string | undefined;
  /** where an answer says that it has a part of the hits alone; that is an error. */
  partial?: readonly string[] | undefined;
  /** where an answer that is an error says why; of several the first that is there. */
  error?: string | readonly string[] | undefined;
  /** most hits of a request; more are asked for by `{offset}` or `{page}`. */
  pageSize?: number | undefined;
  /** how all items are listed, in place of a corpus. */
  list?: ItemListConfig | undefined;
  /** where the service says its settings. */
  configuration?: SettingsRequestConfig | undefined;
  /** what further names in braces stand for. */
  variables?: Record<string, string | number> | undefined;
}

/** What one version of a system returned for a set of queries. */
export interface EvalRun {
  /** Unique in a store. */
  run_id: string;
  /** What runs of one golden set share; `default` where a file does not say. */
  suite: string;
  /** When it was recorded, in UTC: 2026-05-01T09:00:00Z. */
  created_at: string;
  /** The commit that it was recorded at. */
  commit_hash?: string | null | undefined;
  /**
   * How the system was configured; a comparison says what differs. Known keys: chunker_version,
   * embedding.model, llm.model_id, prompt_template_version, index_version, eval_k.
   */
  config_snapshot: Record<string, unknown>;
  /** One result for each query. */
  results: readonly QueryResult[];
  /** True while a recorded run has not finished. */
  incomplete?: boolean | null | undefined;
  /** True where it did not pass the gate that it was recorded for: it is no baseline by default. */
  gate_failed?: boolean | null | undefined;
  /** True until the gate that it is recorded for has been held; until then it is no baseline either. */
  gate_pending?: boolean | null | undefined;
  [key: string]: unknown;
}

/** How much was scored, and what could not be. */
export interface EvaluationCounts {
  /** Queries that the aggregates are over. */
  queries: number;
  /** Judged queries that the run does not answer. */
  missing_queries: number;
  /** Queries of the run without judgments. */
  unjudged_queries: number;
  /** Queries without anything relevant. */
  no_relevant: number;
  /** Hits that were looked at. */
  hits: number;
  /** Those of them without a judgment. */
  unjudged_hits: number;
  /** Queries with hits of equal score. */
  tied_queries: number;
  /** Those of `tied_queries` where such hits stand on both sides of a cutoff. */
  ties_at_cutoff: number;
  /** Hits that repeat an item of the same query. */
  duplicates: number;
}

/**
 * The scores of some shards of a run's queries: merged with those of the others it gives the bytes of one
 * pass.
 */
export interface EvaluationPartial {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "evaluation_partial";
  /** Name of the run; null where it has none. */
  run: string | null;
  /** How it was scored. */
  conventions: Conventions;
  /** Printed names of the metrics. */
  metrics: readonly string[];
  /** Whether there are scores with tied hits in the worst and best order. */
  tie_spread: boolean;
  /** Whether there are scores as if unjudged hits were judged. */
  bounds: boolean;
  /** What the whole run is scored against. */
  judgments: {
    /** Tells other judgments; the same whatever the order of their lines. */
    digest: string;
    /** Judged queries, of all shards. */
    queries: number;
    /** The highest grade. */
    highest: number;
  };
  /** Shards by the 32-bit FNV-1a hash of the query id modulo their number, and 1. */
  shards: Shards;
  /** Queries that are scored, by id. */
  query_ids: readonly string[];
  /** Judged queries that the run does not answer, by id. */
  missing_queries: readonly string[];
  /** Scores in full precision, by metric and then by query. */
  scores: readonly (readonly number[])[];
  /** With tied hits in the worst and in the best order. */
  spreads: {
    /** Lowest scores, by metric and then by query. */
    low: readonly (readonly number[])[];
    /** Highest scores, by metric and then by query. */
    high: readonly (readonly number[])[];
  } | null;
  /** As if unjudged hits were judged. */
  unjudged_bounds: {
    /** Lowest scores, by metric and then by query. */
    low: readonly (readonly number[])[];
    /** Highest scores, by metric and then by query. */
    high: readonly (readonly number[])[];
  } | null;
  /** Exact sums of metrics that are fractions, in the order of `metrics`. */
  fractions: readonly FractionSum[];
  /** How much was scored, and what could not be. */
  counts: EvaluationCounts;
  /** Judged queries that the run answers. */
  answered: number;
  /** The first query of the run without judgments. */
  first_unjudged: string | null;
  /** Whether a query has more than one subtopic, where it matters. */
  has_subtopics: boolean;
  /** Unjudged ids that differ from judged ones by how they are written, by query id. */
  near_ids: readonly {
    /** The query. */
    query_id: string;
    /** Both texts. */
    text: string;
  }[];
  /** What is to be said of the run as a whole. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/**
 * The scores of one run against judgments. Aggregates have 4 decimals, the scores of queries all of
 * theirs.
 */
export interface EvaluationRecord {
  /** Version of this shape. */
  schema_version: 1;
  /** Name of the run; null where it has none. */
  run: string | null;
  /** How it was scored. */
  conventions: Conventions;
  /** Aggregates by printed name of the metric. */
  metrics: Record<string, number>;
  /** Direction and range of every metric, by printed name. */
  metric_cards: Record<string, MetricCard>;
  /**
   * What the aggregates would be with tied hits in the worst and in the best order; null unless asked
   * for.
   */
  tie_spread: Record<
    string,
    {
      /** Lowest. */
      low: number;
      /** Highest. */
      high: number;
    }
  > | null;
  /**
   * What the aggregates could be, were every unjudged hit judged; null unless asked for. A metric without
   * an exact form is absent.
   */
  bounds: Record<
    string,
    {
      /** Lowest. */
      low: number;
      /** Highest. */
      high: number;
    }
  > | null;
  /** Scores by query id, in the order of `metrics`; null unless asked for. */
  per_query:
    | readonly {
        /** The query. */
        query_id: string;
        /** Its scores, in the order of `metrics`. */
        scores: readonly number[];
      }[]
    | null;
  /** How much was scored, and what could not be. */
  counts: EvaluationCounts;
  /** What may mislead in these scores. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/** A setting as it was measured. */
export interface ExperimentResult {
  /** Its name; `current` for the original configuration. */
  name: string;
  /** Null for the original configuration. */
  parameters: Record<string, unknown> | null;
  /** Its run in the store; null where it was not measured. */
  batch_id: string | null;
  /** Why it was not measured; null where it was. */
  error: string | null;
  /** Mean of the metric, at 4 decimals; null where it was not measured. */
  mean: number | null;
  /** That minus the mean of the original configuration. */
  difference: number | null;
  /**
   * How often the best of all settings would seem so much better by chance; null for the original one.
   */
  p: number | null;
  /** Queries that gain. */
  improved: number;
  /** Queries that stay as they are. */
  equal: number;
  /** Queries that lose. */
  worse: number;
  /** Queries that the search failed for; they score what an empty ranking does. */
  failed: number;
  /** Hits in view without a label; they count as Irrelevant. */
  unjudged: number;
}

/** What is tried on a live search. */
export interface Experiments {
  /** For editors; not read. */
  $schema?: string | undefined;
  /** Settings that are tried, in this order. */
  experiments?:
    | readonly {
        /** What it is called in reports. */
        name: string;
        /** Values of parameters, by name. */
        parameters: Record<string, unknown>;
      }[]
    | undefined;
  /** Every combination of these values is tried, too. */
  space?: Record<string, ParameterValues> | undefined;
  /** Values of parameters that an experiment does not name. */
  defaults?: Record<string, unknown> | undefined;
}

/** How many results a run has, how many of them failed, and why. */
export interface FailedResults {
  /** Results of the run. */
  results: number;
  /** Those of them with an error. */
  failed: number;
  /** The most frequent messages first. */
  failures: readonly Failure[];
  /** The same of the queries that are compared, where the run has results of others, too. */
  compared?:
    | {
        /** Results of these queries. */
        results: number;
        /** Those of them with an error. */
        failed: number;
      }
    | undefined;
}

/** What results say that failed alike. */
export interface Failure {
  /** What the results failed with. */
  message: string;
  /** How many results failed with it. */
  count: number;
  /** The first of their queries, sorted. */
  query_ids: readonly string[];
}

/** What became of a relevant item in one run. */
export interface Fate {
  /** Its rank; null when it did not come back. */
  rank: number | null;
  /** Its rank in each channel that the run tells of, such as `lexical` and `embedding`. */
  channels: Record<string, number | null>;
  /**
   * `found` within the cutoff, `cut_off` below it, `lost_by_fusion` when a channel had it within the
   * cutoff, `never_retrieved`, `not_in_index`.
   */
  fate: "found" | "cut_off" | "lost_by_fusion" | "never_retrieved" | "not_in_index";
}

/** One query of a benchmark fixture, with what is relevant to it. Unknown further fields are kept. */
export interface FixtureCase {
  /** Unique in the fixture. */
  case_id: string;
  /** The text that is searched for. */
  query: string;
  /** Kind of query; scores are given for each kind. */
  query_type: string;
  /** Cutoff of this case's scores, from 1. */
  top_k: number;
  /** What is relevant, and how much. */
  judgments: readonly {
    /** The paper of the section. */
    paper_id: string | number;
    /** The section: `PAPER_ID#NAME`. */
    chunk_ref: string;
    /** Grade from 0, not relevant, to 3. */
    relevance: number;
    [key: string]: unknown;
  }[];
  /** For people; it must agree with the judgments. */
  expected_paper_ids?: readonly (string | number)[] | undefined;
  /** For people; it must agree with the judgments. */
  expected_chunk_refs?: readonly string[] | undefined;
  [key: string]: unknown;
}

/** The exact sum of scores that are fractions. */
export interface FractionSum {
  /** Scores that are fractions. */
  count: number;
  /** Their sum: numerators by denominator. */
  terms: readonly (readonly [number, number])[];
}

/** How hybrids are fused. */
export interface FusionConfig {
  /** a fusion method with its parameters, such as wsum(weights=0.7/0.3). */
  method: string;
  /** how scores are made comparable; what the method needs by default. */
  normalize?: string | undefined;
}

/** A way to fuse runs, and what it scores. */
export interface FusionSetting {
  /** Printed name with parameters, as `fuse --method` takes it. */
  method: string;
  /** Name of the normalizer. */
  normalize: string;
  /** Mean over the queries, at 4 decimals. */
  mean: number;
}

/** What a search over ways to fuse runs found, and whether it holds. */
export interface FusionTuning {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "fusion_tuning";
  /** Names of the runs, in the order of the weights. */
  runs: readonly string[];
  /** Printed name of the metric that was tuned for. */
  metric: string;
  /** Its direction and range. */
  metric_card: MetricCard;
  /** Judged queries; one that no run answers scores what an empty ranking does. */
  queries: number;
  /** Groups of queries that are held out and drawn together; one for each query where none is. */
  groups: number;
  /** Of sign flips, resamples and parts. */
  seed: number;
  /** Whether what would be chosen beats what is there, on queries that had no say in the choice. */
  verdict: TuningVerdict;
  /** The setting that is there. */
  current: FusionSetting;
  /** What all queries together choose; its mean is of those same queries, and too good. */
  chosen: {
    /** Printed name with parameters, as `fuse --method` takes it. */
    method: string;
    /** Name of the normalizer. */
    normalize: string;
    /** Mean over the queries, at 4 decimals. */
    mean: number;
    /**
     * Where on the axis it lies: the middle of an interval, of weights with as few decimals as lie well
     * within it; null where there are several axes.
     */
    point: number | null;
  };
  /** How the point was chosen; null where there are several axes. */
  choice: {
    /** By which the point is chosen. */
    rule: "one_standard_error" | "plateau";
    /** The highest mean, at 4 decimals; of the queries that chose it. */
    maximum: number;
    /** Where it is reached, without the ends; at most 20, the widest first. */
    plateau: readonly {
      /** Where it begins. */
      from: number;
      /** Where it ends. */
      to: number;
    }[];
    /** Of the mean at the widest plateau, at 4 decimals. */
    standard_error: number;
    /** The interval whose middle is chosen. */
    interval: {
      /** Where it begins. */
      from: number;
      /** Where it ends. */
      to: number;
    };
  } | null;
  /** What the choice is worth for queries that had no say in it; null for fewer than two. */
  held_out: {
    /** How queries were held out. */
    validation: "leave_one_out" | "folds" | "given";
    /** Parts of a repeat; each is scored by what the others chose. */
    parts: number;
    /** How often the parts were drawn. */
    repeats: number;
    /** Of the draw of parts; null where nothing was drawn. */
    seed: number | null;
    /** Mean of what queries score with what the others chose, at 4 decimals. */
    mean: number;
    /** That minus the mean of the current setting, at 4 decimals. */
    gain: number;
    /**
     * Of the gain, at each end the wider of BCa bootstrap and Student's t; null for fewer than two
     * queries, and where all gains are equal.
     */
    interval: {
      /** Lower end. */
      low: number;
      /** Upper end. */
      high: number;
    } | null;
    /** Share of the interval. */
    confidence: number;
    /** What the interval must lie above for `better`. */
    margin: number;
    /** Queries that gain. */
    improved: number;
    /** Queries that stay as they are. */
    equal: number;
    /** Queries that lose. */
    worse: number;
    /** How much the choice varies from part to part, the most frequent first. */
    chosen: readonly {
      /** Without parameters. */
      method: string;
      /** Name of the normalizer. */
      normalize: string;
      /** In how many parts it was chosen. */
      times: number;
      /** Points that were chosen. */
      point: {
        /** The lowest. */
        low: number;
        /** The middle one. */
        median: number;
        /** The highest. */
        high: number;
      } | null;
    }[];
  } | null;
  /** How often a search would find so much where nothing is better (max-T). */
  search_test: SearchTest;
  /** What was searched, in the order that was given. */
  searched: readonly {
    /** Without parameters. */
    method: string;
    /** Name of the normalizer. */
    normalize: string;
    /** What was tuned. */
    axis: string;
    /** The highest mean, at 4 decimals. */
    maximum: number;
    /** Settings whose scores differ. */
    variants: number;
  }[];
  /** The axis of the chosen method; null where it has several. */
  axis: {
    /** Where it begins. */
    from: number;
    /** Where it ends. */
    to: number;
    /** What it is: `weight of dense`, `k`. */
    name: string;
  } | null;
  /**
   * The mean by the axis of the chosen method, in pieces: exact where there are at most 2,000 steps, else
   * the lowest and the highest mean of each 2,000th. Null where there are several axes.
   */
  curve:
    | readonly {
        /** Where on the axis the piece begins; it ends where the next one begins. */
        from: number;
        /** Lowest mean within the piece, at 4 decimals. */
        low: number;
        /** Highest mean within the piece, at 4 decimals. */
        high: number;
      }[]
    | null;
  /** Unjudged hits that might change the choice. */
  unjudged: {
    /** Pairs of a query and an item that some setting brings into view. */
    items: number;
    /** All pairs that some setting brings into view. */
    of: number;
    /** Those of them that the chosen setting brings into view. */
    in_chosen: number;
  };
  /** Every query, by id. */
  per_query: readonly {
    /** Its id. */
    query_id: string;
    /** Score with the current setting. */
    current: number;
    /** Score with the chosen setting. */
    chosen: number;
    /** Mean score with what the other queries chose. */
    held_out: number | null;
  }[];
  /** What may mislead here. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/** What rules say about a result. */
export interface GateReport {
  /** Version of this shape. */
  schema_version: 1;
  /** Whether every rule passed for every run. */
  passed: boolean;
  /** In the order of the rules; of one rule, in the order of the runs. */
  rules: readonly GatedRule[];
  [key: string]: unknown;
}

/** One rule held against one run. */
export interface GatedRule {
  /** As it is printed: `nDCG@10 >= 0.45`. */
  rule: string;
  /** The run that it was held against; null where the result does not name it. */
  run: string | null;
  /** What was found, such as the score; null where nothing was measured, which never passes. */
  value: number | string | null;
  /** Whether the run passes the rule. */
  passed: boolean;
  /** What was found and what was asked for, in words. */
  why: string;
  /** What may mislead in it: a rule that could not have failed, for example. */
  warning?: string | undefined;
  [key: string]: unknown;
}

/** What one query should retrieve and what its answer must say. */
export interface GoldenQuery {
  /** Unique in the golden set; joins the query with the results of runs. */
  id: string;
  /** The text as a user would type it. */
  query: string;
  /** Language, such as `en`; a slice. */
  lang?: string | null | undefined;
  /**
   * Documents that a good result covers. Empty, with no expected chunks: the query should be refused.
   * Absent: not judged.
   */
  expected_doc_ids?: readonly string[] | undefined;
  /** Chunks that hold the answer; their order does not matter. */
  expected_chunk_ids?: readonly string[] | undefined;
  /** Texts that the answer must contain, all of them. */
  must_contain?: readonly string[] | undefined;
  /** Texts that the answer must not contain. */
  forbidden?: readonly string[] | undefined;
  /** Whether the system should decline; without it, an empty `expected_doc_ids` decides. */
  expected_refusal?: boolean | null | undefined;
  /** Such as `easy`; a slice. */
  difficulty?: string | null | undefined;
  /** Such as `how_to`; a slice. */
  query_type?: string | null | undefined;
  /** Wordings of one intent share it; `rankproof paraphrases` compares them. */
  group?: string | null | undefined;
  /** Grades of chunks or documents, for metrics such as nDCG@10. */
  judgments?: readonly Judgment[] | undefined;
  /** Places that hold the answer, whatever chunker cut them. */
  expected_spans?:
    | readonly {
        /** The document. */
        doc_id: string;
        /** The place in it. */
        span: Span;
      }[]
    | undefined;
  /** Anything else; its texts, numbers and truth values are slices. */
  meta?: Record<string, unknown> | null | undefined;
}

/** A golden set as a file holds it: the queries, and what the set is. */
export interface GoldenSet {
  /** For people. */
  version?: string | number | null | undefined;
  /** For people. */
  description?: string | null | undefined;
  /** The chunker that its chunk ids are of, as runs name it. */
  chunker_version?: string | number | null | undefined;
  /** The queries; ids are unique. */
  queries: readonly GoldenQuery[];
}

/** How it is seen that a search is up. */
export interface HealthConfig {
  /** answers with a status from 200 to 299 when the search is up. */
  url: string;
  /** longest wait, in milliseconds; 60,000 by default. */
  timeoutMs?: number | undefined;
  /** wait after that, and look again, in milliseconds; 0 by default. */
  settleMs?: number | undefined;
  /**
   * a text that its answer must have, with names of parameters as `{{name}}`: tells the search with the
   * new configuration from an old one that still answers.
   */
  expect?: string | undefined;
}

/** What a choice is worth for queries that had no say in it. */
export interface HeldOutGain {
  /** How queries were held out. */
  validation: "leave_one_out" | "folds" | "given";
  /** Parts of a repeat; each is scored by what the others chose. */
  parts: number;
  /** How often the parts were drawn. */
  repeats: number;
  /** Of the draw of parts; null where nothing was drawn. */
  seed: number | null;
  /** Mean of what queries score with what the others chose, at 4 decimals. */
  mean: number;
  /** That minus the mean of the current setting, at 4 decimals. */
  gain: number;
  /**
   * Of the gain, at each end the wider of BCa bootstrap and Student's t; null for fewer than two queries,
   * and where all gains are equal.
   */
  interval: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
  /** Share of the interval. */
  confidence: number;
  /** What the interval must lie above for `better`. */
  margin: number;
  /** Queries that gain. */
  improved: number;
  /** Queries that stay as they are. */
  equal: number;
  /** Queries that lose. */
  worse: number;
}

/** Where a hit has what. */
export interface HitConfig {
  /** its id; a number becomes text; /id by default. */
  id?: string | undefined;
  /** its fields; all of it by default. */
  fields?: string | undefined;
  /** fields that say nothing of the item itself, such as a score. */
  omit?: readonly string[] | undefined;
  /** its score; none by default. */
  score?: string | undefined;
  /** of a distance; its sign is turned round. */
  lowerIsBetter?: boolean | undefined;
  /** numbers by name. */
  features?: string | undefined;
}

/** A search service of any kind. */
export interface HttpBackendConfig {
  /** a search service; by default `{query, limit}` is posted to it. */
  kind: "http";
  /** its address. */
  url: string;
  /** such as a key: `${NAME}`. */
  headers?: Record<string, string> | undefined;
  /** longest time for an answer, in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** how often a request is sent again after 429, 502, 503, 504 or no answer; 2 by default. */
  retries?: number | undefined;
  /** requests at once; 4 by default. */
  concurrency?: number | undefined;
  /** no limit by default. */
  requestsPerMinute?: number | undefined;
  /** most bytes of an answer; 67,108,864 by default. */
  maxAnswerBytes?: number | undefined;
  /** POST by default. */
  method?: "GET" | "POST" | undefined;
  /** put behind the address. */
  path?: string | undefined;
  /** put into the address; one that is not known at the moment is left out. */
  params?: Record<string, string> | undefined;
  /** sent as JSON, with names in braces filled in. */
  body?: unknown;
  /** where the hits are; they are searched for by default. */
  hits?: string | undefined;
  /** where a hit has what. */
  hit?: HitConfig | undefined;
  /** where the answer says how it searched. */
  plan?: string | undefined;
  /** where the answer has the ids of a stage, best first, by its name. */
  channels?: Record<string, string> | undefined;
  /**
   * where the answer says how many hits there are; fewer than that are an error. false for an engine that
   * counts what it then puts together (collapse, grouping).
   */
  total?: false | string | undefined;
  /** where an answer says that it has a part of the hits alone; that is an error. */
  partial?: readonly string[] | undefined;
  /** where an answer that is an error says why; of several the first that is there. */
  error?: string | readonly string[] | undefined;
  /** most hits of a request; more are asked for by `{offset}` or `{page}`. */
  pageSize?: number | undefined;
  /** how all items are listed, in place of a corpus. */
  list?: ItemListConfig | undefined;
  /** where the service says its settings. */
  configuration?: SettingsRequestConfig | undefined;
  /** what further names in braces stand for. */
  variables?: Record<string, string | number> | undefined;
}

/** A service that scores documents for a question. */
export interface HttpRerankerConfig {
  /** a service with `/rerank`. */
  kind: "http";
  /**
   * `documents` (Cohere, Jina, vLLM; default) or `texts` (Text Embeddings Inference): how it is asked.
   */
  form?: "documents" | "texts" | undefined;
  /** its model; by default that of `RANKPROOF_RERANK_MODEL`. */
  model?: string | undefined;
  /** what `/rerank` is appended to; by default of `RANKPROOF_RERANK_BASE_URL`. */
  baseUrl?: string | undefined;
  /** better left to `RANKPROOF_RERANK_API_KEY`; else `${NAME}`. */
  apiKey?: string | undefined;
  /** most documents in a request; 80 by default, 32 of `texts`. */
  batchSize?: number | undefined;
  /** requests at once; 4 by default. */
  concurrency?: number | undefined;
  /** no limit by default. */
  requestsPerMinute?: number | undefined;
  /** longest time for an answer, in milliseconds; 60,000 by default. */
  timeoutMs?: number | undefined;
  /** most characters of an item that are sent; 2,000 by default. */
  maxItemCharacters?: number | undefined;
}

/** How all items of a search are listed; by default at the same path as the search. */
export interface ItemListConfig {
  /** POST by default. */
  method?: "GET" | "POST" | undefined;
  /** put behind the address. */
  path?: string | undefined;
  /** put into the address; one that is not known at the moment is left out. */
  params?: Record<string, string> | undefined;
  /** sent as JSON, with names in braces filled in. */
  body?: unknown;
  /** where its items are; where the hits are, at the same path; else all of it. */
  items?: string | undefined;
  /** where an item has what; as a hit by default. */
  item?: ListedItemConfig | undefined;
  /** where the answer says how the next page is asked for, as `{cursor}`. */
  next?: string | undefined;
  /** where the last item says so. */
  nextOfLast?: string | undefined;
  /** `{cursor}` of the first page; none by default. */
  start?: string | undefined;
  /** `{limit}` of each page; 1,000 by default. */
  pageSize?: number | undefined;
  /** an item a line, all of them in one answer. */
  isJsonl?: boolean | undefined;
}

/** An unjudged hit whose judgment could move the difference of the primary metric most. */
export interface JudgeNext {
  /** The query. */
  query_id: string;
  /** Id of the hit. */
  item: string;
  /** Its rank in the baseline; null where it did not come back. */
  rank_a: number | null;
  /** Its rank in run b; null where it did not come back. */
  rank_b: number | null;
  /**
   * How far the query's difference would move, were the item relevant at the highest grade: above 0 in
   * favour of b.
   */
  impact: number;
}

/** How a judge was tried, and what it did. */
export interface JudgeProbes {
  /** What the judge is called. */
  judge: string;
  /** Of the choice of pairs and their company. */
  seed: number;
  /** Items in a request. */
  batch_size: number;
  /** Requests that it took. */
  requests: number;
  /** What came of them, for the items that were looked at. */
  answers: {
    /** With a grade. */
    graded: number;
    /** The rater could not tell. */
    cannot_tell: number;
    /** An answer that cannot be used. */
    invalid: number;
    /** The rater refused. */
    refused: number;
  };
  /** What makes an alarm. */
  limits: {
    /** Most p of an alarm. */
    p: number;
    /** Least excess of an alarm. */
    excess: number;
  };
  /** The same request twice. */
  steadiness: {
    /** Pairs with a grade both times. */
    pairs: number;
    /** Those with the same grade. */
    unchanged: number;
    /** Mean size of the change, in grades; null without pairs. */
    mean_change: number | null;
  };
  /** The probes, variant by variant. */
  results: readonly ProbeResult[];
  /** Probes that could not be run. */
  skipped: readonly {
    /** What it tries. */
    probe: string;
    /** Why it was not run. */
    reason: string;
  }[];
}

/** A graded judgment of one chunk or one document. */
export type Judgment =
  | {
      /** The judged chunk. */
      chunk_id: string;
      /** How relevant it is: 0 or less is not relevant, higher is better. */
      grade: number;
    }
  | {
      /** The judged document. */
      doc_id: string;
      /** How relevant it is: 0 or less is not relevant, higher is better. */
      grade: number;
    };

/** Two sets of labels of the same pairs, held against each other, and how the judge was tried. */
export interface LabelAudit {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "label_audit";
  /** Its id. */
  audit_id: string;
  /** Id of the dataset. */
  dataset: string;
  /** Whose labels they are. */
  tenant: string;
  /** When it was made, in UTC. */
  created_at: string;
  /**
   * How intervals are made: at each end the wider of percentiles of resamples of whole queries and of
   * Student's t by the jackknife.
   */
  settings: {
    /** Of the resamples. */
    seed: number;
    /** Resamples of queries. */
    resamples: number;
    /** Share of the intervals. */
    confidence: number;
  };
  /** Whose labels are taken for true, where that matters. */
  first: AuditedRater;
  /** Whose labels are held against them. */
  second: AuditedRater;
  /** How much there is. */
  counts: {
    /** Pairs that the first rater was asked for. */
    first: number;
    /** Pairs that the second rater was asked for. */
    second: number;
    /** Pairs with a grade of both, on which all figures rest. */
    both: number;
    /** Queries of these. */
    queries: number;
    /** Pairs left out since the item has changed since it was labelled. */
    stale: number;
  };
  /** What came of asking. */
  answers: {
    /** Of the first rater, over all its pairs. */
    first: {
      /** With a grade. */
      graded: number;
      /** The rater could not tell. */
      cannot_tell: number;
      /** An answer that cannot be used. */
      invalid: number;
      /** The rater refused. */
      refused: number;
    };
    /** Of the second rater, over all its pairs. */
    second: {
      /** With a grade. */
      graded: number;
      /** The rater could not tell. */
      cannot_tell: number;
      /** An answer that cannot be used. */
      invalid: number;
      /** The rater refused. */
      refused: number;
    };
  };
  /** How far both agree. */
  agreement: {
    /** Cohen's kappa. */
    kappa: {
      /** Null where it is not defined. */
      value: number | null;
      /** Lower end of its interval; null for fewer than two queries. */
      low: number | null;
      /** Upper end. */
      high: number | null;
    };
    /** Cohen's kappa, disagreements weighing as their square. */
    quadratic_kappa: {
      /** Null where it is not defined. */
      value: number | null;
      /** Lower end of its interval; null for fewer than two queries. */
      low: number | null;
      /** Upper end. */
      high: number | null;
    };
    /** Krippendorff's alpha, grades as names. */
    alpha_nominal: number | null;
    /** Krippendorff's alpha, grades as places in an order. */
    alpha_ordinal: number | null;
    /** Krippendorff's alpha, grades as amounts. */
    alpha_interval: number | null;
    /** Mean of the second grade minus the first. */
    bias: {
      /** Null where it is not defined. */
      value: number | null;
      /** Lower end of its interval; null for fewer than two queries. */
      low: number | null;
      /** Upper end. */
      high: number | null;
    };
    /** Share of pairs with the same grade: without kappa it says nothing. */
    exact: number | null;
    /** Mean size of the difference, in grades. */
    mean_absolute_error: number | null;
    /** The grades, rising. */
    scale: readonly number[];
    /** Pairs by the grade of the first rater, then by that of the second. */
    confusion: readonly (readonly number[])[];
  };
  /** Grade by grade. */
  by_grade: readonly {
    /** A grade. */
    grade: number;
    /** Pairs with it by the first rater. */
    first: number;
    /** Pairs with it by the second rater. */
    second: number;
    /** Pairs with it by both. */
    both: number;
    /** Prevalence by the first rater. */
    first_share: number | null;
    /** Prevalence by the second rater. */
    second_share: number | null;
    /** Share of the first rater's that the second finds. */
    recall: number | null;
    /** Share of the second rater's that the first confirms. */
    precision: number | null;
    /** Mean of the second grade minus this one, of the first rater's pairs. */
    bias: number | null;
  }[];
  /** Query by query, the worst first. */
  by_query: readonly {
    /** Id of the query. */
    query_id: string;
    /** Its text; null where texts are left out. */
    query: string | null;
    /** Pairs with both grades. */
    pairs: number;
    /** Those with the same grade. */
    same: number;
    /** Null where both use one and the same grade. */
    quadratic_kappa: number | null;
    /** Mean size of the difference, in grades. */
    mean_absolute_error: number;
    /** Mean of the second grade minus the first. */
    bias: number;
  }[];
  /** By how far the second rater's own votes lie apart; none where it has one vote a pair. */
  by_spread: readonly {
    /** Largest minus smallest vote of the second rater. */
    spread: number;
    /** Pairs with it. */
    pairs: number;
    /** Those of which both raters say the same. */
    same: number;
    /** Mean size of the difference, in grades. */
    mean_absolute_error: number;
  }[];
  /** Irrelevant by the first rater, and 2 or 3 by the second. */
  false_relevant: {
    /** Pairs that the first rater finds Irrelevant. */
    pairs: number;
    /** Those to which the second gives 2 or 3. */
    lifted: number;
    /** Lower end of Wilson's interval of their share. */
    low: number;
    /** Upper end. */
    high: number;
  };
  /** The pairs that both differ most about. */
  disagreements: readonly AuditedPair[];
  /** How far people agree with each other; null where no two graded the same pair. */
  ceiling: {
    /** Persons. */
    raters: number;
    /** Pairs that two or more of them graded. */
    pairs: number;
    /** Mean over pairs of persons with pairs in common. */
    quadratic_kappa: number | null;
    /** Krippendorff's alpha of all of them. */
    alpha_ordinal: number | null;
  } | null;
  /** Labels that are worth a look. */
  outliers: readonly LabelOutlier[];
  /** What the difference does to conclusions; null without systems. */
  conclusions: AuditConclusions | null;
  /** How the second rater was tried; null where it was not. */
  probes: JudgeProbes | null;
  /** What is wrong, where anything is. */
  findings: readonly AuditFinding[];
  [key: string]: unknown;
}

/** Where judgments come from that are made of labels: the file beside a qrels file, FILE.labels.json. */
export interface LabelOrigin {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "label_origin";
  /** SHA-256 of the judgments' file, unpacked, in hexadecimal digits. */
  digest: string;
  /** Id of the dataset. */
  dataset: string;
  /** Whose labels they are. */
  tenant: string;
  /** Of the dataset. */
  licence?: string | null | undefined;
  /** Queries with a label. */
  queries: number;
  /** Labels by who decided. */
  labels: {
    /** Labels that an adjudicator decided. */
    adjudicator: number;
    /** Labels that people decided. */
    people: number;
    /** Labels by the labeler alone. */
    labeler: number;
  };
  /** Labels whose item has changed since. */
  stale: number;
  /** How deep the labels go. */
  per_query: {
    /** Labels of the query that has fewest. */
    fewest: number;
    /** Labels of the query that has most. */
    most: number;
  };
  /** How often a pair was judged. */
  votes: {
    /** Votes behind the label that has fewest. */
    fewest: number;
    /** Votes behind the label that has most. */
    most: number;
  };
  /** Raters whose labels decide. */
  raters: readonly {
    /** Who it is. */
    rater: Rater;
    /** Labels that this rater decided, alone or with others. */
    labels: number;
  }[];
  [key: string]: unknown;
}

/** A label that should be checked. */
export interface LabelOutlier {
  /** An Irrelevant that a system puts first, or items of one title with different labels. */
  kind: "irrelevant_at_rank_1" | "same_title";
  /** Id of the query. */
  query_id: string;
  /** Its text; null where texts are left out. */
  query: string | null;
  /** The items that it is about. */
  items: readonly {
    /** Id of an item. */
    item: string;
    /** Its label. */
    grade: number;
  }[];
  /** What they are called. */
  title: string | null;
  /** Systems that put the item first; none for a title. */
  systems: readonly string[];
}

/** Whose labels a result rests on, and how far they carry. */
export interface LabelTrust {
  /**
   * `people`: all labels are people's. `audited`: a model's, corrected by a sample of people's.
   * `not_audited`: a model's, and no verdict rests on them. `unknown`: nothing is known of who judged.
   */
  status: "people" | "audited" | "not_audited" | "unknown";
  /** What that means, in one sentence. */
  sentence: string;
  /** What to do about it; null where nothing is to be done. */
  next: string | null;
  /** The model behind the labels; null where none is known. */
  labeler: string | null;
  /** Null where nothing is known of them. */
  labels: {
    /** Labels that people decided. */
    people: number;
    /** Labels by the model alone. */
    model: number;
  } | null;
  /** The probability sample; null where there is none. */
  sample: {
    /** Queries drawn to be labelled by people. */
    drawn: number;
    /** Queries that they were drawn from. */
    frame: number;
  } | null;
  /** Pairs of query and item that people have still to label. */
  missing_pairs: number;
  /**
   * What the ideal of a metric is over, by both kinds of labels: all labelled items, or the items in view
   * of the runs; null without an estimate.
   */
  pool: "labelled" | "viewed" | null;
  /** Runs that search with the model that labelled: a judge likes its own. */
  self_judged: readonly string[];
}

/** Who labels. */
export type LabelerConfig = OpenaiLabelerConfig | OverlapLabelerConfig | ModuleLabelerConfig;

/** How long queries took, in milliseconds. */
export interface Latency {
  /** Arithmetic mean, in milliseconds. */
  mean: number;
  /** Median, in milliseconds, by nearest rank. */
  p50: number;
  /** 95th percentile, in milliseconds, by nearest rank: a time that was measured. */
  p95: number;
  /** The longest, in milliseconds. */
  max: number;
}

/** Where a listed item has what. */
export interface ListedItemConfig {
  /** its id; a number becomes text; /id by default. */
  id?: string | undefined;
  /** its fields; all of it by default. */
  fields?: string | undefined;
  /** fields that say nothing of the item itself, such as a score. */
  omit?: readonly string[] | undefined;
}

/** The mean of one metric over the queries that have a score. */
export interface MeanScore {
  /** Printed name, such as nDCG@10. */
  metric: string;
  /** How many queries have a score; the mean is over these. */
  queries: number;
  /** At 4 decimals; null where no query has a score. */
  mean: number | null;
  /**
   * Where the mean over all queries of this kind lies: at each end the wider of BCa bootstrap and
   * Student's t; null for fewer than 5 queries, or intents that they are wordings of, and where all
   * scores are equal.
   */
  interval: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
}

/** What is needed to print a metric that is not one of the fixed fields. */
export interface MetricCard {
  /** Whether a higher value is better. */
  higher_is_better: boolean;
  /** Lowest and highest possible value, both included; null where there is no bound. */
  range: readonly [number | null, number | null];
  /** The question that the metric answers, in one sentence. */
  question?: string | undefined;
}

/** The paired differences of one metric: run b minus the baseline a. */
export interface MetricDifference {
  /** Printed name, such as nDCG@10. */
  metric: string;
  /** Queries that both runs have a score for; everything here is over them. */
  pairs: number;
  /** Mean of the baseline over the pairs, at 4 decimals. */
  mean_a: number | null;
  /** Mean of run b over the pairs, at 4 decimals. */
  mean_b: number | null;
  /** Mean of b minus a, at 4 decimals. */
  difference: number | null;
  /**
   * Of the mean difference, at each end the wider of BCa bootstrap and Student's t; version 1 had that of
   * the bootstrap alone. Null for fewer than two pairs, for wordings of too few intents, and where all
   * differences are equal.
   */
  interval: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
  /** By the BCa bootstrap alone. */
  bca_interval?:
    | {
        /** Lower end. */
        low: number;
        /** Upper end. */
        high: number;
      }
    | null
    | undefined;
  /** By Student's t alone. */
  t_interval: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
  /** P value of the test of the settings, two-sided, from 0 to 1; null where there is no test. */
  p: number | null;
  /** The same, adjusted within its family by the correction of the settings. */
  p_adjusted: number | null;
  /** Whether p is over all sign flips or in closed form, not over a sample of flips. */
  is_exact: boolean;
  /**
   * There where the test points the other way than the mean, as tests of signs and ranks can; then p is
   * no evidence for the difference.
   */
  is_opposed?: true | undefined;
  /**
   * Cohen's d_z: the mean difference in standard deviations of the differences; null where they do not
   * vary.
   */
  effect_size: number | null;
  /** Queries where b is better, by the direction of the metric. */
  improved: number;
  /** Queries whose scores differ by no more than the tolerance. */
  equal: number;
  /** Queries where b is worse. */
  worse: number;
  /**
   * The smallest difference that so many pairs detect with the power of the settings; null where so few
   * detect none, and where the differences do not vary.
   */
  detectable: number | null;
  /** Queries that the observed difference would need; null where it is 0. */
  queries_needed: number | null;
  /**
   * Where some of the pairs are wordings of one intent (`group`): what the pairs say as queries of their
   * own. Interval, p and p_adjusted are by this and `by_group`, whichever is less sure.
   */
  by_query?: Tested | undefined;
  /**
   * The same with all wordings of an intent as one; what says less than 5 would has neither interval nor
   * p.
   */
  by_group?:
    | {
        /** Of the mean difference. */
        interval: {
          /** Lower end. */
          low: number;
          /** Upper end. */
          high: number;
        } | null;
        /** P value of the test. */
        p: number | null;
        /** There where the test points the other way than the mean. */
        is_opposed?: true | undefined;
        /** Intents that the pairs are wordings of, and pairs that stand alone. */
        groups: number;
        /** How many of one size would say as much, at 4 decimals (Kish 1965); there where sizes differ. */
        effective?: number | undefined;
        /** Those of them whose wordings together differ. */
        differing: number;
      }
    | undefined;
  /** There where nothing follows from the numbers, such as of runs asked for other numbers of hits. */
  undecided?: Undecided | undefined;
}

/** A judged useful item that did not come back. */
export interface MissedItem {
  /** Id of the item. */
  id: string;
  /** Its label. */
  label: number;
  /** What it is called; null where nothing is known of it. */
  title: string | null;
  /** Its rank in each stage that the search told of; null where it was not there. */
  channels: Record<string, number | null>;
}

/** A module that searches. */
export interface ModuleBackendConfig {
  /** a module that exports `retrieve(query)`, as `rankproof run` takes it. */
  kind: "module";
  /** the module. */
  path: string;
}

/** A module of your own that grades. */
export interface ModuleLabelerConfig {
  /** a module that exports `grade(query, item)`. */
  kind: "module";
  /** the module. */
  path: string;
  /** changes whenever its grades may. */
  version: string;
}

/** A module of your own that scores. */
export interface ModuleRerankerConfig {
  /** a module that exports `score(query, documents)`. */
  kind: "module";
  /** the module. */
  path: string;
  /** changes whenever its scores may. */
  version: string;
  /** most documents in a call; 80 by default. */
  batchSize?: number | undefined;
  /** most characters of an item; 2,000 by default. */
  maxItemCharacters?: number | undefined;
}

/** A model behind an OpenAI-compatible chat endpoint. */
export interface OpenaiLabelerConfig {
  /** an OpenAI-compatible chat endpoint. */
  kind: "openai";
  /** its model; by default that of `RANKPROOF_CHAT_MODEL`. */
  model?: string | undefined;
  /** what `/chat/completions` is appended to; by default of the environment. */
  baseUrl?: string | undefined;
  /** better left to `RANKPROOF_CHAT_API_KEY`; with a `baseUrl`, `${NAME}`. */
  apiKey?: string | undefined;
  /** `product` (default), `passage`, or a YAML or JSON file of your own. */
  prompt?: string | undefined;
  /** `complex` asks for a profile of each query first. */
  mode?: "simple" | "complex" | undefined;
  /** sent with each request, such as `{ temperature: 0 }`, which is the default. */
  parameters?: Record<string, unknown> | undefined;
  /** most items in a request; 50 by default. */
  batchSize?: number | undefined;
  /** how often each item is judged; 1 by default. */
  votes?: number | undefined;
  /** queries that are labelled at once; 4 by default. */
  concurrency?: number | undefined;
  /** no limit by default. */
  requestsPerMinute?: number | undefined;
  /** longest time for an answer, in milliseconds; 120,000 by default. */
  timeoutMs?: number | undefined;
  /** most characters of an item that are sent; 2,000 by default. */
  maxItemCharacters?: number | undefined;
  /** without it no money is counted. */
  price?: TokenPrice | undefined;
}

/** What became of a query. */
export type Outcome = "win" | "loss" | "regression" | "draw";

/** The baseline that needs no model. */
export interface OverlapLabelerConfig {
  /** the share of the query's words that an item has. */
  kind: "overlap";
}

/** The reranker that needs no model. */
export interface OverlapRerankerConfig {
  /** the share of the query's words that an item has. */
  kind: "overlap";
}

/** The tests of paired differences. */
export type PairedTestName = "randomization" | "t" | "wilcoxon" | "sign";

/**
 * A benchmark of evidence in papers: the papers, and queries with judgments of their sections. Unknown
 * further fields are kept.
 */
export interface PaperFixture {
  /** For people. */
  version?: string | number | null | undefined;
  /** For people. */
  description?: string | null | undefined;
  /** What is cut into sections and searched. */
  papers: readonly Paper[];
  /** The queries with their judgments. */
  cases: readonly FixtureCase[];
  [key: string]: unknown;
}

/**
 * A paper of a benchmark fixture: what is cut into sections and searched. Unknown further fields are
 * kept.
 */
export interface Paper {
  /** Unique in the fixture; 7 and "7" are the same paper. */
  paper_id: string | number;
  /** The paper's title. */
  title: string;
  /** The paper's abstract; empty where it has none. */
  abstract: string;
  /** Sections by name, such as `method`: a text, or a list of texts. */
  structured_card: Record<string, string | readonly string[]>;
  /** Year of publication. */
  year?: string | number | null | undefined;
  /** Journal or conference. */
  venue?: string | null | undefined;
  [key: string]: unknown;
}

/** Values of one parameter: a list, or so many from one number to another. */
export type ParameterValues =
  | readonly unknown[]
  | {
      /** The first value. */
      min: number;
      /** The last value. */
      max: number;
      /** How many values, from 2. */
      steps: number;
    };

/** What became of one wording. */
export type ParaphraseClass = "ok" | "mis_ranked" | "missing" | "no_expected";

/** Several wordings of one intent. */
export interface ParaphraseGroup {
  /** The `group` that the golden queries share. */
  group: string;
  /** Every wording. */
  variants: readonly ParaphraseVariant[];
  /** Highest minus lowest `recall_narrow`; null when no variant has one. */
  spread: number | null;
  /** Lowest `recall_narrow`. */
  worst: number | null;
  /** Variants that are `ok`. */
  ok: number;
  /** Variants that are `mis_ranked`. */
  mis_ranked: number;
  /** Variants that are `missing`. */
  missing: number;
  /** Whether every checked answer passed its text checks; null when none was checked. */
  answers_pass: boolean | null;
}

/** How steady a run is when one intent is worded differently. */
export interface ParaphraseReport {
  /** Version of this shape. */
  schema_version: 1;
  /** The run. */
  run_id: string;
  /** Every group of the golden set. */
  groups: readonly ParaphraseGroup[];
  /** Groups with more mis-ranked than missing variants: a better ranking would help them. */
  mostly_mis_ranked: number;
  /** Groups with more missing than mis-ranked variants: a better first stage would help them. */
  mostly_missing: number;
  /** Mean of the groups' spreads; null where none has one. */
  mean_spread: number | null;
  /** True when no hit of the run reached rank 50, so `recall_pool` may be too low. */
  pool_possibly_truncated: boolean;
}

/** How one wording of an intent fared. */
export interface ParaphraseVariant {
  /** The golden query. */
  query_id: string;
  /** Its text. */
  query: string;
  /** Recall of the expected documents in the top 10; null when none are expected. */
  recall_narrow: number | null;
  /** The same in the top 50. */
  recall_pool: number | null;
  /**
   * `ok`: all expected documents in the top 10; `mis_ranked`: more of them in the top 50 than in the top
   * 10; `missing`: no more of them; `no_expected`: none are expected.
   */
  class: ParaphraseClass;
}

/** SQL over PostgreSQL. */
export interface PostgresqlBackendConfig {
  /** a query in SQL; needs the package `pg`. */
  kind: "postgresql";
  /** how to connect: `${DATABASE_URL}`. */
  url: string;
  /**
   * the query, best first: `$1` are the words, `$2` is how many hits; columns `id`, `score`, and fields.
   */
  sql: string;
  /** a query for all items: column `id`, and fields. */
  listSql?: string | undefined;
  /** longest time for an answer, in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
}

/** One way in which a judge was tried. */
export interface ProbeResult {
  /** What it tries. */
  probe: "query_words" | "instruction" | "length" | "position" | "company" | "wording";
  /** What was changed, such as `start`. */
  variant: string;
  /** Pairs with a grade both times. */
  pairs: number;
  /** Those with a grade below 2 as they are. */
  below_2: number;
  /** Of these, those with a grade of 2 or 3 when changed. */
  lifted: number;
  /** Pairs with another grade when changed. */
  changed: number;
  /** Pairs with another grade when asked the same again. */
  unsteady: number;
  /** Mean of the changed grade minus the grade as it is; null without pairs. */
  shift: number | null;
  /** Mean of the changed grade minus that of asking the same again; null without pairs. */
  excess: number | null;
  /** What would be a defect: higher grades, lower ones, or both; of `none` it is no test. */
  direction: "up" | "down" | "either" | "none";
  /** Of the one-sided sign test of the excess, the smaller of two for `either`; null for no test. */
  p: number | null;
  /** Whether the change moves grades: both p and excess are beyond their limits. */
  is_alarm: boolean;
}

/** What became of one query from run a to run b. */
export interface QueryComparison {
  /** The golden query. */
  query_id: string;
  /** Its text. */
  query: string;
  /**
   * What became of it: `win` and `loss` by the rank of the first expected hit, `regression` where only a
   * has one, `draw`.
   */
  kind: Outcome;
  /** Rank of the first expected hit, null when there is none. */
  a_hit_rank: number | null;
  /** The same in b. */
  b_hit_rank: number | null;
  /**
   * What moved, what fell back to the document, what only one run has; null when there is nothing to say.
   */
  note: string | null;
  /** Expected chunks that b has and a has not. */
  gained_chunks: readonly string[];
  /** Expected chunks that a has and b has not. */
  lost_chunks: readonly string[];
  /** What b's answer got right and a's did not: the refusal, the text checks, the citations. */
  answer_gained?: readonly ("refusal" | "text" | "citations")[] | undefined;
  /** What a's answer got right and b's did not. */
  answer_lost?: readonly ("refusal" | "text" | "citations")[] | undefined;
}

/** What the system returned for one query. Unknown further fields are kept. */
export interface QueryResult {
  /** Id of the golden query. */
  query_id: string;
  /** The text that was asked. */
  query?: string | null | undefined;
  /** The way of searching, such as `lexical`. */
  mode?: string | null | undefined;
  /** Hits, best first; empty when nothing came back. */
  hits_top_k: readonly SearchHit[];
  /** The answer of a system that answers. */
  answer?: Answer | null | undefined;
  /** Milliseconds that the system took, from 0. */
  elapsed_ms?: number | null | undefined;
  /** What the query failed with; any text, even an empty one, is an error. */
  error?: string | null | undefined;
  /** `X-Request-ID` of each request, by which it is found in the log of the service. */
  request_ids?: readonly string[] | null | undefined;
  /** What the service says of how it searched. */
  plan?: unknown;
  /** Ids by the name of a stage, best first. */
  channels?: Record<string, readonly string[]> | null | undefined;
  [key: string]: unknown;
}

/** How alike the rankings of two runs are, without judgments. Means have 4 decimals. */
export interface RankingAgreement {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results. */
  kind: "ranking_agreement";
  /** Name of the first run. */
  run_a: string;
  /** Name of the second run. */
  run_b: string;
  /** How agreement was measured. */
  settings: {
    /** Of Jaccard's index. */
    cutoff: number;
    /** Hits looked at; null for all. */
    depth: number | null;
    /** Of rank-biased overlap. */
    persistence: number;
  };
  /** Over the queries that have a value; null for none. */
  means: {
    /** Rank-biased overlap; from 0 to 1. */
    rbo: number | null;
    /** Jaccard's index; from 0 to 1. */
    jaccard: number | null;
    /** Kendall's tau-b; from -1 to 1. */
    kendall_tau: number | null;
    /** Tau AP, which weighs the top more; from -1 to 1. */
    tau_ap: number | null;
  };
  /** The queries that changed most first. */
  per_query: readonly {
    /** The query. */
    query_id: string;
    /** Rank-biased overlap, extrapolated: 1 for the same ranking, 0 for nothing in common. */
    rbo: number;
    /** The share of the hits of both down to the cutoff that both have. */
    jaccard: number;
    /** Over the items that both rankings have; null for fewer than two. */
    kendall_tau: number | null;
    /** Over the same items; null for fewer than two. */
    tau_ap: number | null;
    /** Hits of the first run. */
    hits_a: number;
    /** Hits of the second run. */
    hits_b: number;
    /** Hits that both have. */
    shared: number;
  }[];
  [key: string]: unknown;
}

/** What sort of rater said it. */
export type RaterKind = "model" | "human" | "adjudicator" | "import" | "click";

/**
 * Who or what assesses. All of it but `answered_model` is its identity: with another prompt, or other
 * parameters, it is another rater. Unknown further fields are kept.
 */
export interface Rater {
  /** What sort of rater it is. */
  kind: RaterKind;
  /** A person's name, or that of a labeler. */
  name: string;
  /** The model that was asked for. */
  model?: string | null | undefined;
  /** The model that the answer names. */
  answered_model?: string | null | undefined;
  /** Id of the prompt. */
  prompt?: string | null | undefined;
  /** Version of the prompt. */
  prompt_version?: string | null | undefined;
  /** What else decides what it says, such as the temperature. */
  parameters?: Record<string, unknown> | null | undefined;
  [key: string]: unknown;
}

/** A query as one run answered it; lists by run have one element. */
export interface ReportedQuery {
  /** The query. */
  query_id: string;
  /** Null where its text is unknown. */
  query: string | null;
  /** What slices are made by: `lang` to `ko`. */
  labels: Record<string, string>;
  /**
   * By run in the order of `runs`, then by metric in the order of `metrics`; null where a run has no
   * score.
   */
  scores: readonly (readonly (number | null)[])[];
  /**
   * The first hits of each run, in the order of `runs`; a grade of null is unjudged. Null where the
   * rankings were not kept.
   */
  rankings:
    | readonly (readonly {
        /** Id of the hit. */
        id: string;
        /** Its grade; null for an unjudged hit. */
        grade: number | null;
      }[])[]
    | null;
  /**
   * By run the rank of its first relevant hit, null where there is none; null or absent where the
   * rankings were not kept.
   */
  first_relevant?: readonly (number | null)[] | null | undefined;
  /** By run what its result failed with, null where it did not; absent where no run failed. */
  errors?: readonly (string | null)[] | undefined;
  /** The relevant items, best grade first, and what became of each in every run. */
  expected:
    | readonly {
        /** Id of the item. */
        id: string;
        /** Its grade. */
        grade: number;
        /** What became of it, by run. */
        runs: readonly Fate[];
      }[]
    | null;
  /** Milliseconds; null where the run does not tell. */
  elapsed_ms: number | null;
  /** What the answer got right, null where there is nothing to judge; null without answers. */
  answer: {
    /** It should be refused, and was. */
    refusal: boolean | null;
    /** It has what it must contain and nothing that is forbidden. */
    text: boolean | null;
    /** It has citations, and every one resolves. */
    citations: boolean | null;
  } | null;
}

/** Who reranks. */
export type RerankerConfig = HttpRerankerConfig | OverlapRerankerConfig | ModuleRerankerConfig;

/** What was recorded of a search. */
export interface RunBackendConfig {
  /** a run file. */
  kind: "run";
  /** the run, of any format that is read. */
  path: string;
}

/** One run against the baseline. */
export interface RunComparison {
  /** Name of run b. */
  run: string;
  /** What it comes to. */
  verdict: Verdict;
  /** The differences, in the order of `metrics` of the whole. */
  metrics: readonly MetricDifference[];
  /**
   * The same over the queries that the baseline answered; there where others were not asked or failed in
   * it, which count as 0. The verdict and gates go by the worse.
   */
  answered_by_both?:
    | {
        /** How many these are. */
        queries: number;
        /** Whether the verdict is by these, as the worse ones. */
        decides: boolean;
        /** The differences, as in `metrics`. */
        metrics: readonly MetricDifference[];
        /** Those of kinds of queries, as in `slices`. */
        slices: readonly Slice[];
      }
    | undefined;
  /** Of each kind of slice the worst first: by the difference of the primary metric. */
  slices: readonly Slice[];
  /** Unjudged hits that are worth judging, the weightiest first. */
  judge_next: readonly JudgeNext[];
  /** What people's labels make of the differences, where they do; the verdict rests on these. */
  corrected?: readonly CorrectedScore[] | null | undefined;
}

/** What a run says of itself, as far as it is known. */
export interface RunFacts {
  /** When it was recorded, ISO 8601. */
  created_at?: string | null | undefined;
  /** The commit that it was recorded at. */
  commit_hash?: string | null | undefined;
}

/**
 * One run by itself: its scores with intervals, where its first relevant hits stand, and every query.
 */
export interface RunReport {
  /** Version of this shape. */
  schema_version: 1;
  /** Tells it from other results; `batch_report` is of a live search, and says more. */
  kind: "run_report" | "batch_report";
  /** What was scored. */
  run: {
    /** Name of the run. */
    run: string;
    /** When it was recorded, ISO 8601. */
    created_at?: string | null | undefined;
    /** The commit that it was recorded at. */
    commit_hash?: string | null | undefined;
    /** Queries of the golden set or the judgments. */
    queries: number;
    /** Those of them that the run has a result for. */
    answered: number;
  };
  /** In the order of every table. */
  metrics: readonly MeanScore[];
  /** Direction, range and meaning of every metric, by printed name. */
  metric_cards: Record<string, MetricCard>;
  /** The metric that queries are sorted by. */
  primary: string | null;
  /** Lowest grade that is relevant. */
  relevant_from: number;
  /** How it was scored; null for a golden set, which has one way. */
  conventions: Conventions | null;
  /** Of the intervals. */
  settings: {
    /** Of everything that is drawn at random. */
    seed: number;
    /** Resamples of the bootstrap. */
    resamples: number;
    /** Share of the intervals, such as 0.95. */
    confidence: number;
    [key: string]: unknown;
  };
  /** Over the queries that anything is relevant to. */
  first_ranks: {
    /**
     * How many queries have their first relevant hit at these ranks, both ends included; null: any below.
     */
    ranks: readonly {
      /** First rank. */
      from: number;
      /** Last rank; null: any below. */
      to: number | null;
      /** Queries whose first relevant hit stands there. */
      queries: number;
    }[];
    /** Queries with something relevant, none of which came back. */
    missed: number;
  };
  /** How long queries took; null where the run does not tell. */
  latency_ms: Latency | null;
  /** How many results failed, and why; null where it is not known. */
  failed_results: FailedResults | null;
  /** Queries of one kind; of each label the lowest mean of the primary metric first. */
  slices: readonly {
    /** What the queries have in common, such as `lang`. */
    by: string;
    /** Its value, such as `ko`. */
    value: string;
    /** Means over these queries. */
    metrics: readonly MeanScore[];
  }[];
  /** Every query, in the order of its id. */
  per_query: readonly ReportedQuery[];
  /** What may mislead in this report. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/** The labels that a person gives to a hit. */
export type SampleLabel = "grounded" | "broad" | "miss";

/** What people said of the hits that they looked at. */
export interface SamplePass {
  /** Labelled, and how many a sheet should have: 20, or all that anything was found for. */
  queries: number;
  /** How many there should be. */
  queries_due: number;
  /** Labelled hits, each counted once, and those that are not labelled yet. */
  hits: number;
  /** Hits that are not labelled yet. */
  unlabelled: number;
  /** By mode: how many of its places have each label; `empty` are those where it found nothing. */
  modes: readonly {
    /** The mode. */
    mode: string;
    /** Places with a hit that answers the query. */
    grounded: number;
    /** Places with a hit that is too general. */
    broad: number;
    /** Places with a hit that does not help. */
    miss: number;
    /** Places where it found nothing. */
    empty: number;
  }[];
  /** The mode that is held against `fts_only`. */
  against: string;
  /**
   * `unchanged` where no place of any query differs; `cannot_tell` where some do and the test does not
   * tell them from chance.
   */
  answer: "more_relevant" | "more_vague" | "less_relevant" | "unchanged" | "cannot_tell";
  /**
   * The mean difference of the share of grounded places over the queries, its 95 % interval (null where
   * all differ by the same), and the p value of the paired randomization test. Earlier versions had none.
   */
  grounded?:
    | {
        /** Mean difference of the share of grounded places. */
        difference: number;
        /** Its 95 % interval; null where all queries differ by the same. */
        interval: {
          /** Lower end. */
          low: number;
          /** Upper end. */
          high: number;
        } | null;
        /** Of the paired randomization test, two-sided. */
        p: number;
      }
    | undefined;
  /** One sentence. */
  headline: string;
}

/** One hit on a sheet for people. Which modes found it is not said. */
export interface SampleRow {
  /** The case of the fixture. */
  case_id: string;
  /** Its kind. */
  query_type: string;
  /** Its text. */
  query: string;
  /** Id of the hit. */
  item: string;
  /** What the hit says. */
  text: string;
  /** Null until the sheet is labelled. */
  label: SampleLabel | null;
}

/** Two runs or more over the same queries: differences, whether they are real, and what follows. */
export interface ScoreComparison {
  /** 2 since `interval` is the wider one of two. */
  schema_version: 1 | 2;
  /** Tells it from other results. */
  kind: "score_comparison";
  /** The first is the baseline. */
  runs: readonly {
    /** Name of the run. */
    run: string;
    /** When it was recorded, ISO 8601. */
    created_at?: string | null | undefined;
    /** The commit that it was recorded at. */
    commit_hash?: string | null | undefined;
    /** Over all of the run's own scored queries, by printed name. */
    means: Record<string, number | null>;
    /** Its scored queries. */
    queries: number;
    /** How long its queries took; null where it does not tell. */
    latency_ms: Latency | null;
    /** Null or absent where it is not known whether results failed. */
    failed_results?: FailedResults | null | undefined;
    /**
     * Queries that the run has no result of and that were left out for it, as was asked: neither won nor
     * lost. Absent where none was.
     */
    left_out?: readonly string[] | undefined;
  }[];
  /** Printed names, in the order of every table. */
  metrics: readonly string[];
  /** Direction and range of every metric, by printed name. */
  metric_cards: Record<string, MetricCard>;
  /** Lowest grade that is relevant. */
  relevant_from: number;
  /** How the runs were scored; null where that is not known. */
  conventions: Conventions | null;
  /** How differences were tested. */
  settings: ComparisonSettings;
  /** Every run but the first against the first. */
  comparisons: readonly RunComparison[];
  /** Whose labels it rests on; null or absent for a golden set, and in earlier versions. */
  trust?: LabelTrust | null | undefined;
  /** Every run against every other by the primary metric; null for two runs. */
  all_pairs:
    | readonly {
        /** Name of one run. */
        run_a: string;
        /** Name of the other. */
        run_b: string;
        /** Mean of b minus a. */
        difference: number | null;
        /** P value of the test of the settings, two-sided. */
        p: number | null;
        /** The same, adjusted over all pairs. */
        p_adjusted: number | null;
        /** There where the test points the other way than the mean; then p is no evidence. */
        is_opposed?: true | undefined;
        /** By Tukey's HSD over all runs. */
        p_tukey: number | null;
        /** By the randomized Tukey HSD over all runs. */
        p_randomized_tukey: number | null;
        /** There where nothing follows from the numbers (but what `but` says), as in `comparisons`. */
        undecided?: Undecided | undefined;
      }[]
    | null;
  /**
   * For more than two runs every run by every metric, in the order of `runs` and of `metrics`: two runs
   * that share a letter of `groups` are not shown to differ by the metric: by the test of the settings
   * for the primary one, by the paired t test for the others. Null for two runs, absent before.
   */
  leaderboard?:
    | readonly {
        /** Name of the run. */
        run: string;
        /** Its scores, by metric. */
        scores: readonly {
          /** Printed name. */
          metric: string;
          /** Mean over the queries that the run has a score for, at 4 decimals. */
          mean: number | null;
          /** Of the mean of the primary metric, as in a report on one run. */
          interval: {
            /** Lower end. */
            low: number;
            /** Upper end. */
            high: number;
          } | null;
          /** Null where there are more groups than letters. */
          groups: readonly string[] | null;
        }[];
      }[]
    | null
    | undefined;
  /** Every query, in the order of its id. */
  per_query: readonly ComparedQuery[];
  /** What may mislead in this comparison. */
  warnings: readonly Warning[];
  [key: string]: unknown;
}

/** One returned chunk. Unknown further fields are kept. */
export interface SearchHit {
  /** 1-based; without it, the place in the list. */
  rank?: number | null | undefined;
  /** The chunk; what exact matching compares. */
  chunk_id: string;
  /** Its document. */
  doc_id: string;
  /** The system's own score; kept, not used. */
  score?: number | null | undefined;
  /** Where in the document it lies; needed to match across chunkers. */
  source_spans?: readonly Span[] | null | undefined;
  /** Path of the document, for citations by path. */
  doc_path?: string | null | undefined;
  /** Stands in for missing `source_spans`. */
  citation?: Citation | null | undefined;
  /** What cut the document, where the configuration does not say it. */
  chunker_version?: string | null | undefined;
  /** Numbers by name, kept for diagnosis; not used. */
  features?: Record<string, number> | null | undefined;
  [key: string]: unknown;
}

/** One p value for a whole search. */
export interface SearchTest {
  /** One p value for the whole search, one-sided. */
  p: number;
  /** Whether every sign flip was counted. */
  is_exact: boolean;
  /** Sign flips, the same for all settings; no more where 200 of them reach as far. */
  flips: number;
  /** Settings whose scores differ. */
  variants: number;
}

/** What a service says of its settings. */
export interface SettingsRequestConfig {
  /** POST by default. */
  method?: "GET" | "POST" | undefined;
  /** put behind the address. */
  path?: string | undefined;
  /** put into the address; one that is not known at the moment is left out. */
  params?: Record<string, string> | undefined;
  /** sent as JSON, with names in braces filled in. */
  body?: unknown;
}

/** Which part of the queries a partial has. */
export interface Shards {
  /** How many the queries are split into. */
  of: number;
  /** Those that are in here, from 1, rising. */
  has: readonly number[];
}

/** The queries of one kind, such as one language. */
export interface Slice {
  /** What the queries have in common: `lang` is `ko`. */
  by: string;
  /** The value that they share, such as `ko`. */
  value: string;
  /** The differences over these queries. */
  metrics: readonly {
    /** Printed name, such as nDCG@10. */
    metric: string;
    /** Queries that both runs have a score for; everything here is over them. */
    pairs: number;
    /** Mean of the baseline over the pairs, at 4 decimals. */
    mean_a: number | null;
    /** Mean of run b over the pairs, at 4 decimals. */
    mean_b: number | null;
    /** Mean of b minus a, at 4 decimals. */
    difference: number | null;
    /**
     * Of the mean difference, at each end the wider of BCa bootstrap and Student's t; version 1 had that
     * of the bootstrap alone. Null for fewer than two pairs, for wordings of too few intents, and where
     * all differences are equal.
     */
    interval: {
      /** Lower end. */
      low: number;
      /** Upper end. */
      high: number;
    } | null;
    /** P value of the test of the settings, two-sided, from 0 to 1; null where there is no test. */
    p: number | null;
    /** The same, adjusted within its family by the correction of the settings. */
    p_adjusted: number | null;
    /**
     * There where the test points the other way than the mean, as tests of signs and ranks can; then p is
     * no evidence for the difference.
     */
    is_opposed?: true | undefined;
    /** Queries where b is better, by the direction of the metric. */
    improved: number;
    /** Queries whose scores differ by no more than the tolerance. */
    equal: number;
    /** Queries where b is worse. */
    worse: number;
  }[];
}

/**
 * Where in its document a chunk lies. Lines are 1-based and inclusive; bytes, characters and times are
 * half-open; a page without characters is the whole page; `caption` has no extent. Unknown further fields
 * are kept.
 */
export type Span =
  | {
      kind: "line";
      /** First line, from 1. */
      start: number;
      /** Last line, included. */
      end: number;
      [key: string]: unknown;
    }
  | {
      kind: "code";
      /** First line, from 1. */
      line_start: number;
      /** Last line, included. */
      line_end: number;
      [key: string]: unknown;
    }
  | {
      kind: "byte";
      /** First byte, from 0. */
      start: number;
      /** First byte after it. */
      end: number;
      [key: string]: unknown;
    }
  | {
      kind: "page";
      /** Page, from 0. */
      page: number;
      /** First character on the page, from 0; without it, the whole page. */
      char_start?: number | null | undefined;
      /** First character after it. */
      char_end?: number | null | undefined;
      [key: string]: unknown;
    }
  | {
      kind: "time";
      /** First millisecond. */
      start_ms: number;
      /** First millisecond after it. */
      end_ms: number;
      [key: string]: unknown;
    }
  | {
      kind: "region";
      /** Left edge, in any unit. */
      x: number;
      /** Upper edge, in the same unit. */
      y: number;
      /** Width. */
      w: number;
      /** Height. */
      h: number;
      /** Page, from 0; without it, any. */
      page?: number | null | undefined;
      [key: string]: unknown;
    }
  | {
      kind: "caption";
      [key: string]: unknown;
    };

/** What an interval and a test say of a mean difference. */
export interface Tested {
  /** Of the mean difference. */
  interval: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
  /** P value of the test. */
  p: number | null;
  /** There where the test points the other way than the mean. */
  is_opposed?: true | undefined;
}

/** What a million tokens of a model cost. */
export interface TokenPrice {
  /** of requests. */
  input: number;
  /** of answers. */
  output: number;
  /** such as `EUR`. */
  currency: string;
}

/** How the configuration of a search is changed while it is tuned. */
export interface TuningConfig {
  /** its configuration files: saved before the first change, and always restored. */
  files: readonly string[];
  /** what is written into the only file, with names of parameters as `{{name}}`. */
  template?: string | undefined;
  /**
   * in place of a template: changes the files; its standard input is JSON, `{experiment, parameters,
   * files}`.
   */
  hook?: CommandConfig | undefined;
  /** what is tried where `--experiments-file` says nothing: JSON or YAML. */
  experiments?: string | undefined;
  /** makes the search take up its configuration. */
  restart?: CommandConfig | undefined;
  /** longest time for a command, in milliseconds; 120,000 by default. */
  commandTimeoutMs?: number | undefined;
  /** how it is seen that the search is up. */
  health?: HealthConfig | undefined;
}

/** Whether a choice beats what is there, on queries that had no say in it. */
export interface TuningVerdict {
  /**
   * `better` where the held-out interval lies above the margin and the p value of the search is below 1
   * minus the confidence, `worse` where the interval lies below 0.
   */
  kind: "better" | "not_better" | "worse";
  /** The same in words. */
  sentence: string;
}

/** Why nothing follows from a difference. */
export interface Undecided {
  /** In a sentence or two. */
  why: string;
  /** What follows all the same, where the numbers say so. */
  but?: VerdictKind | undefined;
}

/**
 * Whether unjudged hits, had they been judged, could turn the difference of the primary metric around.
 */
export interface UnjudgedDoubt {
  /** `yes`: there are labels that do it. `no`: no labels can. `perhaps`: neither could be shown. */
  could_overturn: "yes" | "no" | "perhaps";
  /** No labels bring the mean difference outside; null where the metric has no bounds. */
  bounds: {
    /** Lower end. */
    low: number;
    /** Upper end. */
    high: number;
  } | null;
  /** Unjudged hits of the baseline that the metric looks at. */
  unjudged_a: number;
  /** Unjudged hits of run b that the metric looks at. */
  unjudged_b: number;
}

/** What a comparison can come to. */
export type VerdictKind = "better" | "worse" | "equivalent" | "inconclusive" | "not_comparable";

/** What the comparison comes to, and why. */
export interface Verdict {
  /** What the comparison comes to. */
  kind: VerdictKind;
  /** One sentence. */
  headline: string;
  /** Further sentences, the weightiest first. */
  reasons: readonly string[];
  /** The metric that decided; null where there was none. */
  primary: string | null;
  /** Metrics that must not fall, and whether they held. */
  guards: readonly {
    /** Printed name. */
    metric: string;
    /** Loss that is allowed, in the metric's own unit. */
    allowed_loss: number;
    /** Mean of b minus a. */
    difference: number | null;
    /** Its p value, adjusted. */
    p_adjusted: number | null;
    /** Whether it did not fall further than allowed. */
    is_held: boolean;
    /** One sentence. */
    why: string;
  }[];
  /** The limit of time, and whether it held; null without a limit. */
  latency: {
    /** 95th percentile of the baseline's milliseconds. */
    p95_a: number | null;
    /** 95th percentile of run b's milliseconds. */
    p95_b: number | null;
    /** Highest that is accepted, in milliseconds. */
    limit: number;
    /** Whether b is within it. */
    is_held: boolean;
    /** One sentence. */
    why: string;
  } | null;
  /** For an inconclusive comparison: how many queries the observed difference needs. */
  queries_needed: number | null;
  /** Whether unjudged hits could overturn it; null where there are none, or it cannot be told. */
  unjudged: UnjudgedDoubt | null;
  [key: string]: unknown;
}

/** Something worth knowing about a result that is not an error. */
export interface Warning {
  /** One of the documented codes, such as `MISSING_QUERIES`. */
  code: string;
  /** One sentence for people. */
  message: string;
  /** How many queries, hits or answers it concerns. */
  count?: number | undefined;
  /** The first of them, sorted. */
  query_ids?: readonly string[] | undefined;
  [key: string]: unknown;
}
