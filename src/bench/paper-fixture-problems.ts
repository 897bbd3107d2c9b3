import type { TextChunk } from "../chunk/index.js";
import { quote, type Problem } from "../foundation/errors/index.js";
import { nearestHint } from "../foundation/ids/index.js";
import type { FixtureCase, Locate, PaperFixture, Path } from "../records/index.js";

/**
 * Where a fixture contradicts itself, all of it: ids that are duplicated, judgments of what its papers do not
 * have, expectations without judgments.
 *
 * @param chunks of each paper, in the order of the papers.
 */
export function paperFixtureProblems(
  { papers, cases }: PaperFixture,
  chunks: readonly (readonly TextChunk[])[],
  locate: Locate,
): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (path, message) =>
    void problems.push({ code: "FIXTURE_CHECK", ...locate(path), message });
  if (papers.length === 0) report(["papers"], "there are no papers; add what is to be searched");
  if (cases.length === 0) report(["cases"], "there are no cases; add judged queries");

  const known = new KnownRefs();
  papers.forEach(({ paper_id }, index) => {
    const id = String(paper_id);
    if (known.refsOf(id) !== undefined)
      report(
        ["papers", index, "paper_id"],
        `paper_id ${quote(id)} is duplicated; every paper needs an id of its own`,
      );
    else
      for (const ref of known.add(id, chunks[index] ?? []))
        report(
          ["papers", index],
          `chunk_ref ${quote(ref)} is made twice, by two sections or papers; rename one of them`,
        );
  });
  const seen = new Set<string>();
  cases.forEach((each, index) => {
    if (seen.has(each.case_id))
      report(
        ["cases", index, "case_id"],
        `case_id ${quote(each.case_id)} is duplicated; every case needs an id of its own`,
      );
    seen.add(each.case_id);
    checkCase(each, known, (path, message) =>
      report(["cases", index, ...path], `case ${quote(each.case_id)}: ${message}`),
    );
  });
  return problems;
}

type Report = (path: Path, message: string) => void;

/** The chunk references that cutting the papers gives. */
class KnownRefs {
  readonly #byPaper = new Map<string, Set<string>>();
  readonly #paperOf = new Map<string, string>();

  /** @returns references that were there already. */
  add(paperId: string, chunks: readonly TextChunk[]): string[] {
    const refs = new Set<string>();
    this.#byPaper.set(paperId, refs);
    return chunks.flatMap(({ chunk_id }) => {
      if (this.#paperOf.has(chunk_id)) return [chunk_id];
      this.#paperOf.set(chunk_id, paperId);
      refs.add(chunk_id);
      return [];
    });
  }

  refsOf(paperId: string): ReadonlySet<string> | undefined {
    return this.#byPaper.get(paperId);
  }

  paperOf(ref: string): string | undefined {
    return this.#paperOf.get(ref);
  }

  papers(): Iterable<string> {
    return this.#byPaper.keys();
  }
}

function checkCase(
  { judgments, expected_chunk_refs = [], expected_paper_ids = [] }: FixtureCase,
  known: KnownRefs,
  report: Report,
): void {
  if (judgments.length === 0)
    report(["judgments"], "there are no judgments; add those of the chunks that answer it");
  const gradeOfRef = new Map<string, number>();
  const gradeOfPaper = new Map<string, number>();
  judgments.forEach(({ paper_id, chunk_ref, relevance }, index) => {
    const paperId = String(paper_id);
    if (gradeOfRef.has(chunk_ref))
      report(
        ["judgments", index, "chunk_ref"],
        `chunk_ref ${quote(chunk_ref)} is judged twice; keep one of the judgments`,
      );
    else
      checkJudged(paperId, chunk_ref, known, (path, message) =>
        report(["judgments", index, ...path], message),
      );
    gradeOfRef.set(chunk_ref, relevance);
    gradeOfPaper.set(paperId, Math.max(relevance, gradeOfPaper.get(paperId) ?? 0));
  });
  checkExpected("expected_chunk_refs", expected_chunk_refs, gradeOfRef, report);
  checkExpected("expected_paper_ids", expected_paper_ids.map(String), gradeOfPaper, report);
}

function checkJudged(paperId: string, ref: string, known: KnownRefs, report: Report): void {
  const refs = known.refsOf(paperId);
  if (refs === undefined) {
    report(
      ["paper_id"],
      `paper_id ${quote(paperId)} is none of the papers${nearestHint(paperId, known.papers())}`,
    );
  } else if (!refs.has(ref)) {
    const owner = known.paperOf(ref);
    if (owner === undefined)
      report(
        ["chunk_ref"],
        `chunk_ref ${quote(ref)} is none of the ${refs.size} chunks of paper ` +
          `${quote(paperId)}${nearestHint(ref, refs)}`,
      );
    else
      report(
        ["paper_id"],
        `chunk_ref ${quote(ref)} is a chunk of paper ${quote(owner)}, got paper_id ` +
          `${quote(paperId)}; name the paper that it is of`,
      );
  }
}

function checkExpected(
  field: "expected_chunk_refs" | "expected_paper_ids",
  ids: readonly string[],
  grades: ReadonlyMap<string, number>,
  report: Report,
): void {
  ids.forEach((id, index) => {
    const grade = grades.get(id);
    if (grade === undefined)
      report([field, index], `${quote(id)} is expected, but has no judgment; add one, or do not expect it`);
    else if (grade === 0)
      report([field, index], `${quote(id)} is expected, but judged 0, not relevant; change one of the two`);
  });
}
