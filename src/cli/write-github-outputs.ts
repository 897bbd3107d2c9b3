import { appendFileSync } from "node:fs";
import { AdapterError } from "../index.js";
import { renderGithubAnnotations, renderStepSummary, type CiFindings } from "../report/index.js";
import type { Terminal } from "./terminal.js";

/**
 * Annotations on stderr, where GitHub reads them, too, and the step summary: only where the environment says
 * so.
 */
export function writeGithubOutputs(findings: CiFindings, terminal: Terminal): void {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  if (GITHUB_ACTIONS === "true") {
    for (const line of renderGithubAnnotations(findings).trimEnd().split("\n"))
      if (line !== "") terminal.command(line);
  }
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  const summary = renderStepSummary(findings);
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, summary);
  } catch (error) {
    throw new AdapterError(
      "FILE_UNWRITABLE",
      `${GITHUB_STEP_SUMMARY}: the step summary cannot be written: ` +
        `${error instanceof Error ? error.message : String(error)}`,
      { path: GITHUB_STEP_SUMMARY },
      error,
    );
  }
}
