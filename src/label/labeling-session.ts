import { createYielder, sleep, tell, withWorkers } from "../foundation/async/index.js";
import { checkSeed, checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { AdapterError, InputError, quote } from "../foundation/errors/index.js";
import { seededRandom, shuffle } from "../foundation/numbers/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import {
  raterId,
  standingAssessments,
  isStaleLabel,
  type Assessment,
  type LabelItem,
  type Rater,
} from "../records/index.js";
import type { ProfileKey } from "../storage/index.js";
import type { BuildSummary, LabelingOptions } from "./build-options.js";
import { digestOf, itemHash } from "./content-hash.js";
import { shareOf, addCosts, tokensOf } from "./costs.js";
import { answerOf, checkVerdicts } from "./answers.js";
import type { Cost, ItemVerdict } from "./labeler.js";
import { DEFAULT_TENANT, normalizeQuery } from "./query-text.js";

/** How often another build's query is looked at. */
const WAIT_MS = 200;
const BATCH_SIZE = 50;
const OPTIONS: readonly (keyof LabelingOptions)[] = [
  "labeler",
  "store",
  "tenant",
  "batchSize",
  "votes",
  "concurrency",
  "seed",
  "budget",
  "refreshStale",
  "retryInvalid",
  "since",
  "isDryRun",
  "signal",
  "now",
  "onProgress",
  "onWait",
];

/** What is labelled of one query, and what is known of it. */
export interface LabelledQuery {
  /** Its normalized text. */
  readonly query: string;
  /** Whose labels, by `raterId`. */
  readonly rater: string;
  /** What this rater said of its items, old and new. */
  readonly said: Map<string, Assessment[]>;
}

/** A model that talks around the grades would be asked for every item by itself, and be paid each time. */
const MOST_UNREAD = 10;

/**
 * The requests of a build, and the count of them: each answer is in the store before the next request for its
 * query, and none is asked for twice.
 */
export class LabelingSession {
  readonly #options: LabelingOptions;
  readonly #answers = { graded: 0, cannot_tell: 0, invalid: 0, refused: 0 };
  readonly #yield = createYielder();
  #queries = 0;
  #pairs = 0;
  #known = 0;
  #stale = 0;
  #unusable = 0;
  #calls = 0;
  #paid: Cost = {};
  #isEstimated = false;
  /** What answers that are under way may take. */
  #underWay: Cost = {};
  #callsUnderWay = 0;
  /** Answers of which nothing could be read, as long as there were no others. */
  #unread = 0;
  #hasRead = false;
  /** Whether the budget left something unasked. */
  #isSpent = false;
  /** Those whose labels were counted or made, by `raterId`. */
  readonly #raters = new Set<string>();

  /** @throws InputError `ARGUMENT` for settings that are not possible. */
  constructor(options: LabelingOptions) {
    const {
      batchSize = BATCH_SIZE,
      votes = 1,
      concurrency = 1,
      seed = 1,
      budget = {},
    } = checkKnownOptions(options, OPTIONS);
    checkKnownOptions(budget, ["calls", "tokens", "money"]);
    wholeNumber("batchSize", batchSize);
    wholeNumber("votes", votes);
    wholeNumber("concurrency", concurrency);
    checkSeed(seed);
    for (const [name, most] of Object.entries(budget))
      if (most !== undefined && !(most >= 0))
        throw new InputError("ARGUMENT", `budget.${name} must be a number from 0, got ${quote(most)}`);
    for (const [name, of] of [
      ["store", "claim"],
      ["labeler", "label"],
    ] as const)
      if (typeof (options[name] as unknown as Record<string, unknown> | undefined)?.[of] !== "function")
        throw new InputError(
          "ARGUMENT",
          `a build of labels needs a \`${name}\`, got ${quote(options[name])}`,
        );
    this.#options = options;
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }

  /**
   * Works through queries, several at once, until the budget is spent. Of two builds at once one works on a
   * query; the other comes back to it.
   */
  async each<T extends { readonly query: string }>(
    targets: Iterable<T> | AsyncIterable<T>,
    work: (target: T, labels: LabelledQuery, stop: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { concurrency = 1, signal, onWait } = this.#options;
    const taken: T[] = [];
    await withWorkers(this.#untilSpent(targets), concurrency, signal, async (target, stop) => {
      if (!(await this.#claim(target, stop, work))) taken.push(target);
    });
    await withWorkers(this.#untilSpent(taken), concurrency, signal, async (target, stop) => {
      for (let looks = 0; !(await this.#claim(target, stop, work)); looks++) {
        if (looks === 0) onWait?.(target.query);
        await sleep(WAIT_MS, stop);
      }
    });
  }

  /**
   * Labels what is not labelled of these items, as often as each is to be judged, every time in another order
   * and company.
   */
  async label(labels: LabelledQuery, items: readonly LabelItem[], stop: AbortSignal): Promise<void> {
    const { votes = 1, batchSize = BATCH_SIZE, seed = 1 } = this.#options;
    const distinct = [...new Map([...items].reverse().map((item) => [item.id, item])).values()].reverse();
    this.#pairs += distinct.length * votes;
    for (let vote = 1; vote <= votes; vote++) {
      const missing = distinct.filter((item) => this.#wants(item, vote, labels));
      const digest = digestOf([seed, labels.query, vote]);
      const order = shuffle(missing, seededRandom(Number.parseInt(digest.slice(0, 8), 16)));
      for (let at = 0; at < order.length; at += batchSize) {
        await this.#yield();
        stop.throwIfAborted();
        await this.#labelBatch(labels, vote, order.slice(at, at + batchSize), stop);
        if (this.#isSpent) return;
      }
    }
  }

  summary(): BuildSummary {
    return {
      queries: this.#queries,
      pairs: this.#pairs,
      known: this.#known,
      stale: this.#stale,
      unusable: this.#unusable,
      calls: this.#calls,
      answers: { ...this.#answers },
      cost: this.#paid,
      isEstimated: this.#isEstimated,
      isDone: !this.#isSpent,
      isOtherRater: this.#raters.size > 1,
    };
  }

  async *#untilSpent<T>(targets: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
    for await (const target of targets) {
      if (this.#isSpent) return;
      yield target;
    }
  }

  /** @returns false where another build is at this query. */
  async #claim<T extends { readonly query: string }>(
    target: T,
    stop: AbortSignal,
    work: (target: T, labels: LabelledQuery, stop: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const { store, labeler, tenant = DEFAULT_TENANT } = this.#options;
    // Between queries, too: those of which all is known ask nothing.
    await this.#yield();
    if (this.#isSpent) return true;
    const query = normalizeQuery(target.query);
    const giveBack =
      this.#options.isDryRun === true
        ? async (): Promise<void> => undefined
        : await store.claim(canonicalJson([tenant, query, labeler.rater.name]));
    if (giveBack === undefined) return false;
    try {
      // Another build may have found out more of the labeler in the meantime.
      labeler.recall?.(await store.raters());
      const rater = raterId(labeler.rater);
      const said = groupBy(await store.find({ tenant, query, rater }), ({ item }) => item);
      this.#queries++;
      await work(target, { query, rater, said: new Map(said) }, stop);
      return true;
    } finally {
      await giveBack();
    }
  }

  /** Whether an item is to be asked for; what is known is counted. */
  #wants(item: LabelItem, vote: number, { rater, said }: LabelledQuery): boolean {
    const { refreshStale, retryInvalid, since } = this.#options;
    const before = standingAssessments(said.get(item.id) ?? [])
      .filter(({ at }) => since === undefined || Date.parse(at) >= Date.parse(since))
      .find((assessment) => assessment.vote === vote);
    if (before === undefined || (retryInvalid === true && isUnusable(before))) return true;
    // It was to be asked for alone, and the build ended before that.
    if (isUnusable(before) && (before.batch_size ?? 1) > 1) return true;
    const isStale = isStaleLabel(before, itemHash(item));
    if (isStale && refreshStale === true) return true;
    this.#known++;
    this.#raters.add(rater);
    if (isStale) this.#stale++;
    if (isUnusable(before)) this.#unusable++;
    return false;
  }

  /** Asks for a batch, keeps what can be used, and asks once more for each item whose answer cannot. */
  async #labelBatch(
    labels: LabelledQuery,
    vote: number,
    items: readonly LabelItem[],
    stop: AbortSignal,
  ): Promise<void> {
    const { query } = labels;
    const reply = await this.#ask(query, items);
    if (reply === undefined) return;
    const again = items.length === 1 ? [] : items.filter((_, at) => isUnusable(reply.verdicts[at]));
    const good = items.length - again.length;
    const batch = { labels, vote, items, reply };
    if (good > 0)
      await this.#keep(
        batch,
        (place) => again.length === 0 || !isUnusable(reply.verdicts[place]),
        reply.cost,
      );
    if (good > 0) await tell(() => this.#options.onProgress?.(this.summary()), stop);
    let done = 0;
    try {
      this.#checkRead(reply);
      for (const item of again) {
        stop.throwIfAborted();
        const alone = await this.#ask(query, [item]);
        if (alone === undefined) return;
        // A batch of which nothing can be used is paid by those who are asked again.
        const cost = good > 0 ? alone.cost : addCosts(alone.cost, shareOf(reply.cost, items.length));
        await this.#keep({ labels, vote, items: [item], reply: alone }, () => true, cost);
        done++;
        await tell(() => this.#options.onProgress?.(this.summary()), stop);
        this.#checkRead(alone);
      }
    } finally {
      const left = again.length - done;
      if (good === 0 && left > 0)
        await this.#keep(batch, (place) => place >= done, shareOf(reply.cost, items.length / left));
    }
  }

  /** @throws AdapterError `LABELER_FAILED` where nothing of what the model says can be read. */
  #checkRead({ verdicts: [verdict] }: Answered): void {
    // Who tries unreadable answers again begins with them.
    if (this.#hasRead || this.#unread < MOST_UNREAD || this.#options.retryInvalid === true) return;
    throw new AdapterError(
      "LABELER_FAILED",
      `of the first ${this.#unread} answers of ${quote(this.#options.labeler.rater.name)} nothing could be ` +
        `used (${verdict?.reason ?? "no reason was given"}); what it said so far is kept, look at model ` +
        "and prompt",
    );
  }

  /** One request; undefined where the budget does not allow it. */
  async #ask(query: string, items: readonly LabelItem[]): Promise<Answered | undefined> {
    const { labeler, store, tenant = DEFAULT_TENANT, signal, budget = {} } = this.#options;
    const key = (): ProfileKey => ({ tenant, query, rater: raterId(labeler.rater) });
    const profile = {
      read: () => store.profile(key()),
      keep: (value: unknown) => store.keepProfile(key(), value),
    };
    const request = { query, items, signal, profile };
    const { requests = 1, ...estimate } = labeler.estimate?.(request) ?? {};
    const after = addCosts(addCosts(this.#paid, this.#underWay), estimate);
    const { calls = Infinity, tokens = Infinity, money = Infinity } = budget;
    const callsAfter = this.#calls + this.#callsUnderWay + requests;
    if (callsAfter > calls || tokensOf(after) > tokens || (after.price?.amount ?? 0) > money) {
      this.#isSpent = true;
      return undefined;
    }
    if (this.#options.isDryRun === true) {
      this.#calls += requests;
      this.#count(estimate, true);
      return undefined;
    }
    this.#underWay = addCosts(this.#underWay, estimate);
    this.#callsUnderWay += requests;
    try {
      const reply = await answerOf(labeler, request);
      this.#calls += reply?.requests ?? 1;
      const { tokens: used, price } = reply ?? {};
      const cost = { ...(used && { tokens: used }), ...(price && { price }) };
      // Of a labeler that does not tell, the estimate counts: a budget has to end.
      const isTold = used !== undefined || price !== undefined;
      this.#count(isTold ? cost : estimate, !isTold);
      const { answeredModel } = reply ?? {};
      const rater = {
        ...(reply?.rater ?? labeler.rater),
        ...(answeredModel !== undefined && { answered_model: answeredModel }),
      };
      const verdicts = checkVerdicts(items, reply);
      if (verdicts.every(({ outcome }) => outcome === "invalid")) this.#unread++;
      else this.#hasRead = true;
      return { verdicts, rater, cost };
    } finally {
      this.#underWay = addCosts(this.#underWay, shareOf(estimate, -1));
      this.#callsUnderWay -= requests;
    }
  }

  #count(cost: Cost, isEstimated: boolean): void {
    this.#paid = addCosts(this.#paid, cost);
    this.#isEstimated ||= isEstimated && (cost.tokens ?? cost.price) !== undefined;
  }

  /** Keeps the verdicts of some places of a batch, who share a cost. */
  async #keep(
    { labels: { query, said }, vote, items, reply }: AskedBatch,
    isKept: (place: number) => boolean,
    cost: Cost,
  ): Promise<void> {
    const { store, tenant = DEFAULT_TENANT, now = Date.now } = this.#options;
    const { rater } = reply;
    this.#raters.add(raterId(rater));
    const batch = digestOf([raterId(rater), tenant, query, vote, items.map(({ id }) => id)]).slice(0, 16);
    const at = new Date(now()).toISOString();
    const places = [...items.keys()].filter(isKept);
    const assessments = places.map((place): Assessment => {
      const item = items[place] as LabelItem;
      const verdict = reply.verdicts[place] as ItemVerdict;
      this.#answers[verdict.outcome]++;
      const { outcome, grade, reason, sent } = verdict;
      return {
        tenant,
        query,
        item: item.id,
        item_hash: itemHash(item),
        ...(sent && {
          sent_hash: sent.hash,
          ...(sent.length !== undefined && { sent_length: sent.length }),
        }),
        outcome,
        grade,
        rater,
        vote,
        batch,
        place,
        batch_size: items.length,
        at,
        ...shareOf(cost, places.length),
        ...(reason !== undefined && { reason }),
      };
    });
    await store.add(assessments);
    for (const one of assessments) said.set(one.item, [...(said.get(one.item) ?? []), one]);
  }
}

/** A reply, checked. */
interface Answered {
  /** One for each item that was asked for. */
  readonly verdicts: readonly ItemVerdict[];
  readonly rater: Rater;
  readonly cost: Cost;
}

interface AskedBatch {
  readonly labels: LabelledQuery;
  readonly vote: number;
  readonly items: readonly LabelItem[];
  readonly reply: Answered;
}

/** Whether an item is worth asking for alone: a refusal may be of another item of the batch. */
function isUnusable(verdict: { readonly outcome: string } | undefined): boolean {
  return verdict?.outcome === "invalid" || verdict?.outcome === "refused";
}
