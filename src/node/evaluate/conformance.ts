import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  mergeAgreements,
  profileAgreement,
  profileNames,
  type PrintedScores,
  type ProfileAgreement,
} from "../../evaluate/index.js";
import { parseTrecQrels, parseTrecRun } from "../../formats/trec/index.js";
import { InputError } from "../../foundation/errors/index.js";
import { contentOf } from "./chunks.js";

/** Where a collection has what a program printed: `expected/FOLDER/RUN` with a suffix. */
const PROGRAMS = [
  { name: "trec_eval 9", folder: "trec_eval", suffix: "" },
  { name: "trec_eval 10", folder: "trec_eval", suffix: ".v10" },
  { name: "ir_measures", folder: "ir_measures", suffix: "" },
  { name: "ranx", folder: "ranx", suffix: "" },
] as const;

/**
 * How far every profile agrees with the programs whose output a collection has.
 *
 * @param folder with `qrels.txt`, the runs in `runs/`, and in `expected/PROGRAM/` a table of scores for each.
 * @throws InputError `FILE_NOT_FOUND` for a folder that has no collection.
 */
export async function conformance(folder: string): Promise<ProfileAgreement[]> {
  const judgments = fileIn(folder, "qrels.txt");
  if (judgments === null || !existsSync(join(folder, "runs")))
    throw new InputError(
      "FILE_NOT_FOUND",
      `${folder}: there is no collection (qrels.txt, runs/, expected/) here`,
    );
  const qrels = parseTrecQrels([await contentOf(judgments)], judgments);
  const found = new Map<string, ProfileAgreement>();
  for (const file of readdirSync(join(folder, "runs")).sort()) {
    const path = join(folder, "runs", file);
    const { run } = parseTrecRun([await contentOf(path)], path);
    for (const { name: program, folder: of, suffix } of PROGRAMS) {
      const expected = fileIn(folder, "expected", of, file.replace(/\.run(?:\.gz)?$/, `${suffix}.tsv`));
      if (expected === null) continue;
      const printed = await formatScores(program, expected);
      for (const profile of profileNames) {
        const [key, one] = [`${profile} ${program}`, profileAgreement(run, qrels, printed, profile)];
        const before = found.get(key);
        found.set(key, before === undefined ? one : mergeAgreements(before, one));
      }
    }
  }
  return [...found.values()];
}

/** A file of a collection, plain or packed; null where it has none. */
function fileIn(folder: string, ...name: readonly string[]): string | null {
  const path = join(folder, ...name);
  return [path, `${path}.gz`].find((each) => existsSync(each)) ?? null;
}

async function formatScores(program: string, path: string): Promise<PrintedScores> {
  const text = new TextDecoder().decode(await contentOf(path));
  const [head = "", ...lines] = text.trimEnd().split("\n");
  return { program, columns: head.split("\t").slice(1), rows: lines.map((line) => line.split("\t")) };
}
