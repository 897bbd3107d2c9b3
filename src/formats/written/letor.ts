import { InputError } from "../../foundation/errors/index.js";
import type { EvalRun, Qrel } from "../../records/index.js";
import { linesOf, trecField } from "./written-format.js";

/**
 * Hits with `features` as LETOR (SVMlight) lines, `grade qid:query 1:value … # item`, for training a ranker.
 * Features are numbered by name; the first line names them. Unjudged hits are left out.
 */
export function formatLetor(run: EvalRun, judgments: readonly Qrel[]): string {
  const grades = new Map(
    judgments.map(({ query_id, doc_id, grade }) => [JSON.stringify([query_id, doc_id]), grade]),
  );
  const names = [
    ...new Set(
      run.results.flatMap(({ hits_top_k }) =>
        hits_top_k.flatMap(({ features }) => Object.keys(features ?? {})),
      ),
    ),
  ].sort();
  const numbered = names.map((name, index) => `${index + 1}=${name.replace(/[\r\n]/g, " ")}`);
  const header = `# features: ${numbered.join(" ")}`;
  const rows = run.results.flatMap(({ query_id, hits_top_k }) =>
    hits_top_k.flatMap(({ doc_id, features }) => {
      const grade = grades.get(JSON.stringify([query_id, doc_id]));
      if (grade === undefined || features === undefined || features === null) return [];
      const values = new Map(Object.entries(features));
      const pairs = names.flatMap((name, index) => {
        const value = values.get(name);
        return value === undefined ? [] : [`${index + 1}:${value}`];
      });
      const comment = `# ${doc_id.replace(/[\r\n]/g, " ")}`;
      return [[grade, `qid:${trecField(query_id, "query id")}`, pairs.join(" "), comment].join(" ")];
    }),
  );
  if (rows.length === 0)
    throw new InputError(
      "ARGUMENT",
      "no judged hit has `features`; LETOR lines are made from hits with features and judgments",
    );
  return [...linesOf([header, ...rows], (line) => line)].join("");
}
