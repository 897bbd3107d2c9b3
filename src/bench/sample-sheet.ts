import { InputError, shown } from "../errors.js";
import { seededRandom } from "../numbers/index.js";
import type { BenchReport, SampleRow } from "../schema/index.js";
import type { BenchFixture } from "./bench-fixture.js";

/** How a sheet is drawn. */
export interface SampleSheetOptions {
  /** Default 20. */
  readonly queries?: number | undefined;
  /** Hits of each mode, from the top. Default 3. */
  readonly hits?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

const QUERIES = 20;
const HITS = 3;

/**
 * The hits that a person should look at: of some queries, spread over the query types, the first hits of every mode, each once, in an order that tells
 * nothing of the modes. The same report and seed give the same sheet.
 *
 * @throws InputError `ARGUMENT` for a report of another fixture, and for numbers that are not possible.
 */
export function sampleSheet(fixture: BenchFixture, report: BenchReport, { queries = QUERIES, hits = HITS, seed = 1 }: SampleSheetOptions = {}): SampleRow[] {
  if (fixture.digest !== report.fixture.digest) throw new InputError("ARGUMENT", `the report was made on the fixture with digest ${shown(report.fixture.digest)}, got one with ${shown(fixture.digest)}; give the fixture of the report`);
  for (const [name, value] of Object.entries({ queries, hits })) if (!Number.isSafeInteger(value) || value < 1) throw new InputError("ARGUMENT", `${name} must be a whole number from 1, got ${shown(value)}`);
  if (!Number.isSafeInteger(seed)) throw new InputError("ARGUMENT", `seed must be a whole number, got ${shown(seed)}`);
  const random = seededRandom(seed);
  const texts = new Map<string, string>();
  for (const { chunk_id, doc_id, title = "", text } of fixture.chunks) {
    const item = fixture.unit === "chunk" ? chunk_id : doc_id;
    // Of a document the first chunk is enough to tell what it is about.
    if (!texts.has(item)) texts.set(item, title === "" ? text : `${title}\n${text}`);
  }
  const found = new Map(fixture.cases.map(({ case_id }) => [case_id, new Set<string>()]));
  for (const { per_case } of report.modes) for (const { case_id, ranked } of per_case) for (const item of ranked.slice(0, hits)) found.get(case_id)?.add(item);
  return representative(fixture.cases, queries, random).flatMap(({ case_id, query_type, query }) =>
    shuffled([...(found.get(case_id) ?? [])].sort(), random).map((item) => ({ case_id, query_type, query, item, text: texts.get(item) ?? "", label: null })),
  );
}

/** Cases drawn by turns from each query type, in the order of the fixture. */
function representative(cases: BenchFixture["cases"], count: number, random: () => number): BenchFixture["cases"] {
  const byType = new Map<string, BenchFixture["cases"][number][]>();
  for (const one of cases) byType.set(one.query_type, [...(byType.get(one.query_type) ?? []), one]);
  const drawn = [...byType.values()].map((group) => shuffled(group, random));
  const chosen = new Set<BenchFixture["cases"][number]>();
  for (let turn = 0; chosen.size < Math.min(count, cases.length); turn++) {
    for (const group of drawn) {
      const one = group[turn];
      if (one !== undefined && chosen.size < count) chosen.add(one);
    }
  }
  return cases.filter((one) => chosen.has(one));
}

/** Fisher and Yates. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
