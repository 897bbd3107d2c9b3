import { appendFileSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { isRankproofError } from "../index.js";
import type { Surroundings } from "../files/index.js";
import { contentOf, STANDARD_INPUT } from "../node/evaluate/index.js";
import {
  renderGithubAnnotations,
  renderStepSummary,
  type AnnotationOptions,
  type CiFindings,
} from "../report/index.js";
import { plainLine, type Terminal } from "./terminal.js";

/**
 * Annotations on stderr, where GitHub reads them, too, and the step summary: only where the environment says
 * so.
 */
export function writeGithubOutputs(
  findings: CiFindings,
  terminal: Terminal,
  places: AnnotationOptions = {},
): void {
  const { GITHUB_STEP_SUMMARY } = terminal.env;
  if (isOnGithub(terminal)) {
    for (const line of renderGithubAnnotations(findings, places).trimEnd().split("\n"))
      if (line !== "") terminal.command(line);
  }
  if (GITHUB_STEP_SUMMARY === undefined || GITHUB_STEP_SUMMARY === "") return;
  const summary = renderStepSummary(findings);
  try {
    appendFileSync(GITHUB_STEP_SUMMARY, summary);
  } catch (error) {
    // Nobody asked for it by name, so that it decides nothing.
    terminal.warn(
      `${GITHUB_STEP_SUMMARY}: the step summary cannot be written: ` +
        plainLine(error instanceof Error ? error.message : String(error)),
    );
  }
}

function isOnGithub({ env }: Surroundings): boolean {
  return env["GITHUB_ACTIONS"] === "true";
}

/**
 * Where the queries of a golden set stand, for annotations; nothing outside of GitHub, and for judgments that
 * are no golden set.
 *
 * @param path undefined where there is none.
 */
export async function queryPlaces(
  path: string | undefined,
  around: Surroundings,
): Promise<AnnotationOptions> {
  // Lines of a packed file are not those of the file in the repository.
  if (!isOnGithub(around) || path === undefined || path === STANDARD_INPUT || path.endsWith(".gz")) return {};
  const root = around.env["GITHUB_WORKSPACE"];
  const file = root === undefined || root === "" ? path : relative(root, resolve(around.cwd, path));
  if (file.startsWith("..") || isAbsolute(file)) return {};
  const { goldenLines, isGoldenFile } = await import("../formats/index.js");
  try {
    const content = await contentOf(path);
    return isGoldenFile(content, path) ? { queries: { file, lines: goldenLines(content, path) } } : {};
  } catch (error) {
    // It was read already; a note without its place is better than none.
    if (isRankproofError(error)) return {};
    throw error;
  }
}
