import type { GradesByQuery, LabelEvidence, QuerySample } from "../compare/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { itemIdOf, normalizeQuery, type Label } from "../label/index.js";
import { rankingOf, resultsByQuery, type EvalRun, type LabelItem, type SearchHit } from "../records/index.js";

/** A query of a dataset. */
export interface BatchQueryText {
  readonly id: string;
  readonly query: string;
}

/** A run whose hits are named as labels name items, and the labels of its queries. */
export interface LabelledRun {
  /** Of the queries that are asked for, and no others; each item once, at its best rank. */
  readonly run: EvalRun;
  /** By query id, then by item; every query is there. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, Label>>;
}

/**
 * Brings a run of a live search and labels together: both name queries and items in ways of their own.
 *
 * @param items of the corpus by id; a hit may name one by either of its ids.
 */
export function attachLabels(
  run: EvalRun,
  queries: readonly BatchQueryText[],
  labels: Iterable<Label>,
  items: ReadonlyMap<string, LabelItem>,
): LabelledRun {
  const results = resultsByQuery(run);
  return {
    run: {
      ...run,
      results: queries.flatMap(({ id }) => {
        const result = results.get(id);
        if (result === undefined) return [];
        return [{ ...result, hits_top_k: nameHits(rankingOf(result.hits_top_k, id).hits, items) }];
      }),
    },
    labels: labelsByQuery(queries, labels),
  };
}

/** Labels as judgments. */
export function labelGradesOf(labels: LabelledRun["labels"]): Map<string, ReadonlyMap<string, number>> {
  return new Map(
    [...labels].map(([id, ofQuery]) => [id, new Map([...ofQuery].map(([item, { grade }]) => [item, grade]))]),
  );
}

function nameHits(hits: readonly SearchHit[], items: ReadonlyMap<string, LabelItem>): SearchHit[] {
  const seen = new Set<string>();
  return hits.flatMap((hit) => {
    const id = itemIdOf(hit, items);
    if (seen.has(id)) return [];
    seen.add(id);
    const isNamed = hit.chunk_id === id && hit.doc_id === id && hit.rank === seen.size;
    return [isNamed ? hit : { ...hit, chunk_id: id, doc_id: id, rank: seen.size }];
  });
}

/** Everything that was said of the queries of a dataset, as far as it counts. */
export interface DatasetJudgments {
  /** People's before the labeler's. */
  readonly labels: readonly Label[];
  /** People's alone. */
  readonly people: readonly Label[];
  /** The labeler's alone. */
  readonly model: readonly Label[];
  /** Identity of the labeler whose labels count; null where it has said nothing. */
  readonly labeler: string | null;
  /** What it is called. */
  readonly labelerName: string;
  readonly labelerModel: string | null;
  /** The queries that were drawn for people; null for none. */
  readonly sample: QuerySample | null;
}

/** What a comparison needs to say how far labels carry. */
export function evidenceOf(
  queries: readonly BatchQueryText[],
  { labels, people, model, labelerName, labelerModel, sample }: DatasetJudgments,
): LabelEvidence {
  const byModel = labels.filter(({ by }) => by === "labeler").length;
  return {
    labeler: labelerName,
    labelerModel,
    counts: { people: labels.length - byModel, model: byModel },
    // Without a sample nothing is looked up in them.
    byPeople: sample === null ? new Map() : gradesBy(queries, people),
    byModel: sample === null ? new Map() : gradesBy(queries, model),
    sample,
  };
}

function gradesBy(queries: readonly BatchQueryText[], labels: readonly Label[]): GradesByQuery {
  return labelGradesOf(labelsByQuery(queries, labels));
}

function labelsByQuery(queries: readonly BatchQueryText[], labels: Iterable<Label>): LabelledRun["labels"] {
  const byText = groupBy(labels, ({ query }) => query);
  return new Map(
    queries.map(({ id, query }) => [
      id,
      new Map((byText.get(normalizeQuery(query)) ?? []).map((label) => [label.item, label])),
    ]),
  );
}
