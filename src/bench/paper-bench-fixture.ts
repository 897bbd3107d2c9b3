import {
  type GivenWarning,
  type Locate,
  type PaperFixture,
  formatPath,
  shapeProblems,
} from "../records/index.js";
import { paperChunker } from "../chunk/index.js";
import { throwProblems } from "../foundation/errors/index.js";
import { paperFixtureSchema } from "../records/schema/index.js";
import type { BenchCase, BenchFixture } from "./bench-fixture.js";
import { fixtureDigest } from "./fixture-digest.js";
import { nothingRelevantWarning } from "./fixture-warnings.js";
import { paperFixtureProblems } from "./paper-fixture-problems.js";

/** What a fixture of papers is called, and where its parts stand. */
export interface PaperFixtureOptions {
  readonly name: string;
  /**
   * Where the parts of a file stand, as `locateBenchFixture` gives it; without it problems are at paths such
   * as `cases[3].judgments[0].chunk_ref`.
   */
  readonly locate?: Locate | undefined;
}

/** The kinds of queries that search by words and search by meaning are good at in different ways. */
const QUERY_TYPES = ["exact", "paraphrase", "term_mismatch", "paper_targeted", "cross_field"];

/**
 * A benchmark over the sections of papers, judged chunk by chunk. Everything is checked before anything is
 * run; kinds of queries that are missing are a warning.
 *
 * @throws InputError `FIXTURE_SHAPE` for what is no fixture, `FIXTURE_CHECK` with every contradiction in it.
 */
export function paperBenchFixture(
  fixture: PaperFixture,
  { name, locate }: PaperFixtureOptions,
): BenchFixture {
  throwProblems(
    shapeProblems(paperFixtureSchema, fixture, {
      code: "FIXTURE_SHAPE",
      locate: locate ?? (() => ({ where: name })),
    }),
  );
  const chunker = paperChunker();
  const byPaper = fixture.papers.map((paper) => chunker.chunk(paper));
  throwProblems(paperFixtureProblems(fixture, byPaper, locate ?? ((path) => ({ where: formatPath(path) }))));

  const { version, description } = fixture;
  const measured = {
    unit: "chunk" as const,
    chunks: byPaper.flat(),
    cases: fixture.cases.map(({ case_id, query, query_type, top_k, judgments }): BenchCase => ({
      case_id,
      query,
      query_type,
      top_k,
      grades: new Map(judgments.map(({ chunk_ref, relevance }) => [chunk_ref, relevance])),
    })),
  };
  return {
    name,
    version: version === undefined || version === null ? null : String(version),
    description: description ?? "",
    chunker_version: chunker.version,
    ...measured,
    warnings: [...missingTypesWarning(measured.cases), ...nothingRelevantWarning(measured.cases)],
    digest: fixtureDigest(measured),
  };
}

function missingTypesWarning(cases: readonly BenchCase[]): GivenWarning[] {
  const there = new Set(cases.map(({ query_type }) => query_type));
  const missing = QUERY_TYPES.filter((type) => !there.has(type));
  return missing.length === 0
    ? []
    : [
        {
          code: "QUERY_TYPES_MISSING",
          message:
            `the fixture has no queries of the type${missing.length === 1 ? "" : "s"} ` +
            `${missing.join(", ")}, and says nothing about them`,
          count: missing.length,
        },
      ];
}
