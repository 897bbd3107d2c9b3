import { InputError, quote } from "../foundation/errors/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { ascending, seededRandom, shuffle } from "../foundation/numbers/index.js";
import type { BenchReport, SampleRow } from "../records/index.js";
import { checkSeed, wholeNumber } from "../foundation/checks/index.js";
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

/** Queries of a sheet, where there are as many. */
const QUERIES = 20;
/** Hits of each mode on a sheet. */
export const SAMPLED_HITS = 3;

/** How many queries a sheet should have: those that no mode found anything for cannot be looked at. */
export function queriesDue({ modes }: Pick<BenchReport, "modes">): number {
  return Math.min(QUERIES, listAnsweredCases(modes).size);
}

function listAnsweredCases(modes: BenchReport["modes"]): Set<string> {
  return new Set(
    modes.flatMap(({ per_case }) =>
      per_case.filter(({ ranked }) => ranked.length > 0).map(({ case_id }) => case_id),
    ),
  );
}

/**
 * The hits that a person should look at: of some queries, spread over the query types, the first hits of
 * every mode, each once, in an order that tells nothing of the modes. The same report and seed give the same
 * sheet.
 *
 * @throws InputError `ARGUMENT` for a report of another fixture, and for numbers that are not possible.
 */
export function sampleSheet(
  fixture: BenchFixture,
  report: BenchReport,
  { queries = QUERIES, hits = SAMPLED_HITS, seed = 1 }: SampleSheetOptions = {},
): SampleRow[] {
  if (fixture.digest !== report.fixture.digest)
    throw new InputError(
      "ARGUMENT",
      `the report was made on the fixture with digest ${quote(report.fixture.digest)}, got one ` +
        `with ${quote(fixture.digest)}; give the fixture of the report`,
    );
  wholeNumber("queries", queries);
  wholeNumber("hits", hits);
  const random = seededRandom(checkSeed(seed));
  const answered = listAnsweredCases(report.modes);
  const textOf = clipText(fixture);
  const found = collectPassages(report, hits);
  return representative(
    fixture.cases.filter(({ case_id }) => answered.has(case_id)),
    queries,
    random,
  ).flatMap(({ case_id, query_type, query }) => {
    const items = found.get(case_id) ?? new Map<string, Set<string>>();
    return shuffle([...items.keys()].sort(compareIds), random).map((item) => ({
      case_id,
      query_type,
      query,
      item,
      text: textOf(item, [...(items.get(item) ?? [])]),
      label: null,
    }));
  });
}

/** By case the items among the first hits of any mode, each with the passages that it was found by. */
function collectPassages({ modes }: BenchReport, hits: number): Map<string, Map<string, Set<string>>> {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const { per_case } of modes) {
    for (const { case_id, ranked, passages } of per_case) {
      let items = found.get(case_id);
      if (items === undefined) found.set(case_id, (items = new Map<string, Set<string>>()));
      for (const [at, item] of ranked.slice(0, hits).entries())
        items.set(item, (items.get(item) ?? new Set<string>()).add(passages?.[at] ?? item));
    }
  }
  return found;
}

/**
 * What a person reads of an item: its title, and the passages that were found, in the order of the document.
 */
function clipText({ chunks }: BenchFixture): (item: string, passages: readonly string[]) => string {
  const places = new Map(chunks.map(({ chunk_id }, place) => [chunk_id, place]));
  return (item, passages) => {
    const found = passages
      .flatMap((id) => places.get(id) ?? places.get(item) ?? [])
      .sort(ascending)
      .map((place) => chunks[place]);
    const title = found[0]?.title ?? "";
    return [...(title === "" ? [] : [title]), ...found.flatMap((chunk) => chunk?.text ?? [])].join("\n");
  };
}

/** Cases drawn by turns from each query type, in the order of the fixture. */
function representative(
  cases: BenchFixture["cases"],
  count: number,
  random: () => number,
): BenchFixture["cases"] {
  const drawn = [...groupBy(cases, ({ query_type }) => query_type).values()].map((group) =>
    shuffle(group, random),
  );
  const chosen = new Set<BenchFixture["cases"][number]>();
  for (let turn = 0; chosen.size < Math.min(count, cases.length); turn++) {
    for (const group of drawn) {
      const one = group[turn];
      if (one !== undefined && chosen.size < count) chosen.add(one);
    }
  }
  return cases.filter((one) => chosen.has(one));
}
