import { InputError, quote, throwProblems } from "../../foundation/errors/index.js";
import { expectShape, isA, optional, recordOf, text, type Shape } from "../../foundation/checks/index.js";
import { shapeProblems, type Assessment, type LabelItem, type Rater } from "../../records/index.js";
import { assessmentSchema } from "../../records/schema/index.js";

/** Which assessments to look up; what is left out is not looked at. */
export interface AssessmentFilter {
  readonly tenant?: string | undefined;
  /** The normalized text of a query. */
  readonly query?: string | undefined;
  readonly item?: string | undefined;
  /** The identity of a rater, as `raterId` gives it. */
  readonly rater?: string | undefined;
}

/** Which assessments to forget: fields that are there have a text. */
export type ForgetFilter = { readonly [field in keyof AssessmentFilter]?: string } & {
  readonly queries?: never;
};

/** Which assessments to find. */
export interface AssessmentSearch extends AssessmentFilter {
  /** The normalized texts of several queries: those of a batch are found quickly among those of many. */
  readonly queries?: readonly string[] | undefined;
}

/** A query that has assessments, and whose they are. */
export interface AssessedQuery {
  readonly tenant: string;
  readonly query: string;
}

/** Whose profile of which query: what a rater found out about it before it judged. */
export interface ProfileKey extends AssessedQuery {
  /** As `raterId` gives it. */
  readonly rater: string;
}

/** Whose scores of which query. */
export interface ScoresKey extends AssessedQuery {
  /** The identity of a reranker. */
  readonly reranker: string;
}

/** What a reranker said of one item. */
export interface RerankScore {
  readonly item: string;
  /** A finite number. */
  readonly score: number;
  /** What tells the text that was scored from another one: a whole number from 0 to 2^32 - 1. */
  readonly textHash: number;
}

/** Whose build of which dataset. */
export interface BuildKey {
  readonly tenant: string;
  readonly dataset: string;
  /** Its name, whatever its prompt. */
  readonly labeler: string;
}

/** Whose copy of which corpus. */
export interface CorpusKey {
  readonly tenant: string;
  /** Where it was listed: an address without secrets. */
  readonly source: string;
}

/** The items of a search as it listed them. */
export interface KeptCorpus {
  /** When, in UTC with milliseconds. */
  readonly listed_at: string;
  /** In the order of the list. */
  readonly items: readonly LabelItem[];
}

/** What was forgotten: numbers, and none of the names and texts. */
export interface Forgotten {
  /** When, in UTC with milliseconds. */
  readonly at: string;
  /** By what it was chosen, such as `["tenant", "query"]`. */
  readonly by: readonly (keyof AssessmentFilter)[];
  /** Assessments that are gone. */
  readonly assessments: number;
}

/**
 * Where assessments are kept, and nothing that was said is ever changed. An adapter implements all of it and
 * passes `labelStoreContract` of `rankproof/testing`.
 *
 * Every call may be the first, and calls may overlap. A call that rejects has changed nothing. What is found
 * equals what was added, unknown fields included, and the caller may do with it what it likes.
 */
export interface LabelStore {
  /** Adds all of them, or none. */
  add(assessments: readonly Assessment[]): Promise<void>;
  /** Those that fit, in the order in which they were added. */
  find(filter?: AssessmentSearch): Promise<Assessment[]>;
  /** All queries with assessments, in the order in which they first had one. */
  queries(): Promise<AssessedQuery[]>;
  /** All raters, in the order of their latest assessment; which models answered is left out. */
  raters(): Promise<Rater[]>;
  /** What a rater keeps about a query, as JSON; undefined for nothing. */
  profile(key: ProfileKey): Promise<unknown>;
  /** Keeps it, in place of what was there. */
  keepProfile(key: ProfileKey, profile: unknown): Promise<void>;
  /** All scores of a reranker for a query, in no order. */
  scores(key: ScoresKey): Promise<RerankScore[]>;
  /** Keeps scores, each in place of the item's before. All of them, or none. */
  keepScores(key: ScoresKey, scores: readonly RerankScore[]): Promise<void>;
  /** What was kept of a build, as JSON; undefined for nothing. */
  build(key: BuildKey): Promise<unknown>;
  /** Keeps it, in place of what was there. */
  keepBuild(key: BuildKey, build: unknown): Promise<void>;
  /** The copy of a corpus; undefined for none. */
  corpus(key: CorpusKey): Promise<KeptCorpus | undefined>;
  /** Keeps a copy, in place of what was there. */
  keepCorpus(key: CorpusKey, corpus: KeptCorpus): Promise<void>;
  /**
   * Takes a name for oneself, so that of two builds one waits: the function that gives it back; undefined
   * while another process has it. What a process has is free again when it ends, however it ends.
   */
  claim(name: string): Promise<(() => Promise<void>) | undefined>;
  /**
   * Removes what fits for good, texts and names included, and keeps a note that it did. The only way in which
   * an assessment ever leaves a store. With it goes what else is kept of just these: profiles of queries
   * where no item is named; scores and copies of items where no rater is named; every build of the tenant
   * where nothing else is. Copies that a migration kept are removed.
   *
   * @param filter at least one field of it. Any other field is refused, and a field that is there without a
   *   text.
   * @param at the time of the note.
   */
  forget(filter: ForgetFilter, at: string): Promise<Forgotten>;
  /** The notes of what was forgotten, in that order. */
  forgotten(): Promise<Forgotten[]>;
  /** Lets go of what the store holds. Further calls reject with `STORE_CLOSED`. */
  close(): Promise<void>;
}

/** A rater without what is only known from its answer. */
export function raterAsked({ answered_model: _, ...rater }: Rater): Rater {
  return rater;
}

/** The fields of an {@link AssessmentFilter}. */
export const FILTER_FIELDS = ["tenant", "query", "item", "rater"] as const;

/**
 * The fields that a filter of {@link LabelStore.forget} names.
 *
 * @throws InputError `ARGUMENT` for none, which would be everything, and for what is no field or no text,
 *   with which more would fit than is meant.
 */
export function listNamedFields(filter: AssessmentFilter): (keyof AssessmentFilter)[] {
  checkFilter(filter, OF_TEXT);
  const fields = FILTER_FIELDS.filter((field) => Object.hasOwn(filter, field));
  if (fields.length === 0)
    throw new InputError(
      "ARGUMENT",
      "nothing says what to forget; name a tenant, a query, an item or a rater",
    );
  return fields;
}

/** Refuses what is no field of a search, or of another kind. @throws InputError `ARGUMENT` */
export function checkAssessmentSearch(search: AssessmentSearch): void {
  checkFilter(search, OF_SEARCH);
}

const OF_TEXT = Object.fromEntries(FILTER_FIELDS.map((field) => [field, text]));
const OF_SEARCH = {
  ...Object.fromEntries(FILTER_FIELDS.map((field) => [field, optional(text)])),
  queries: optional(isA("a list of texts", isTexts)),
};

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function checkFilter(filter: object, shapes: Readonly<Record<string, Shape>>): void {
  expectShape(filter, recordOf({}, `name one of ${Object.keys(shapes).join(", ")}`), "ARGUMENT", "a filter");
  for (const [field, value] of Object.entries(filter)) {
    if (!Object.hasOwn(shapes, field))
      throw new InputError(
        "ARGUMENT",
        `a filter has no field ${quote(field)}; there are ${Object.keys(shapes).join(", ")}`,
      );
    expectShape(value, shapes[field] as Shape, "ARGUMENT", `a filter's ${field}`);
  }
}

/** So many queries are looked up at once. */
const QUERIES_AT_ONCE = 500;

/** Some queries after the others, each once. */
export function* queryGroups(queries: readonly string[]): Generator<readonly string[]> {
  const distinct = [...new Set(queries)];
  for (let at = 0; at < distinct.length; at += QUERIES_AT_ONCE)
    yield distinct.slice(at, at + QUERIES_AT_ONCE);
}

/** @throws InputError `ARGUMENT` for scores that not every store could give back as they were. */
export function checkScores(scores: readonly RerankScore[]): void {
  for (const { item, score, textHash } of scores)
    if (!Number.isFinite(score) || !Number.isInteger(textHash) || textHash < 0 || textHash >= 2 ** 32)
      throw new InputError(
        "ARGUMENT",
        `item ${quote(item)} must have a finite score and a textHash from 0 to 2^32 - 1, got ` +
          `${quote(score)} and ${quote(textHash)}`,
      );
}

/**
 * Refuses assessments that not every store could give back as they were.
 *
 * @throws InputError `LABEL_SHAPE` with everything that is wrong.
 */
export function checkAssessments(assessments: readonly Assessment[]): void {
  const problems = assessments.flatMap((assessment, index) =>
    shapeProblems(assessmentSchema, assessment, {
      code: "LABEL_SHAPE",
      locate: () => ({ where: `assessment ${index + 1}` }),
    }),
  );
  throwProblems(problems);
}
