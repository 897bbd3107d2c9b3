import { checkFindings, type CiFindings } from "./ci-findings.js";
import { gateSection } from "./gate-section.js";
import { renderReportMd } from "./render-report-md.js";

/** How a step summary is written. */
export interface StepSummaryOptions {
  /** Most rows of each table of queries. Default 50. */
  readonly maxRows?: number | undefined;
  /** Where it is cut, in bytes of UTF-8. Default 1 MiB, beyond which GitHub refuses the whole of it. */
  readonly maxBytes?: number | undefined;
}

const MOST_ROWS = 50;
const MOST_BYTES = 1024 * 1024;
const CUT_NOTE = "\n_Cut here: a step summary has no more room. The report has everything._\n";

/**
 * A step summary for GitHub Actions, in its Markdown: what the gate says, what the comparison comes to, the
 * metrics, and the queries that got worse.
 */
export function renderStepSummary(
  findings: CiFindings,
  { maxRows = MOST_ROWS, maxBytes = MOST_BYTES }: StepSummaryOptions = {},
): string {
  checkFindings(findings);
  const { gate, comparison } = findings;
  const text =
    comparison == null
      ? gate == null
        ? "\n"
        : `${gateSection(gate)}\n`
      : renderReportMd(comparison, { maxRows, gate });
  return cutToBytes(text, maxBytes);
}

/**
 * A text of no more than so many bytes of UTF-8, cut behind a line, so that neither a row nor a character is
 * halved.
 */
function cutToBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  const end = bytes.lastIndexOf(0x0a, Math.max(0, limit - CUT_NOTE.length - 1));
  return new TextDecoder().decode(bytes.subarray(0, end + 1)) + CUT_NOTE;
}
