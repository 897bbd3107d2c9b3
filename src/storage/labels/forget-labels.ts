import type { SqlConnection } from "../sqlite/connection.js";
import { FILTER_FIELDS, type AssessmentFilter } from "./label-store.js";

/** Assessments with the columns that filters look at. */
export const ASSESSED =
  "assessments JOIN queries ON queries.id = query_id JOIN raters ON raters.id = rater_id";

/** The column of each field of a filter. */
const COLUMNS = { tenant: "tenant", query: "query", item: "item", rater: "identity" } as const;

/** The condition of a filter, of some of its fields. */
export function conditionOf(
  filter: AssessmentFilter,
  among: readonly (keyof AssessmentFilter)[],
): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const fields = among.filter((field) => filter[field] !== undefined);
  const where = fields.map((field) => `${COLUMNS[field]} = ?`).join(" AND ");
  return {
    where: where === "" ? "" : ` WHERE ${where}`,
    values: fields.map((field) => filter[field] as string),
  };
}

/** Removes what fits for good, and what is of nothing else. @returns how many assessments it were. */
export function forgetIn(db: SqlConnection, filter: AssessmentFilter): number {
  const isNamed = (field: keyof AssessmentFilter): boolean => filter[field] !== undefined;
  const { where, values } = conditionOf(filter, FILTER_FIELDS);
  const found = db.rows(`SELECT assessments.id FROM ${ASSESSED}${where}`, values);
  db.runEach(
    "DELETE FROM assessments WHERE id = ?",
    found.map(({ id }) => [id as number]),
  );
  if (!isNamed("item")) db.runEach(`DELETE FROM profiles${where}`, [values]);
  const ofTenant = conditionOf(filter, ["tenant"]);
  if (!isNamed("query") && !isNamed("item") && !isNamed("rater"))
    db.runEach(`DELETE FROM builds${ofTenant.where}`, [ofTenant.values]);
  if (!isNamed("rater")) {
    const items = isNamed("item") ? " AND item_id = (SELECT id FROM items WHERE item = ?)" : "";
    const queries = conditionOf(filter, ["tenant", "query"]);
    db.runEach(
      `DELETE FROM rerank_scores WHERE query_id IN (SELECT id FROM queries${queries.where})${items}`,
      [[...queries.values, ...(filter.item === undefined ? [] : [filter.item])]],
    );
  }
  if (!isNamed("rater") && !isNamed("query")) {
    if (filter.item === undefined) forgetCorpora(db, ofTenant.where, ofTenant.values);
    else
      db.runEach(
        `DELETE FROM documents WHERE corpus_id IN (SELECT id FROM corpora${ofTenant.where}) AND item = ?`,
        [[...ofTenant.values, filter.item]],
      );
  }
  db.exec(`DELETE FROM queries WHERE id NOT IN (SELECT query_id FROM assessments)
  AND id NOT IN (SELECT query_id FROM rerank_scores);
DELETE FROM raters WHERE id NOT IN (SELECT rater_id FROM assessments);
DELETE FROM items WHERE id NOT IN (SELECT item_id FROM rerank_scores);
DELETE FROM rerankers WHERE id NOT IN (SELECT reranker_id FROM rerank_scores);`);
  return found.length;
}

/** Removes copies of corpora that a condition fits. */
export function forgetCorpora(db: SqlConnection, where: string, values: readonly string[]): void {
  db.runEach(`DELETE FROM documents WHERE corpus_id IN (SELECT id FROM corpora${where})`, [values]);
  db.runEach(`DELETE FROM corpora${where}`, [values]);
}
