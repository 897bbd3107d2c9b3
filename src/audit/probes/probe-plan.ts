import { checkSeed, wholeNumber } from "../../foundation/checks/index.js";
import type { LabelItem, ProbeResult } from "../../records/index.js";
import { countOf, seededRandom, shuffle } from "../../foundation/numbers/index.js";
import { cutToThird, hasText, withAdded, type Place } from "./changed-items.js";
import type { ProbeTexts } from "./probe-texts.js";

/** A query, and what is labelled of it. */
export interface ProbedQuery {
  readonly query: string;
  readonly labelled: readonly { readonly item: LabelItem; readonly grade: number }[];
}

/** How pairs are chosen, and requests made. */
export interface ProbePlanOptions {
  readonly seed: number;
  /** Pairs of query and item that are changed. */
  readonly pairs: number;
  /** Items in a request. */
  readonly batchSize: number;
  readonly texts: ProbeTexts;
  /** Whether there is a second wording of the prompt. */
  readonly hasWording: boolean;
}

/** One request, about one item of it. */
export interface ProbeRequest {
  readonly query: string;
  readonly items: readonly LabelItem[];
  /** Of the item that it is about. */
  readonly place: number;
  /** The second wording in place of the first. */
  readonly isReworded: boolean;
  /** The same request is made again where this differs. */
  readonly turn: number;
}

/** A variant of a probe, and its requests: one for each pair that it can be tried with. */
export interface ProbeVariant {
  readonly probe: ProbeResult["probe"];
  readonly variant: string;
  readonly direction: ProbeResult["direction"];
  readonly tries: readonly {
    /** As it is, the same again, and changed: places in the list of requests. */
    readonly before: number;
    readonly again: number;
    readonly after: number;
  }[];
}

/** What a judge is asked, and what it is asked for. */
export interface ProbePlan {
  readonly requests: readonly ProbeRequest[];
  readonly variants: readonly ProbeVariant[];
  readonly skipped: readonly { readonly probe: string; readonly reason: string }[];
}

/** Fewer pairs cannot raise an alarm: nine of nine is the first row that chance makes in 1 of 512 tries. */
const FEWEST_PAIRS = 9;
/** With fewer items beside it one neighbour would decide, and not the company. */
const FEWEST_COMPANY = 4;
/** Mostly Relevant. */
const GOOD = 2;

/** A pair with the company that it is judged in. */
interface Target {
  readonly query: string;
  readonly item: LabelItem;
  readonly mates: readonly LabelItem[];
  /** Only items of grades 2 and 3; undefined where there are too few. */
  readonly good: readonly LabelItem[] | undefined;
  /** Only items that are Irrelevant. */
  readonly poor: readonly LabelItem[] | undefined;
}

type Change = (target: Target) => Pick<ProbeRequest, "items" | "place"> | undefined;
type Variant = Pick<ProbeVariant, "probe" | "variant" | "direction"> & {
  readonly change: Change;
  readonly isReworded?: boolean;
};

/**
 * Chooses pairs and makes the requests that try a judge with them.
 *
 * Two sets of pairs: items of other queries, whose grade should stay low whatever is written into them, and
 * labelled pairs of all grades. Each pair is judged as it is, the same again, and once for each variant, in
 * one and the same company wherever that is not what is tried.
 */
export function planProbes(queries: readonly ProbedQuery[], options: ProbePlanOptions): ProbePlan {
  const { seed, pairs, batchSize, texts, hasWording } = options;
  wholeNumber("pairs", pairs);
  wholeNumber("batchSize", batchSize);
  const random = seededRandom(checkSeed(seed));
  const known = queries.map(({ query, labelled }) => ({
    query,
    labelled: labelled.filter(({ item }) => hasText(item)),
  }));
  const mates = batchSize - 1;
  const all = distinct(shuffle(known, random).flatMap(({ labelled }) => labelled.map(({ item }) => item)));
  const corpus = shuffle(all, random);
  const company = (pair: Pair): Target => targetOf(pair, corpus, mates, random);
  const foreign = foreignPairs(known, corpus, pairs, random).map(company);
  const own = ownPairs(known, pairs, mates, random).map(company);
  const requests: ProbeRequest[] = [];
  const variants: ProbeVariant[] = [];
  const skipped: { probe: string; reason: string }[] = [];
  const ask = (request: ProbeRequest): number => requests.push(request) - 1;
  for (const [targets, tried] of [
    [foreign, foreignVariants(texts)],
    [own, ownVariants(texts, hasWording)],
  ] as const) {
    const plain = new Map<Target, { readonly before: number; readonly again: number }>();
    const plainOf = (target: Target): { readonly before: number; readonly again: number } => {
      const request = { query: target.query, ...inTheMiddle(target, target.item), isReworded: false };
      const places = plain.get(target) ?? {
        before: ask({ ...request, turn: 1 }),
        again: ask({ ...request, turn: 2 }),
      };
      plain.set(target, places);
      return places;
    };
    for (const { change, isReworded = false, ...variant } of tried) {
      const made = targets.flatMap((target) => {
        const changed = change(target);
        return changed === undefined ? [] : [{ target, changed }];
      });
      if (made.length < FEWEST_PAIRS) {
        skipped.push({
          probe: `${variant.probe.replace("_", " ")}, ${variant.variant}`,
          reason: `it can be tried with ${countOf(made.length, "pair")}, at least ${FEWEST_PAIRS} are needed`,
        });
        continue;
      }
      const tries = made.map(({ target, changed }) => ({
        ...plainOf(target),
        after: ask({ query: target.query, ...changed, isReworded, turn: 1 }),
      }));
      variants.push({ ...variant, tries });
    }
  }
  if (!hasWording) skipped.push({ probe: "wording", reason: "there is no second wording of its prompt" });
  return { requests, variants, skipped };
}

function foreignVariants({ orders }: ProbeTexts): Variant[] {
  const addPair = (
    probe: "query_words" | "instruction",
    variant: string,
    place: Place,
    text?: string,
  ): Variant => ({
    probe,
    variant,
    direction: "up",
    change: (target) => {
      const item = withAdded(target.item, text ?? target.query, place);
      return item && inTheMiddle(target, item);
    },
  });
  return [
    ...(["start", "middle", "end"] as const).map((place) => addPair("query_words", place, place)),
    ...orders.map((order, at) => addPair("instruction", `order ${at + 1}`, "end", order)),
  ];
}

const REWORDED: Variant = {
  probe: "wording",
  variant: "reworded",
  direction: "either",
  isReworded: true,
  change: (target) => inTheMiddle(target, target.item),
};

function ownVariants({ filler }: ProbeTexts, hasWording: boolean): Variant[] {
  return [
    {
      probe: "length",
      variant: "longer",
      direction: "either",
      change: (target) => {
        const item = withAdded(target.item, filler, "end");
        return item && inTheMiddle(target, item);
      },
    },
    {
      probe: "length",
      variant: "cut to a third",
      // What is cut off may be what mattered.
      direction: "none",
      change: (target) => {
        const item = cutToThird(target.item);
        return item && inTheMiddle(target, item);
      },
    },
    ...(["first", "last"] as const).map((variant): Variant => ({
      probe: "position",
      variant,
      direction: "either",
      change: ({ item, mates: company }) =>
        company.length === 0
          ? undefined
          : placePairs(company, item, variant === "first" ? 0 : company.length),
    })),
    ...(["good", "poor"] as const).map((kind): Variant => ({
      probe: "company",
      variant: `only ${kind}`,
      direction: "either",
      change: (target) => {
        const company = target[kind];
        return company && inTheMiddle({ mates: company }, target.item);
      },
    })),
    ...(hasWording ? [REWORDED] : []),
  ];
}

function inTheMiddle(
  { mates }: Pick<Target, "mates">,
  item: LabelItem,
): Pick<ProbeRequest, "items" | "place"> {
  return placePairs(mates, item, Math.floor(mates.length / 2));
}

function placePairs(
  mates: readonly LabelItem[],
  item: LabelItem,
  place: number,
): Pick<ProbeRequest, "items" | "place"> {
  return { items: [...mates.slice(0, place), item, ...mates.slice(place)], place };
}

interface Pair {
  readonly of: ProbedQuery;
  readonly item: LabelItem;
}

/** Items that are labelled for other queries, and for this one not at all or as Irrelevant. */
function foreignPairs(
  queries: readonly ProbedQuery[],
  corpus: readonly LabelItem[],
  most: number,
  random: () => number,
): Pair[] {
  const lists = shuffle(queries, random)
    .slice(0, most)
    .map((of) => strangersTo(of, corpus, most, random).map((item) => ({ of, item })));
  return inTurn(lists, most);
}

/** Labelled pairs, of every grade as many, first those that have good company. */
function ownPairs(
  queries: readonly ProbedQuery[],
  most: number,
  mates: number,
  random: () => number,
): Pair[] {
  const all = queries.flatMap((of) =>
    of.labelled.map(({ item, grade }) => ({
      of,
      item,
      grade,
      hasCompany: goodBeside(of, item).length >= Math.min(FEWEST_COMPANY, mates),
    })),
  );
  const order = shuffle(all, random).sort((a, b) => Number(b.hasCompany) - Number(a.hasCompany));
  const grades = [...new Set(order.map(({ grade }) => grade))].sort((a, b) => b - a);
  return inTurn(
    grades.map((grade) => order.filter((pair) => pair.grade === grade)),
    most,
  );
}

function targetOf(
  { of, item }: Pair,
  corpus: readonly LabelItem[],
  count: number,
  random: () => number,
): Target {
  const isOther = ({ id }: LabelItem): boolean => id !== item.id;
  const listLabelledItems = (isWanted: (grade: number) => boolean): LabelItem[] => {
    const items = of.labelled.filter(({ grade }) => isWanted(grade)).map((each) => each.item);
    return shuffle(items.filter(isOther), random);
  };
  const strangers = strangersTo(of, corpus, count + 1, random).filter(isOther);
  const company = (items: readonly LabelItem[]): LabelItem[] => distinct(items).slice(0, count);
  const ifEnough = (items: readonly LabelItem[]): readonly LabelItem[] | undefined =>
    items.length >= Math.min(FEWEST_COMPANY, Math.max(1, count)) ? items : undefined;
  return {
    query: of.query,
    item,
    mates: company([...listLabelledItems(() => true), ...strangers]),
    good: ifEnough(company(listLabelledItems((grade) => grade >= GOOD))),
    poor: ifEnough(company([...listLabelledItems((grade) => grade === 0), ...strangers])),
  };
}

function goodBeside({ labelled }: ProbedQuery, { id }: LabelItem): LabelItem[] {
  return labelled.filter(({ item, grade }) => grade >= GOOD && item.id !== id).map(({ item }) => item);
}

/** Items that are not known to be relevant to a query. */
function strangersTo(
  { labelled }: ProbedQuery,
  corpus: readonly LabelItem[],
  most: number,
  random: () => number,
): LabelItem[] {
  const relevant = new Set(labelled.filter(({ grade }) => grade > 0).map(({ item }) => item.id));
  const found: LabelItem[] = [];
  const start = Math.floor(random() * corpus.length);
  for (let step = 0; step < corpus.length && found.length < most; step++) {
    const item = corpus[(start + step) % corpus.length] as LabelItem;
    if (!relevant.has(item.id)) found.push(item);
  }
  return found;
}

/** The first of each list, then the second of each, and so on. */
function inTurn<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const found: T[] = [];
  for (let at = 0; found.length < most && lists.some((list) => at < list.length); at++)
    for (const list of lists) if (at < list.length && found.length < most) found.push(list[at] as T);
  return found;
}

function distinct(items: readonly LabelItem[]): LabelItem[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}
