import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { KeptProbeAnswers, ProbeAnswer } from "../../audit/index.js";
import { makeFolderFor, readText, writeError } from "../../files/index.js";
import { auditsFolder } from "./audit-files.js";

const ANSWERS = "probe-answers.jsonl";

/** What judges answered when they were tried, from one time to the next. */
export interface ProbeAnswersFile extends KeptProbeAnswers {
  readonly path: string;
  /** Answers that were there and have been used. */
  readonly used: number;
}

/**
 * Keeps what judges answer to probes, a line each as it comes:
 * `datasets/<dataset>/audits/probe-answers.jsonl`. A line that a killed process left unfinished is passed
 * over, and asked for again.
 */
export function openProbeAnswers(artifacts: string, dataset: string): ProbeAnswersFile {
  const path = join(auditsFolder(artifacts, dataset), ANSWERS);
  const known = new Map(linesOf(path).flatMap(answerIn));
  let used = 0;
  return {
    path,
    get used() {
      return used;
    },
    read(key) {
      const answer = known.get(key);
      if (answer !== undefined) used++;
      return answer;
    },
    keep(key, answer) {
      known.set(key, answer);
      makeFolderFor(path, path);
      try {
        // A line of its own, whatever a killed process left behind it.
        appendFileSync(path, `\n${JSON.stringify({ key, answer })}\n`);
      } catch (error) {
        throw writeError(path, error);
      }
    },
  };
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readText(path).split("\n") : [];
}

function answerIn(line: string): [string, ProbeAnswer][] {
  try {
    const { key, answer } = JSON.parse(line) as { key?: unknown; answer?: Partial<ProbeAnswer> };
    const isAnswer = typeof key === "string" && typeof answer?.outcome === "string" && "grade" in answer;
    return isAnswer ? [[key, answer as ProbeAnswer]] : [];
  } catch {
    return [];
  }
}
