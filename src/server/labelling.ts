import { InputError, isRankproofError, quote } from "../foundation/errors/index.js";
import { groupBy } from "../foundation/columns/index.js";
import {
  itemHash,
  itemOfHit,
  labelGrades,
  labelingQueue,
  normalizeQuery,
  ownAgreement,
  raterId,
  standingAssessments,
  type Assessment,
  type PairToLabel,
  type Rater,
} from "../label/index.js";
import {
  askOnce,
  backendFrom,
  isStoreThere,
  labelsPath,
  openLabelStore,
  type Dataset,
} from "../node/index.js";
import {
  pairKey,
  rankingOf,
  type BackendHit,
  type EvalRun,
  type LabelItem,
  type WorkbenchItem,
  type WorkbenchMark,
  type WorkbenchPair,
  type WorkbenchQueue,
} from "../records/index.js";
import type { LabelStore } from "../storage/index.js";
import { itemShown, Kept, markAssessment, NotThere, withoutGradesBefore } from "../workbench/index.js";
import { checkMarks, unknownPair } from "./check-marks.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import type { ProjectPlaces } from "./project-places.js";
import { NEEDS } from "./query-words.js";

/** Hits of a batch that people are asked about. */
const DEPTH = 20;
/** Batches that are looked at. */
const LATEST_BATCHES = 2;
/** Pairs that a page gets at once. */
const AT_ONCE = 60;
/** Without a batch the search is asked itself, for so many queries. */
const ASKED_QUERIES = 100;
/** First answers that all fail are of a search that is down. */
const MOST_FAILURES = 10;

type NamedQuery = Dataset["queries"][number];

/** A pair with what is shown of it. */
interface Candidate extends PairToLabel {
  readonly query_id: string;
  readonly text: string;
  readonly need: string | null;
  readonly shown: LabelItem;
}

interface Candidates {
  readonly pairs: readonly Candidate[];
  /** Queries that the search did not answer, where it was asked itself. */
  readonly failed: number;
  readonly byKey: ReadonlyMap<string, Candidate>;
}

/** What people are asked about a dataset, and what they said. */
export class Labelling {
  readonly #collection: DatasetCollection;
  readonly #places: ProjectPlaces;
  readonly #kept = new Kept<Candidates>();
  /** What the search itself answered, as long as the files of the dataset are the same. */
  #answered: { readonly stamp: string; readonly results: EvalRun["results"] } = { stamp: "", results: [] };
  /** Marks are stored one request after the other, so that one that comes twice finds itself. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(collection: DatasetCollection, places: ProjectPlaces) {
    this.#collection = collection;
    this.#places = places;
  }

  /** What is left for a rater, in the rater's own order. */
  async queue(name: string, ofQuery: string | null): Promise<WorkbenchQueue> {
    const rater = person(name);
    const { pairs: all, byKey } = await this.#candidates();
    const ids = await this.#idsByText();
    // Two queries of one text have the same labels.
    const text = ofQuery === null ? undefined : [...ids].find(([, own]) => own.includes(ofQuery))?.[0];
    if (ofQuery !== null && text === undefined) throw new NotThere(`there is no query ${quote(ofQuery)}`);
    const candidates = ofQuery === null ? all : all.filter(({ query }) => query === text);
    const everything = await this.#readAssessments();
    const said = text === undefined ? everything : everything.filter(({ query }) => query === text);
    const { pairs, left, done, said: own } = labelingQueue(candidates, said, rater, { most: AT_ONCE });
    const { kappa, pairs: repeats } = ownAgreement(said, rater);
    return {
      pairs: pairs.flatMap((pair) => {
        const candidate = byKey.get(pairKey(pair));
        return candidate === undefined ? [] : [this.#showPair(candidate, pair.isRepeat)];
      }),
      left,
      done,
      said: own.flatMap(({ query, item, grade }) => {
        const query_id = ids.get(query)?.[0];
        return query_id === undefined ? [] : [{ query_id, item, grade }];
      }),
      own_kappa: kappa,
      repeats,
      guidelines: labelGrades,
    };
  }

  /** Every pair that no person has judged, and the texts of the queries. */
  async listUnjudged(): Promise<{
    readonly tenant: string;
    readonly queries: readonly (readonly [id: string, text: string, need: string | null])[];
    readonly pairs: readonly {
      readonly query_id: string;
      readonly item: WorkbenchItem;
      readonly item_hash: string;
    }[];
  }> {
    const { tenant, queries } = await this.#collection.dataset();
    const { pairs } = await this.#candidates();
    const judged = new Set(standingAssessments(await this.#readAssessments()).map(pairKey));
    return {
      tenant,
      queries: queries.map((each) => [each.id, each.query, needOf(each)]),
      pairs: pairs
        .filter((pair) => !judged.has(pairKey(pair)))
        .map(({ query_id, shown: item }) => ({
          query_id,
          item: itemShown(item, false),
          item_hash: itemHash(item),
        })),
    };
  }

  /** One pair as it is shown to a rater, for one that was taken back. */
  async pair(queryId: string, item: string): Promise<WorkbenchQueue["pairs"][number] | undefined> {
    const { pairs } = await this.#candidates();
    const found = pairs.find((each) => each.query_id === queryId && each.item === item);
    return found && this.#showPair(found, false);
  }

  #showPair({ query_id, text, need, shown }: Candidate, isRepeat: boolean): WorkbenchPair {
    return {
      query_id,
      query: text,
      need,
      item: itemShown(shown, this.#places.showsImages),
      is_repeat: isRepeat,
      item_hash: itemHash(shown),
    };
  }

  /**
   * Stores what a page was told, in its order. A mark that is stored already is left out, so that a page may
   * send again what it does not know to have arrived.
   *
   * @param isAdjudicated whether the rater decides where others differ.
   * @returns the marks that are stored now, whoever sent them.
   * @throws InputError `LABEL_SHAPE` for what is no mark of this dataset.
   */
  store(name: string, given: unknown, isAdjudicated: boolean): Promise<readonly string[]> {
    const stored = this.#turn.then(() => this.#store(name, given, isAdjudicated));
    this.#turn = stored.catch(() => undefined);
    return stored;
  }

  async #store(name: string, given: unknown, isAdjudicated: boolean): Promise<readonly string[]> {
    const rater: Rater = { kind: isAdjudicated ? "adjudicator" : "human", name: person(name).name };
    const dataset = await this.#collection.dataset();
    const marks = checkMarks(given);
    const store = await this.#open();
    try {
      const saidByPair = new Map<string, Assessment[]>();
      const fresh: Assessment[] = [];
      for (const mark of marks) {
        const named = dataset.queries.find(({ id }) => id === mark.query_id);
        if (named === undefined) throw unknownPair(mark);
        const { tenant } = dataset;
        const pair = { query: normalizeQuery(named.query), item: mark.item };
        const said = saidByPair.get(pairKey(pair)) ?? [...(await store.find({ tenant, ...pair }))];
        saidByPair.set(pairKey(pair), said);
        // One request may have a mark twice, too.
        if (said.some((other) => other["mark"] === mark.mark)) continue;
        const item_hash = await this.#hashOf(mark, pair, said);
        const made = markAssessment({ ...mark, item_hash }, rater, { tenant, text: named.query });
        const each = { ...made, at: notAhead(made.at) };
        const own = said.filter((other) => raterId(other.rater) === raterId(rater));
        const timed = afterWhatItTakesBack(each, own);
        const stored = withoutGradesBefore(timed, own);
        said.push(...stored);
        fresh.push(...stored);
      }
      await store.add(fresh);
    } finally {
      await store.close();
    }
    return marks.map(({ mark }) => mark);
  }

  /**
   * What was judged: what the page was shown, which may have left the corpus and the latest batches since;
   * else the item as it is, or as it was said of before.
   */
  async #hashOf(mark: WorkbenchMark, pair: PairToLabel, said: readonly Assessment[]): Promise<string | null> {
    if (mark.item_hash !== null) return mark.item_hash;
    const { items } = await this.#collection.dataset();
    const known = items.get(pair.item);
    if (known !== undefined) return itemHash(known);
    const last = said.at(-1);
    if (last !== undefined) return last.item_hash ?? null;
    // What a search says of its items is known from its batches alone; nobody waits here for the search.
    const hasBatch = (await this.#collection.recorded.listStoredIds()).length > 0;
    const candidate = hasBatch ? (await this.#candidates()).byKey.get(pairKey(pair)) : undefined;
    if (candidate === undefined) throw unknownPair(mark);
    return itemHash(candidate.shown);
  }

  /** Everything that people said of the queries of this dataset. */
  async #readAssessments(): Promise<Assessment[]> {
    const { config, labels } = this.#places;
    if (!isStoreThere(labelsPath(config, labels))) return [];
    const { tenant } = await this.#collection.dataset();
    const texts = await this.#idsByText();
    const store = await this.#open();
    try {
      const people = (await store.raters()).filter(({ kind }) => kind === "human" || kind === "adjudicator");
      const said: Assessment[][] = [];
      for (const rater of people) said.push(await store.find({ tenant, rater: raterId(rater) }));
      return said.flat().filter(({ query }) => texts.has(query));
    } finally {
      await store.close();
    }
  }

  /** The ids of each text, which several queries may have. */
  async #idsByText(): Promise<Map<string, string[]>> {
    const { queries } = await this.#collection.dataset();
    const groups = groupBy(queries, ({ query }) => normalizeQuery(query));
    return new Map([...groups].map(([text, own]) => [text, own.map(({ id }) => id)]));
  }

  #open(): Promise<LabelStore> {
    const { config, labels } = this.#places;
    return openLabelStore(labelsPath(config, labels), { create: true });
  }

  /** What came back in the latest batches, or from the search itself where there is none. */
  async #candidates(): Promise<Candidates> {
    const batches = (await this.#collection.recorded.listStoredIds()).slice(0, LATEST_BATCHES);
    const dataset = await this.#collection.dataset();
    const stamp = `${batches.join(" ")} ${this.#collection.stamp}`;
    const candidates = await this.#kept.get("", stamp, async () => {
      let failed = 0;
      const found = new Map<string, Candidate>();
      const add = (named: NamedQuery, hits: readonly BackendHit[]): void => {
        const query = normalizeQuery(named.query);
        const of = { query_id: named.id, text: named.query, need: needOf(named), query };
        for (const hit of hits) {
          const item = itemOfHit(hit, dataset.items);
          if (item === undefined) continue;
          const key = pairKey({ query, item: item.id });
          if (!found.has(key)) found.set(key, { ...of, item: item.id, shown: item });
        }
      };
      const recorded = batches.map((batch) => () => this.#collection.recorded.run(batch));
      for (const answersOf of recorded.length > 0 ? recorded : [() => this.#ask(dataset)]) {
        const { results: all } = await answersOf();
        const results = new Map(all.map((each) => [each.query_id, each]));
        if (batches.length === 0) failed = all.filter(({ error }) => error != null).length;
        for (const query of dataset.queries) {
          const { hits } = rankingOf(results.get(query.id)?.hits_top_k ?? [], query.id);
          add(query, hits.slice(0, DEPTH));
        }
      }
      return { pairs: [...found.values()], byKey: found, failed };
    });
    // What failed is asked again the next time, and nothing else.
    if (candidates.failed > 0) this.#kept.forget("");
    return candidates;
  }

  /** What the search answers to the first queries; one that fails takes nothing from the others. */
  async #ask(dataset: Dataset): Promise<Pick<EvalRun, "results">> {
    const { config, isReadOnly = false } = this.#places;
    const settings = backendFrom(config, dataset);
    if (isReadOnly && settings !== undefined && settings.kind !== "builtin") return { results: [] };
    const stamp = this.#collection.filesStamp;
    const readAnswered = (): EvalRun["results"] =>
      this.#answered.stamp === stamp ? this.#answered.results : [];
    const known = readAnswered();
    const isKnown = new Set(known.map(({ query_id }) => query_id));
    const queries = dataset.queries.slice(0, ASKED_QUERIES).filter(({ id }) => !isKnown.has(id));
    if (queries.length === 0) return { results: known };
    try {
      const { results } = await askOnce(
        config,
        { ...dataset, queries },
        { topK: DEPTH, stopAfterFailures: MOST_FAILURES },
      );
      const answered = results.filter(({ error }) => error == null);
      if (stamp === this.#collection.filesStamp)
        this.#answered = { stamp, results: [...readAnswered(), ...answered] };
      return { results: [...known, ...results] };
    } catch (error) {
      // Nobody here wants to know how one records again.
      const isDown = isRankproofError(error) && error.code === "RUN_FAILING" && error.cause !== undefined;
      throw isDown ? error.cause : error;
    }
  }
}

function needOf({ labels = {} }: NamedQuery): string | null {
  const name = NEEDS.find((each) => Object.hasOwn(labels, each));
  return (name === undefined ? undefined : labels[name]) ?? null;
}

const LONGEST_NAME = 80;
/** Characters that hide or turn text; joiners stay, which some scripts need. */
const NO_NAME = /(?![\u200c\u200d])[\p{C}]/u;

/** @throws InputError `ARGUMENT` for a name that is none. */
export function person(name: string): Rater {
  const given = name.normalize("NFC").trim().replace(/\s+/g, " ");
  if (given === "" || given.length > LONGEST_NAME || NO_NAME.test(given))
    throw new InputError(
      "ARGUMENT",
      `a rater has a name of 1 to ${LONGEST_NAME} letters, got ${quote(name)}`,
    );
  return { kind: "human", name: given };
}

/** What a clock that is ahead says would stand until its time has come, whatever is said after it. */
function notAhead(at: string): string {
  const now = new Date();
  return Date.parse(at) > now.getTime() ? now.toISOString() : at;
}

/** What is taken back was said before: a clock that is behind does not save it. */
function afterWhatItTakesBack(mark: Assessment, own: readonly Assessment[]): Assessment {
  const last = own.reduce((latest, { at }) => (at > latest ? at : latest), "");
  const standsBefore = standingAssessments(own.filter(({ at }) => at <= mark.at)).length > 0;
  return mark.outcome !== "withdrawn" || standsBefore || last < mark.at
    ? mark
    : { ...mark, at: new Date(Date.parse(last) + 1).toISOString() };
}
