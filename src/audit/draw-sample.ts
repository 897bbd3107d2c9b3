import { wholeNumber } from "../foundation/checks/index.js";
import { groupedBy } from "../foundation/columns/index.js";
import { InputError } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { seededRandom } from "../foundation/numbers/index.js";
import type { AuditSample } from "../records/index.js";

/** A query that may be drawn. */
export interface SampledQuery {
  readonly id: string;
  /** Its text, as labels are kept under it. */
  readonly query: string;
  /** What kind it is of; `all` unless given. */
  readonly stratum?: string | undefined;
}

/** How queries are drawn, and for whom. */
export interface SampleOptions {
  readonly dataset: string;
  readonly tenant: string;
  /** Queries that people will label. */
  readonly size: number;
  readonly seed: number;
  readonly sampleId: string;
  /** When, in UTC. */
  readonly createdAt: string;
}

/** Fewer of a kind have no variance. */
const FEWEST = 2;

/**
 * Draws whole queries for people to label, without replacement: of each stratum by its share, at least 2. The
 * order of the draw depends on the seed and on the ids alone, so that without strata a larger
 * sample of the same seed holds the smaller one, and no label is lost.
 *
 * Whole queries, since terms of one query cancel in its metrics: pairs drawn uniformly would cost more labels
 * for the same certainty.
 *
 * @throws InputError `ARGUMENT` for a size that is none, and for more than there are.
 */
export function drawSample(queries: readonly SampledQuery[], options: SampleOptions): AuditSample {
  const { dataset, tenant, size, seed, sampleId, createdAt } = options;
  wholeNumber("size", size);
  const frame = queries.map(({ id, stratum = "all" }) => ({ query_id: id, stratum }));
  const byStratum = groupedBy(queries, ({ stratum = "all" }) => stratum);
  if (size > queries.length)
    throw new InputError(
      "ARGUMENT",
      `the sample must have at most the ${queries.length} queries of the dataset, got ${size}`,
    );
  const counts = sharesOf(
    [...byStratum].map(([, all]) => all.length),
    size,
  );
  const strata = [...byStratum].map(([name, all], at) => ({ name, all, drawn: counts[at] as number }));
  return {
    schema_version: 1,
    kind: "audit_sample",
    sample_id: sampleId,
    dataset,
    tenant,
    created_at: createdAt,
    seed,
    purpose: "estimate",
    frame,
    strata: strata.map(({ name, all, drawn }) => ({ name, queries: all.length, drawn })),
    drawn: strata.flatMap(({ name, all, drawn }) =>
      inOrderOfDraw(all, seed)
        .slice(0, drawn)
        .map(({ id, query }) => ({ query_id: id, query, stratum: name, probability: drawn / all.length })),
    ),
  };
}

/** By share, of several strata at least {@link FEWEST} each; what is left goes where most is lacking. */
function sharesOf(sizes: readonly number[], size: number): number[] {
  const whole = sizes.reduce((sum, count) => sum + count, 0);
  const counts = sizes.map((count) => (sizes.length === 1 ? 0 : Math.min(count, FEWEST)));
  const least = counts.reduce((sum, count) => sum + count, 0);
  if (size < least)
    throw new InputError(
      "ARGUMENT",
      `${size} queries are too few for ${sizes.length} kinds: at least ${FEWEST} of each, ${least} in all`,
    );
  for (let left = size - least; left > 0; left--) {
    const lack = counts.map((count, at) =>
      count < (sizes[at] as number) ? ((sizes[at] as number) * size) / whole - count : -Infinity,
    );
    const most = lack.indexOf(Math.max(...lack));
    counts[most] = (counts[most] as number) + 1;
  }
  return counts;
}

/** By the order of the draw, whatever the order in which they are given. */
function inOrderOfDraw(queries: readonly SampledQuery[], seed: number): SampledQuery[] {
  const random = seededRandom(seed);
  const order = [...queries].sort((a, b) => compareIds(a.id, b.id));
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as SampledQuery, order[at] as SampledQuery];
  }
  return order;
}
