import { AdapterError } from "../../foundation/errors/index.js";
import { canonicalJson, parseJson } from "../../foundation/text/index.js";
import { raterId, type Assessment } from "../../records/index.js";
import { jsonText } from "../eval-store.js";
import {
  raterAsked,
  checkAssessments,
  checkScores,
  checkAssessmentSearch,
  FILTER_FIELDS,
  listNamedFields,
  type AssessmentFilter,
  type BuildKey,
  type CorpusKey,
  type Forgotten,
  type KeptCorpus,
  type LabelStore,
  type ProfileKey,
  type RerankScore,
  type ScoresKey,
} from "./label-store.js";

/** What a filter looks at, and the assessment as JSON, so that no object is shared with the store. */
interface Kept {
  readonly tenant: string;
  readonly query: string;
  readonly item: string;
  readonly rater: string;
  readonly json: string;
}

/** Assessments that live as long as the program: for tests, for the browser, for one evaluation. */
// eslint-disable-next-line max-lines-per-function -- its methods share what it closes over
export function memoryLabelStore(): LabelStore {
  let all: Kept[] = [];
  let byQuery = new Map<string, Kept[]>();
  const profiles = new Shelf<ProfileKey>();
  const builds = new Shelf<BuildKey>();
  const corpora = new Shelf<CorpusKey>();
  const scored = new Map<string, { readonly key: ScoresKey; readonly scores: Map<string, RerankScore> }>();
  const claims = new Set<string>();
  const notes: Forgotten[] = [];
  let isClosed = false;
  const open = (): void => {
    if (isClosed) throw new AdapterError("STORE_CLOSED", "the label store is closed; open a new one");
  };
  const keep = (one: Kept): void => {
    all.push(one);
    const list = byQuery.get(one.query);
    if (list === undefined) byQuery.set(one.query, [one]);
    else list.push(one);
  };
  const clear = (): void => {
    all = [];
    byQuery = new Map();
  };
  return {
    async add(assessments) {
      open();
      checkAssessments(assessments);
      for (const one of assessments.map(makeKept)) keep(one);
    },
    async find(filter = {}) {
      open();
      checkAssessmentSearch(filter);
      const among = filter.query === undefined ? all : (byQuery.get(filter.query) ?? []);
      const wanted = filter.queries && new Set(filter.queries);
      return among
        .filter((one) => fits(one, filter) && wanted?.has(one.query) !== false)
        .map(({ json }) => parseJson(json) as Assessment);
    },
    async queries() {
      open();
      const seen = new Map(
        all.map(({ tenant, query }) => [JSON.stringify([tenant, query]), { tenant, query }]),
      );
      return [...seen.values()];
    },
    async raters() {
      open();
      const latest = new Map([...all].reverse().map(({ rater, json }) => [rater, json]));
      const first = [...new Set([...all].reverse().map(({ rater }) => rater))].reverse();
      return first.map((rater) => raterAsked((parseJson(latest.get(rater) ?? "") as Assessment).rater));
    },
    async profile({ tenant, query, rater }) {
      open();
      return profiles.read({ tenant, query, rater });
    },
    async keepProfile({ tenant, query, rater }, profile) {
      open();
      profiles.keep({ tenant, query, rater }, jsonText(profile, "a profile"));
    },
    async scores({ tenant, query, reranker }) {
      open();
      const kept = scored.get(canonicalJson({ tenant, query, reranker }))?.scores;
      return [...(kept?.values() ?? [])].map((score) => ({ ...score }));
    },
    async keepScores({ tenant, query, reranker }, scores) {
      open();
      checkScores(scores);
      const key = { tenant, query, reranker };
      const name = canonicalJson(key);
      const kept = scored.get(name)?.scores ?? new Map<string, RerankScore>();
      for (const { item, score, textHash } of scores) kept.set(item, { item, score, textHash });
      scored.set(name, { key, scores: kept });
    },
    async build({ tenant, dataset, labeler }) {
      open();
      return builds.read({ tenant, dataset, labeler });
    },
    async keepBuild({ tenant, dataset, labeler }, build) {
      open();
      builds.keep({ tenant, dataset, labeler }, jsonText(build, "a build"));
    },
    async corpus({ tenant, source }) {
      open();
      return corpora.read({ tenant, source }) as KeptCorpus | undefined;
    },
    async keepCorpus({ tenant, source }, corpus) {
      open();
      corpora.keep({ tenant, source }, jsonText(corpus, "a corpus"));
    },
    async claim(name) {
      open();
      if (claims.has(name)) return undefined;
      claims.add(name);
      return async () => {
        claims.delete(name);
      };
    },
    async forget(filter, at) {
      open();
      const by = listNamedFields(filter);
      const isNamed = (field: keyof AssessmentFilter): boolean => filter[field] !== undefined;
      const rest = all.filter((one) => !fits(one, filter));
      const note = { at, by, assessments: all.length - rest.length };
      clear();
      for (const one of rest) keep(one);
      if (!isNamed("item")) profiles.drop((key) => fits({ ...key, item: "" }, filter));
      if (!isNamed("query") && !isNamed("item") && !isNamed("rater"))
        builds.drop(({ tenant }) => filter.tenant === undefined || tenant === filter.tenant);
      if (!isNamed("rater"))
        for (const [name, { key, scores }] of scored) {
          for (const item of scores.keys())
            if (fits({ ...key, item, rater: "" }, filter)) scores.delete(item);
          if (scores.size === 0) scored.delete(name);
        }
      if (!isNamed("rater") && !isNamed("query"))
        corpora.change(({ tenant }, value) => {
          if (isNamed("tenant") && tenant !== filter.tenant) return value;
          const corpus = value as KeptCorpus;
          return isNamed("item")
            ? { ...corpus, items: corpus.items.filter(({ id }) => id !== filter.item) }
            : undefined;
        });
      notes.push(note);
      return { ...note, by: [...by] };
    },
    async forgotten() {
      open();
      return notes.map((note) => ({ ...note, by: [...note.by] }));
    },
    async close() {
      isClosed = true;
      clear();
    },
  };
}

/** What is kept as JSON under a key, so that no object is shared with the store. */
class Shelf<Key extends object> {
  readonly #kept = new Map<string, { readonly key: Key; readonly json: string }>();

  read(key: Key): unknown {
    const kept = this.#kept.get(canonicalJson(key));
    return kept === undefined ? undefined : parseJson(kept.json);
  }

  keep(key: Key, json: string): void {
    this.#kept.set(canonicalJson(key), { key, json });
  }

  drop(isGone: (key: Key) => boolean): void {
    this.change((key, value) => (isGone(key) ? undefined : value));
  }

  /** Puts what `next` returns in place of each value; undefined takes it away. */
  change(next: (key: Key, value: unknown) => unknown): void {
    for (const [name, { key, json }] of this.#kept) {
      const value = next(key, parseJson(json));
      if (value === undefined) this.#kept.delete(name);
      else this.#kept.set(name, { key, json: JSON.stringify(value) });
    }
  }
}

function fits(one: Omit<Kept, "json">, filter: AssessmentFilter): boolean {
  return FILTER_FIELDS.every((field) => filter[field] === undefined || one[field] === filter[field]);
}

function makeKept(assessment: Assessment): Kept {
  const { tenant, query, item, rater } = assessment;
  return { tenant, query, item, rater: raterId(rater), json: jsonText(assessment, "an assessment") };
}
