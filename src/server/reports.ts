import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { withoutRaters, withoutTexts } from "../audit/index.js";
import {
  artifactsPath,
  auditLabeler,
  findUnfinishedTuning,
  isStoreThere,
  labelsPath,
  tuningFiles,
  tuningsFolder,
} from "../node/index.js";
import { readLatestProbes } from "../node/internal.js";
import type { LabelAudit, WorkbenchReport } from "../records/index.js";
import {
  auditPageSections,
  nothing,
  settingInWords,
  tuningPageSections,
  trustSection,
} from "../report/internal.js";
import type { AnyTuning } from "../report/index.js";
import { showSections } from "../workbench/index.js";
import { aboutLabeler, countJudgedPairs, kappaWords } from "./label-words.js";
import type { DatasetCollection } from "./collections/dataset-collection.js";
import type { ProjectPlaces } from "./project-places.js";

/** A report that says nothing. */
export const NOTHING: WorkbenchReport = { title: "", sections: [] };

/** What reports may say of a project. */
export interface Reveals {
  /** Texts of queries and items, and reasons. */
  readonly texts: boolean;
  /** Names of people. */
  readonly raters: boolean;
}

/** What a page of the workbench itself says. */
export const EVERYTHING: Reveals = { texts: true, raters: true };

/** How far the labeler agrees with people: what `rankproof audit` says without asking anybody. */
export async function trustReport(
  collection: DatasetCollection,
  { config, labels }: ProjectPlaces,
  reveals = EVERYTHING,
): Promise<WorkbenchReport> {
  const dataset = await collection.dataset();
  if (!isStoreThere(labelsPath(config, labels))) return NOTHING;
  const known = await collection.readAssessments();
  const second = await known.labeler(undefined);
  if (second.rater === null) return NOTHING;
  const { tenant } = dataset;
  const probes = readLatestProbes(artifactsPath(config), {
    dataset: dataset.id,
    tenant,
    rater: second.rater,
  });
  if (probes === null && known.said.every(({ rater }) => rater.kind === "model")) return NOTHING;
  const audit = auditLabeler(dataset, known, { first: null, second }, { seed: 1, probes });
  const told = reveals.texts ? audit : withoutTexts(audit);
  const named = reveals.raters ? told : withoutRaters(told);
  // What a labeler is called says nothing to those who did not choose it.
  const shown = { ...named, second: { ...named.second, name: "the model" } };
  const [summary, ...others] = auditPageSections(shown);
  const about = aboutLabeler(config, dataset);
  return {
    title: [
      ...(about.length > 0 ? about : [`The model is the labeler \`${second.name}\`.`]),
      countJudgedPairs(await collection.trust(null)),
    ].join(" "),
    conclusion: trustConclusion(named),
    sections: showSections([
      ...(summary === undefined ? [] : [summary]),
      ["labels", "Labels", await correctScores(collection)],
      ...others,
    ]),
  };
}

/** How far the model's labels can be trusted, in a sentence; the numbers stand below it. */
function trustConclusion({ agreement: { quadratic_kappa } }: LabelAudit): string {
  if (quadratic_kappa.value === null)
    return "Nobody knows: too few pairs have a grade of people and one of the model.";
  const { far, agrees } = kappaWords(quadratic_kappa.value);
  if (quadratic_kappa.low === null)
    return (
      `Nobody knows: on the pairs of one query the model agrees with people ${agrees}, which says ` +
      "nothing of others."
    );
  return (
    `${far}: on the pairs that both graded, the model agrees with people ${agrees}, by its quadratic ` +
    "weighted kappa (1 is agreement, 0 is chance)."
  );
}

/** What the labels of people make of the model's scores; nothing where no queries were drawn for them. */
async function correctScores(collection: DatasetCollection): Promise<ReturnType<typeof trustSection>> {
  const [latest, before] = await collection.recorded.listStoredIds();
  const { sample } = await collection.labels();
  if (sample === null || latest === undefined || before === undefined) return nothing;
  return trustSection(await collection.comparison(before, latest));
}

/** The latest tuning of a dataset. */
export function tuningReport(
  dataset: string,
  { config }: ProjectPlaces,
  reveals = EVERYTHING,
): WorkbenchReport {
  const all = tuningsFolder(artifactsPath(config));
  if (!existsSync(all)) return NOTHING;
  const folders = readdirSync(all, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const latest = findUnfinishedTuning(all, dataset);
  const unfinished = latest === undefined ? {} : { unfinished: latest };
  for (const { name } of folders.reverse()) {
    const tuning = tuningOf(tuningFiles(join(all, name)).read("report.json"));
    if (tuning !== undefined && "dataset" in tuning && tuning.dataset === dataset) {
      const told = reveals.texts ? tuning : wordless(tuning);
      return {
        title: `Tuning ${[name, ...batchNames(tuning)].join("; ")}.`,
        sections: showSections(tuningPageSections(answerTuning(nameBatches(told)))),
        ...unfinished,
      };
    }
  }
  return { ...NOTHING, ...unfinished };
}

/** A tuning whose verdict names the setting to use, which is what its screen asks. */
function answerTuning(tuning: AnyTuning): AnyTuning {
  const { kind, sentence } = tuning.verdict;
  if (kind !== "better") return tuning;
  const chosen =
    tuning.kind === "fusion_tuning"
      ? settingInWords(tuning.chosen.method, tuning.chosen.normalize)
      : tuning.chosen.name;
  const verdict = {
    kind,
    sentence: sentence.replace(/^Better than/, () => `Use ${chosen}, which is better than`),
  };
  return { ...tuning, verdict };
}

const BATCHES = ["batch A", "batch B"];

/** Which batches "batch A" and "batch B" are. */
function batchNames(tuning: AnyTuning): string[] {
  if (tuning.kind !== "fusion_tuning" || tuning.runs.length !== BATCHES.length) return [];
  return tuning.runs.map((run, at) => `${BATCHES[at] ?? ""} is ${run}`);
}

/** A tuning whose weights are those of "batch A" and "batch B": ids in a title tell nothing apart. */
function nameBatches(tuning: AnyTuning): AnyTuning {
  const names = batchNames(tuning);
  if (tuning.kind !== "fusion_tuning" || names.length === 0) return tuning;
  const inWords = (text: string): string =>
    tuning.runs.reduce((rest, run, at) => rest.replaceAll(run, BATCHES[at] ?? run), text);
  return {
    ...tuning,
    runs: names,
    axis: tuning.axis && { ...tuning.axis, name: inWords(tuning.axis.name) },
    searched: tuning.searched.map((each) => ({ ...each, axis: inWords(each.axis) })),
  };
}

/** A tuning whose queries are ids alone. */
function wordless(tuning: AnyTuning): AnyTuning {
  return tuning.kind === "backend_tuning"
    ? { ...tuning, per_query: tuning.per_query.map((query) => ({ ...query, query: null })) }
    : tuning;
}

/** Undefined for what a killed process or another hand left there. */
function tuningOf(text: string | undefined): AnyTuning | undefined {
  try {
    const value = JSON.parse(text ?? "null") as Partial<AnyTuning> | null;
    return value?.kind === "backend_tuning" || value?.kind === "fusion_tuning"
      ? (value as AnyTuning)
      : undefined;
  } catch {
    return undefined;
  }
}
