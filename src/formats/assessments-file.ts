import { InputError, throwProblems } from "../foundation/errors/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { shapeProblems, type Assessment } from "../records/index.js";
import { assessmentSchema } from "../records/schema/index.js";
import { NO_LABELS } from "./label-sheet.js";
import { jsonLines } from "./jsonl.js";
import { locateIn } from "./located.js";
import { textOf } from "./decode-text.js";

/**
 * Reads assessments: JSONL, one a line. Unknown fields are kept.
 *
 * @throws InputError `LABEL_SHAPE` with every problem, each with line and column.
 */
export function parseAssessments(source: string | Uint8Array, file = "labels"): Assessment[] {
  const text = textOf(source, file);
  if (/^\s*[^{\s]/.test(text)) throw new InputError("LABEL_SHAPE", `${file}: is ${NO_LABELS}`);
  const { lines, problems } = jsonLines(text, file, "LABEL_SHAPE");
  for (const { value, lineOffset, located } of lines)
    problems.push(
      ...shapeProblems(assessmentSchema, mended(value), {
        code: "LABEL_SHAPE",
        locate: (path, key) => locateIn(located(), file, lineOffset)(path, key),
      }),
    );
  throwProblems(problems);
  return lines.map(({ value }) => ({ vote: 1, ...(mended(value) as object) }) as Assessment);
}

/**
 * As it was before it went through a table, which has no cell where nothing was graded, and so no grade that
 * is null, and may have finer times.
 */
function mended(value: unknown): unknown {
  const { outcome, grade, at } = (value ?? {}) as Partial<Record<"outcome" | "grade" | "at", unknown>>;
  const isUngraded = typeof outcome === "string" && outcome !== "graded" && grade === undefined;
  const [, inMilliseconds] = (typeof at === "string" && /^(.+\.\d{3})\d{1,6}Z$/.exec(at)) || [];
  if (!isUngraded && inMilliseconds === undefined) return value;
  return {
    ...(value as object),
    ...(isUngraded && { grade: null }),
    ...(inMilliseconds !== undefined && { at: `${inMilliseconds}Z` }),
  };
}

/**
 * Assessments as JSONL, one a line: by tenant, query and item, those of one pair in their order. The same
 * assessments give the same bytes, whichever store they come from.
 */
export function formatAssessments(assessments: readonly Assessment[]): string {
  return [...assessments]
    .sort(
      (a, b) => compareIds(a.tenant, b.tenant) || compareIds(a.query, b.query) || compareIds(a.item, b.item),
    )
    .map((assessment) => `${canonicalJson(assessment)}\n`)
    .join("");
}
