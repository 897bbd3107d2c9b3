import { checkSeed, wholeNumber } from "../foundation/checks/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { seededRandom } from "../foundation/numbers/index.js";
import type { AuditSample } from "../records/index.js";
import { drawProbabilities } from "../stats/index.js";
import { textHash } from "../label/internal.js";
import { shuffle } from "../foundation/numbers/index.js";

/** A query that may be drawn. */
export interface SampledQuery {
  readonly id: string;
  /** Its text, as labels are kept under it. */
  readonly query: string;
  /** What kind it is of; `all` unless given. */
  readonly stratum?: string | undefined;
}

/** For whom something is drawn, and when. */
export interface SampleSource {
  readonly dataset: string;
  readonly tenant: string;
  readonly sampleId: string;
  /** When, in UTC. */
  readonly createdAt: string;
}

/** How queries are drawn. */
export interface SampleOptions extends SampleSource {
  /** Queries that people will label; what `counts` say where these are given. */
  readonly size: number;
  readonly seed: number;
  /** Queries of each stratum, such as `neymanAllocation` of `rankproof/stats` gives; by its share if not. */
  readonly counts?: ReadonlyMap<string, number> | undefined;
}

/** A pair of a query and an item that a difference of two systems may rest on. */
export interface WeightedPair {
  readonly queryId: string;
  readonly item: string;
  /** What a grade of 1 moves, of either sign. */
  readonly weight: number;
}

/** A pair that may be drawn. */
export interface SampledPair extends WeightedPair {
  /** How uncertain its grade is: a standard deviation, from 0. */
  readonly spread: number;
}

/** How pairs are drawn. */
export interface PairSampleOptions extends SampleSource {
  /** Pairs that people will label, on average. */
  readonly size: number;
  readonly seed: number;
  /** The least probability of a pair whose weight is not 0. Default a tenth of the mean probability. */
  readonly floor?: number | undefined;
}

/** Fewer of a kind have no variance. */
const FEWEST = 2;
/** The kind of queries that have none. */
const ALL = "all";
const OTHER_KINDS = "other kinds";
/** Of the mean probability: a spread that was guessed ten times too small costs no more than that. */
const FLOOR = 0.1;

/**
 * Draws whole queries for people to label, without replacement: of each stratum by its share, at least 2. The
 * order of the draw depends on the seed and on the ids alone, so that a larger sample of the same seed holds
 * the smaller one, and no label is lost.
 *
 * Whole queries, since terms of one query cancel in its metrics: pairs drawn uniformly would cost more labels
 * for the same certainty.
 *
 * @throws InputError `ARGUMENT` for a size that is none, for more than there are, and for counts that do not
 * fit the strata.
 */
export function drawSample(queries: readonly SampledQuery[], options: SampleOptions): AuditSample {
  const { size, seed, counts: given } = options;
  checkSeed(seed);
  checkDistinct(queries.map(({ id }) => id));
  const frame = given === undefined ? withoutSingles(queries) : queries;
  const byStratum = groupBy(frame, ({ stratum = ALL }) => stratum);
  const counts = given === undefined ? sharesOf(byStratum, size) : checkCounts(byStratum, given);
  const strata = [...byStratum].map(([name, all]) => ({ name, all, drawn: counts.get(name) ?? 0 }));
  return {
    ...headOf(options, seed, "estimate", "query"),
    frame: frame.map(({ id, stratum = ALL }) => ({ query_id: id, stratum })),
    strata: strata.map(({ name, all, drawn }) => ({ name, queries: all.length, drawn })),
    drawn: strata.flatMap(({ name, all, drawn }) =>
      inOrderOfDraw(all, seed, name)
        .slice(0, drawn)
        .map(({ id, query }) => ({ query_id: id, query, stratum: name, probability: drawn / all.length })),
    ),
  };
}

/** Who stands twice would be drawn twice. @throws InputError `ARGUMENT` */
function checkDistinct(ids: readonly string[]): void {
  const seen = new Set<string>();
  const twice = ids.find((id) => seen.size === seen.add(id).size);
  if (twice !== undefined) throw new InputError("ARGUMENT", `query ${quote(twice)} is there twice`);
}

/** A kind of one query has no variance: such kinds are one together, or a part of the largest. */
function withoutSingles(queries: readonly SampledQuery[]): readonly SampledQuery[] {
  const kinds = [...groupBy(queries, ({ stratum = ALL }) => stratum)];
  const rare = new Set(kinds.filter(([, { length }]) => length < FEWEST).map(([name]) => name));
  if (rare.size === 0 || kinds.length === 1) return queries;
  const [largest = ALL] = kinds.reduce((most, kind) => (kind[1].length > most[1].length ? kind : most));
  const together = rare.size < FEWEST ? largest : OTHER_KINDS;
  return queries.map((query) => (rare.has(query.stratum ?? ALL) ? { ...query, stratum: together } : query));
}

/**
 * Draws pairs for people to label, each by itself with a probability in proportion to |weight| × spread,
 * above a floor, for `pairEstimate` of `rankproof/stats`. Never uniformly: then most labels would be of pairs
 * that move nothing.
 *
 * Which pairs are drawn depends on the seed and on their ids: with the same pairs and spreads a larger sample
 * holds the smaller one. The number of pairs varies about the size.
 *
 * @param queries the queries of the pairs; all of them are the frame.
 * @throws InputError `ARGUMENT` for a pair of a query that is not there, for one that is there twice, and as
 * `drawProbabilities`.
 */
export function drawPairs(
  queries: readonly SampledQuery[],
  pairs: readonly SampledPair[],
  options: PairSampleOptions,
): AuditSample {
  const { size, seed } = options;
  wholeNumber("size", size);
  checkSeed(seed);
  const known = new Map(queries.map((query) => [query.id, query]));
  const ordered = [...pairs].sort((a, b) => compareIds(a.queryId, b.queryId) || compareIds(a.item, b.item));
  ordered.forEach(({ queryId, item }, at) => {
    if (!known.has(queryId))
      throw new InputError("ARGUMENT", `a pair has query ${quote(queryId)}, which is not among the queries`);
    const next = ordered[at + 1];
    if (next?.queryId === queryId && next.item === item)
      throw new InputError("ARGUMENT", `item ${quote(item)} of query ${quote(queryId)} is there twice`);
  });
  const weighed = ordered.filter(({ weight }) => weight !== 0).length;
  const floor = options.floor ?? Math.min(1, weighed === 0 ? 0 : (FLOOR * size) / weighed);
  const probabilities = drawProbabilities(
    ordered.map(({ weight }) => weight),
    ordered.map(({ spread }) => spread),
    size,
    floor,
  );
  // One number for each pair, drawn or not, so that a larger size keeps what a smaller one has.
  const random = seededRandom(seed);
  const drawn = ordered.flatMap(({ queryId, item, weight }, at) => {
    const probability = probabilities[at] as number;
    return random() < probability ? [{ query_id: queryId, item, weight, probability }] : [];
  });
  // A query is in it as soon as one of its pairs is.
  const without = new Map<string, number>();
  ordered.forEach(({ queryId }, at) =>
    without.set(queryId, (without.get(queryId) ?? 1) * (1 - (probabilities[at] as number))),
  );
  const has = new Set(drawn.map(({ query_id }) => query_id));
  return {
    ...headOf(options, seed, "estimate", "pair"),
    frame: queries.map(({ id, stratum = ALL }) => ({ query_id: id, stratum })),
    strata: [...groupBy(queries, ({ stratum = ALL }) => stratum)].map(([name, all]) => ({
      name,
      queries: all.length,
      drawn: all.filter(({ id }) => has.has(id)).length,
    })),
    drawn: queries
      .filter(({ id }) => has.has(id))
      .map(({ id, query, stratum = ALL }) => ({
        query_id: id,
        query,
        stratum,
        probability: Math.min(1, 1 - (without.get(id) as number)),
      })),
    pairs: drawn,
  };
}

/**
 * What people have still to label of a sample's queries, so that it can be used: nothing is drawn, and the
 * probabilities of the queries stay those of the sample.
 *
 * @param wanted pairs that lack a person's label; those of other queries are left out.
 */
export function completeSample(
  sample: AuditSample,
  wanted: readonly Pick<WeightedPair, "queryId" | "item">[],
  { sampleId, createdAt }: Pick<SampleSource, "sampleId" | "createdAt">,
): AuditSample {
  const ids = new Set(sample.drawn.map(({ query_id }) => query_id));
  const pairs = wanted.filter(({ queryId }) => ids.has(queryId));
  const open = new Set(pairs.map(({ queryId }) => queryId));
  return {
    ...sample,
    sample_id: sampleId,
    created_at: createdAt,
    purpose: "complete",
    unit: "pair",
    drawn: sample.drawn.filter(({ query_id }) => open.has(query_id)),
    pairs: pairs.map(({ queryId, item }) => ({ query_id: queryId, item, weight: null, probability: 1 })),
  };
}

/**
 * A record of pairs that were chosen, and not drawn: nothing follows from what people say of them for other
 * queries, so that no estimate takes it for a sample.
 */
export function chooseSample(pairs: readonly WeightedPair[], source: SampleSource): AuditSample {
  return {
    ...headOf(source, 0, "next", "pair"),
    frame: [],
    strata: [],
    drawn: [],
    pairs: pairs.map(({ queryId, item, weight }) => ({
      query_id: queryId,
      item,
      weight,
      probability: null,
    })),
  };
}

/** The fields that every sample begins with. */
function headOf(
  { dataset, tenant, sampleId, createdAt }: SampleSource,
  seed: number,
  purpose: AuditSample["purpose"],
  unit: AuditSample["unit"],
): Pick<
  AuditSample,
  "schema_version" | "kind" | "sample_id" | "dataset" | "tenant" | "created_at" | "seed" | "purpose" | "unit"
> {
  return {
    schema_version: 1,
    kind: "audit_sample",
    sample_id: sampleId,
    dataset,
    tenant,
    created_at: createdAt,
    seed,
    purpose,
    unit,
  };
}

/**
 * By share, at least {@link FEWEST} where there are as many: one query after the other to the stratum that
 * lacks most, by the divisors of Webster and Sainte-Laguë. A larger size never takes one from a stratum,
 * which largest remainders do.
 */
function sharesOf(
  byStratum: ReadonlyMap<string, readonly SampledQuery[]>,
  size: number,
): ReadonlyMap<string, number> {
  wholeNumber("size", size);
  const strata = [...byStratum].map(([name, { length }]) => ({ name, all: length }));
  const whole = strata.reduce((sum, { all }) => sum + all, 0);
  if (size > whole)
    throw new InputError(
      "ARGUMENT",
      `the sample must have at most the ${whole} queries of the dataset, got ${size}`,
    );
  const isOne = strata.length === 1;
  const counts = new Map(strata.map(({ name, all }) => [name, isOne ? size : Math.min(all, FEWEST)]));
  let drawn = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (drawn > size)
    throw new InputError(
      "ARGUMENT",
      `${size} queries are too few for ${strata.length} kinds: at least ${FEWEST} of each, ${drawn} in all`,
    );
  const claim = ({ name, all }: (typeof strata)[number]): number =>
    all === counts.get(name) ? -1 : all / (2 * (counts.get(name) ?? 0) + 1);
  for (; drawn < size; drawn++) {
    const next = strata.reduce((best, stratum) => (claim(stratum) > claim(best) ? stratum : best));
    counts.set(next.name, (counts.get(next.name) ?? 0) + 1);
  }
  return counts;
}

function checkCounts(
  byStratum: ReadonlyMap<string, readonly SampledQuery[]>,
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  for (const name of counts.keys())
    if (!byStratum.has(name)) throw new InputError("ARGUMENT", `no query is of the kind ${quote(name)}`);
  for (const [name, { length }] of byStratum) {
    const count = counts.get(name);
    if (count === undefined || !Number.isInteger(count) || count < Math.min(length, FEWEST) || count > length)
      throw new InputError(
        "ARGUMENT",
        `counts must have a whole number from ${Math.min(length, FEWEST)} to ${length} for the kind ` +
          `${quote(name)}, got ${quote(count)}`,
      );
  }
  return counts;
}

/**
 * By the order of the draw, whatever the order in which they are given. Each kind has an order of its own:
 * one for all would draw parallel queries together, such as translations, and make intervals too short.
 */
function inOrderOfDraw(queries: readonly SampledQuery[], seed: number, stratum: string): SampledQuery[] {
  const ordered = [...queries].sort((a, b) => compareIds(a.id, b.id));
  return shuffle(ordered, seededRandom(stratum === ALL ? seed : seed + textHash(stratum)));
}
