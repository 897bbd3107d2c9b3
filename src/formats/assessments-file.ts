import { InputError, throwProblems, type Problem } from "../foundation/errors/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { shapeProblems, type Assessment } from "../records/index.js";
import { assessmentSchema } from "../records/schema/index.js";
import { NO_LABELS } from "./label-sheet.js";
import { eachJsonLine } from "./jsonl.js";
import { locateIn } from "./located.js";
import { headOf, refuseUtf16 } from "./decode-text.js";

/**
 * Reads assessments: JSONL, one a line. Unknown fields are kept.
 *
 * @throws InputError `LABEL_SHAPE` with every problem, each with line and column.
 */
export function parseAssessments(source: string | Uint8Array, file = "labels"): Assessment[] {
  const head = headOf(source, file);
  if (typeof source !== "string") refuseUtf16(source, file);
  // What is no UTF-8 is told with its line.
  if (/^\s*[^{\s\ufffd]/.test(head)) throw new InputError("LABEL_SHAPE", `${file}: is ${NO_LABELS}`);
  const assessments: Assessment[] = [];
  const misshapen: Problem[] = [];
  const problems = eachJsonLine(source, file, "LABEL_SHAPE", ({ value, lineOffset, located }) => {
    const whole = restoreAssessment(value);
    const found = shapeProblems(assessmentSchema, whole, {
      code: "LABEL_SHAPE",
      locate: (path, key) => locateIn(located(), file, lineOffset)(path, key),
    });
    misshapen.push(...found);
    if (found.length === 0) assessments.push({ vote: 1, ...(whole as object) } as Assessment);
  });
  throwProblems([...problems, ...misshapen]);
  return assessments;
}

/**
 * As it was before it went through a table, which has no cell where nothing was graded, and so no grade that
 * is null, and may have finer times.
 */
function restoreAssessment(value: unknown): unknown {
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
  return [...assessmentLines(assessments)].join("");
}

/** {@link formatAssessments} line by line: a store may hold more than fits into one text. */
export function* assessmentLines(assessments: readonly Assessment[]): Iterable<string> {
  const sorted = assessments.toSorted(
    (a, b) => compareIds(a.tenant, b.tenant) || compareIds(a.query, b.query) || compareIds(a.item, b.item),
  );
  for (const assessment of sorted) yield `${canonicalJson(assessment)}\n`;
}
