/**
 * What the workbench's server and its page say to each other. Both are of one version, so that this is no
 * format that anybody has to read later.
 */
import type { VerdictKind } from "./types/index.js";

/** A dataset of the configuration, or a golden set with its runs. */
export interface WorkbenchCollection {
  readonly id: string;
  /** `dataset` has labels that can be added to; `golden` has a golden set; `qrels` has judgments alone. */
  readonly kind: "dataset" | "golden" | "qrels";
  readonly queries: number;
  readonly licence: string | null;
}

/** What holds for the whole page. */
export interface WorkbenchSession {
  readonly version: string;
  /** Tells the stores of projects that are served at one address apart. */
  readonly project: string;
  /** Who labels, where the command line said it; the page asks otherwise. */
  readonly rater: string | null;
  readonly is_read_only: boolean;
  /** Whether the page may run the commands of the configuration, which a tuning of a search does. */
  readonly may_run_commands: boolean;
  readonly shows_images: boolean;
  /** Raters that have labelled before. */
  readonly raters: readonly string[];
  readonly collections: readonly WorkbenchCollection[];
  /** Problems with parts of the project, which are left out. */
  readonly problems: readonly string[];
}

/** A verdict in the page's own few words; the whole comparison has its own screen. */
export interface WorkbenchVerdict {
  readonly kind: VerdictKind;
  readonly headline: string;
  readonly reasons: readonly string[];
  readonly baseline: string;
  readonly run: string;
  readonly metric: string | null;
  readonly mean_a: number | null;
  readonly mean_b: number | null;
  readonly difference: number | null;
  /** Whether people's labels corrected the difference; then it is not that of the means, the model's. */
  readonly is_corrected: boolean;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly improved: number;
  readonly equal: number;
  readonly worse: number;
}

/** How far the labels carry. */
export interface WorkbenchTrust {
  readonly title: string;
  readonly sentences: readonly string[];
  /** Quadratic weighted kappa of people and model over pairs that both graded; null for fewer than two. */
  readonly kappa: number | null;
  readonly pairs: number;
  readonly people: number;
  readonly model: number;
}

/** What to do next, and the address of the screen for it, after the `#`. */
export interface WorkbenchStep {
  readonly text: string;
  readonly action: string;
  readonly route: string;
}

/** `#/`: did the last change help, and can the labels be believed? */
export interface WorkbenchOverview {
  readonly collection: string;
  /** Whether labels or batches have come since it was made, so that it is to be asked for again. */
  readonly is_outdated: boolean;
  /** Null with fewer than two batches. */
  readonly verdict: WorkbenchVerdict | null;
  /** What is said where there is no verdict. */
  readonly without: string;
  /** Null for a golden set, which people wrote. */
  readonly trust: WorkbenchTrust | null;
  readonly next: WorkbenchStep | null;
  readonly batches: readonly WorkbenchBatch[];
  readonly jobs: readonly WorkbenchJob[];
}

/** A batch, or a run of a golden set, as lists show it. */
export interface WorkbenchBatch {
  readonly id: string;
  readonly created_at: string;
  readonly queries: number;
  readonly failed: number;
  readonly search: string;
  readonly primary: string | null;
  readonly mean: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly corrected: number | null;
  /** What of its configuration differs from the batch before it, a line each. */
  readonly changes: readonly string[];
  /** Whether the mean is by the labels of today; else by those of its time. */
  readonly is_current: boolean;
  /** Whether its run is in the store; of one that was deleted no more is known than this. */
  readonly is_stored: boolean;
}

/** `#/d/DS/batches`: are we getting better? */
export interface WorkbenchHistory {
  /** The latest first. */
  readonly batches: readonly WorkbenchBatch[];
  readonly jobs: readonly WorkbenchJob[];
  /** A batch after these that was cut short, to go on with. */
  readonly unfinished?: string;
}

/** A query as the list shows it. */
export interface WorkbenchRow {
  readonly id: string;
  readonly query: string | null;
  /** By the primary metric; null where it is undefined. */
  readonly score: number | null;
  readonly baseline: number | null;
  /** Of the first hits: those with a label, and all. */
  readonly judged: number;
  readonly returned: number;
  /** The grades of the first ten hits, one character each; `?` has no label. */
  readonly strip: string;
  /** Useful items that did not come back. */
  readonly missed: number;
  readonly failed: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** `#/d/DS`: which queries hurt? */
export interface WorkbenchQueries {
  readonly run: string | null;
  readonly baseline: string | null;
  readonly metric: string | null;
  readonly batches: readonly string[];
  readonly rows: readonly WorkbenchRow[];
}

/** An item, with what is shown of it. */
export interface WorkbenchItem {
  readonly id: string;
  readonly title: string | null;
  /** Name and text of each field but the title, cut. */
  readonly fields: readonly (readonly [name: string, text: string])[];
  /** An address of a picture, where pictures are shown. */
  readonly image: string | null;
}

/** A hit of one batch. */
export interface WorkbenchHit {
  readonly rank: number;
  readonly id: string;
  readonly grade: number | null;
  readonly score: number | null;
  readonly features: Readonly<Record<string, number>>;
}

/** What one batch answered. */
export interface WorkbenchAnswer {
  readonly run: string;
  readonly error: string | null;
  readonly scores: Readonly<Record<string, number | null>>;
  readonly hits: readonly WorkbenchHit[];
  readonly tips: readonly string[];
}

/** `#/d/DS/q/ID`: what came back, and what should have? */
export interface WorkbenchQuery {
  readonly id: string;
  readonly query: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly answers: readonly WorkbenchAnswer[];
  /** Useful items (grade 1 or more) that the first answer lacks, best first. */
  readonly missed: readonly {
    readonly id: string;
    readonly grade: number;
    /** Null where the baseline lacks it, too, or there is none. */
    readonly baseline_rank: number | null;
  }[];
  /** All of them; `missed` has the first. */
  readonly missed_count: number;
  /** The best possible order: ids and grades. */
  readonly ideal: readonly { readonly id: string; readonly grade: number }[];
  readonly items: Readonly<Record<string, WorkbenchItem>>;
  readonly previous: string | null;
  readonly next: string | null;
}

/** What the search answers now, which is not kept. */
export interface WorkbenchLive {
  readonly answer: WorkbenchAnswer;
  readonly items: Readonly<Record<string, WorkbenchItem>>;
}

/** A part of a report, as HTML that the report's own renderers made: foreign text in it is escaped. */
export interface WorkbenchSection {
  readonly id: string;
  readonly name: string;
  readonly html: string;
}

/** `#/compare?a&b`, `#/d/DS/trust`, `#/d/DS/builds` and `#/d/DS/tune`: what a report says. */
export interface WorkbenchReport {
  readonly title: string;
  /** The answer to the question of the screen, in words, where the first section does not begin with it. */
  readonly conclusion?: string;
  readonly sections: readonly WorkbenchSection[];
  /** Of tunings: one of the live search that was cut short, to go on with. */
  readonly unfinished?: string;
}

/** A pair to be graded, without anything that says who found it or what others think. */
export interface WorkbenchPair {
  readonly query_id: string;
  readonly query: string;
  /** What the query's file says that is looked for; null where it says nothing. */
  readonly need: string | null;
  readonly item: WorkbenchItem;
  /** Whether this rater has graded it before and is asked again. */
  readonly is_repeat: boolean;
  /** Of what the item says as it is shown, which a mark brings back. */
  readonly item_hash: string;
}

/** `#/d/DS/label`: what is this item worth to this question? */
export interface WorkbenchQueue {
  readonly pairs: readonly WorkbenchPair[];
  /** All that are left for this rater, those of `pairs` included. */
  readonly left: number;
  readonly done: number;
  /** What this rater said, the oldest first, for undoing: pairs. */
  readonly said: readonly WorkbenchSaid[];
  /** How far the rater agrees with the own earlier grades; null before enough pairs came twice. */
  readonly own_kappa: number | null;
  readonly repeats: number;
  readonly guidelines: readonly { readonly grade: number; readonly name: string; readonly meaning: string }[];
}

/** A pair that a rater has judged. */
export interface WorkbenchSaid {
  readonly query_id: string;
  readonly item: string;
  readonly grade: number | null;
}

/** One act of labelling, as the page keeps it until it is stored. */
export interface WorkbenchMark {
  /** Made by the page, so that a mark that is sent twice is stored once. */
  readonly mark: string;
  readonly query_id: string;
  readonly item: string;
  readonly outcome: "graded" | "cannot_tell" | "withdrawn";
  readonly grade: number | null;
  readonly reason: string | null;
  readonly is_repeat: boolean;
  /** Of the item as the rater saw it; null for what is taken back. */
  readonly item_hash: string | null;
  /** In UTC with milliseconds; later for each mark of a page. */
  readonly at: string;
}

/** What somebody says of a pair, as the one who decides sees it. */
export interface WorkbenchOpinion {
  readonly who: string;
  readonly kind: "people" | "model";
  readonly grade: number;
  readonly reason: string | null;
}

/** A pair that people, or people and the model, grade differently. */
export interface WorkbenchDispute {
  readonly query_id: string;
  readonly query: string;
  readonly item: WorkbenchItem;
  readonly item_hash: string;
  readonly opinions: readonly WorkbenchOpinion[];
  /** Largest minus smallest of their grades. */
  readonly apart: number;
  /** What an adjudicator has decided; null while it is open. */
  readonly decision: { readonly who: string; readonly grade: number; readonly at: string } | null;
}

/** Of `#/d/DS/trust`: what is to be decided, and what was. */
export interface WorkbenchDisputes {
  /** Those that are not decided, the ones that lie furthest apart first: as many as are worth a look. */
  readonly open: readonly WorkbenchDispute[];
  /** All that are not decided. */
  readonly count: number;
  /** The latest first: as many as are worth a look. */
  readonly decided: readonly WorkbenchDispute[];
  /** All that are decided. */
  readonly decided_count: number;
}

/** Work that goes on by itself. */
export interface WorkbenchJob {
  readonly id: string;
  /** A batch, a label build, trying the labeler for an audit, a search for the best fusion, or a tuning. */
  readonly kind: "batch" | "labels" | "probe" | "fusion" | "backend";
  /** What `done` and `total` count. */
  readonly unit: "query" | "request" | "step" | "configuration";
  readonly collection: string;
  readonly state: "running" | "done" | "failed" | "stopped";
  readonly done: number;
  readonly total: number | null;
  readonly failed: number;
  readonly calls: number;
  readonly price: string | null;
  readonly seconds: number;
  readonly seconds_left: number | null;
  readonly message: string;
  /** Id of the batch or tuning that it makes; null for what makes neither. */
  readonly result: string | null;
}

/** What a page may start besides batches. */
export type WorkbenchWork =
  | {
      readonly kind: "labels";
      /** A rebuild of each query from the head of its search; else the windows that lack labels. */
      readonly deep: boolean;
      /** Ends after so many requests; null for no limit. */
      readonly max_calls: number | null;
    }
  | { readonly kind: "probe" }
  | {
      readonly kind: "fusion";
      /** Two batches or more. */
      readonly runs: readonly string[];
      /** Null: the metric that decides. */
      readonly metric: string | null;
    }
  | {
      /** A tuning of the live search by the experiments that the configuration names. */
      readonly kind: "backend";
      /** Go on with the last one that was cut short. */
      readonly resume: boolean;
    };

/** What work would take, before it is begun. */
export interface WorkbenchPlan {
  /** A sentence. */
  readonly text: string;
  /** Whether somebody may ask money for it. */
  readonly is_paid: boolean;
}

/** A query as a page without a server has it: items are numbers of the page's own list. */
export interface WorkbenchStaticQuery extends Omit<WorkbenchQuery, "items"> {
  readonly items: readonly number[];
}

/** Two batches side by side, as a page without a server has them. */
export interface WorkbenchStaticView {
  readonly queries: WorkbenchQueries;
  readonly answers: readonly WorkbenchStaticQuery[];
  /** Null for one batch alone. */
  readonly report: WorkbenchReport | null;
}

/** What people may be asked about in a page without a server. */
export interface WorkbenchStaticLabelling {
  readonly tenant: string;
  /** Id and text of every query, and what is looked for. */
  readonly queries: readonly (readonly [id: string, text: string, need: string | null])[];
  /** Pairs that no person has judged: query, number of the item, and hash of what the item says. */
  readonly pairs: readonly (readonly [query: string, item: number, hash: string])[];
}

/** A dataset or golden set in a page without a server. */
export interface WorkbenchStaticCollection {
  readonly id: string;
  readonly overview: WorkbenchOverview;
  readonly history: WorkbenchHistory;
  /** The latest first; at least one. */
  readonly views: readonly WorkbenchStaticView[];
  readonly trust: WorkbenchReport;
  readonly builds: WorkbenchReport;
  readonly tune: WorkbenchReport;
  /** Null where nothing can be labelled. */
  readonly labelling: WorkbenchStaticLabelling | null;
}

/** All that a page without a server has in it. */
export interface WorkbenchStatic {
  readonly session: WorkbenchSession;
  readonly collections: readonly WorkbenchStaticCollection[];
  /** Items of all queries, each as it is shown, once. */
  readonly items: readonly WorkbenchItem[];
}
