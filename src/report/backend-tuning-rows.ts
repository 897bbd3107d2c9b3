import { DASH } from "./dash.js";
import { valueText } from "../foundation/text/index.js";
import type { BackendTuning } from "../records/index.js";
import { reportSection, type ReportSection } from "./report-section.js";
import { trustLines } from "./trust-rows.js";
import {
  chanceSentence,
  describeHeldOut,
  naiveGain,
  partsInWords,
  formatTuningScore as score,
  queriesThatMove,
} from "./tuning-words.js";
import { formatChange, formatP } from "../foundation/numbers/index.js";

/** What was tuned, in a line. */
export function backendTuningTitle({ backend, dataset, metric }: BackendTuning): string {
  return `Experiments on ${backend.name} with ${dataset}, tuned for ${metric}`;
}

/** The first things to know: whether it holds, what was chosen, what it seemed to gain. */
export function backendTuningSummary(tuning: BackendTuning): string[] {
  const { verdict, chosen, held_out, search_test, experiments, metric, unjudged, trust, applied } = tuning;
  const current = experiments.find(({ parameters }) => parameters === null);
  const failed = experiments.filter(({ error }) => error !== null);
  const before = current?.mean ?? 0;
  return [
    verdict.sentence,
    chosen.parameters === null
      ? `No experiment has a higher mean than the current configuration: ${metric} ${score(before)}.`
      : `All queries together choose ${withParameters(chosen.name, chosen.parameters)}: ${metric} ` +
        `${score(chosen.mean)}, with the current configuration ${score(before)}. ` +
        naiveGain(chosen.mean - before),
    ...(held_out === null
      ? []
      : [describeHeldOut(held_out, partsInWords(held_out, groupsIn(tuning), tuning.queries))]),
    chanceSentence(search_test.p, "one for all experiments"),
    ...(failed.length === 0
      ? []
      : [
          `${failed.length} of ${experiments.length - 1} experiments could not be measured; the list ` +
            "says why.",
        ]),
    ...(unjudged.items === 0
      ? []
      : [
          `${unjudged.items} of ${unjudged.of} hits in view of some configuration have no label and ` +
            "count as Irrelevant: label them before you trust the choice.",
        ]),
    ...trustLines(trust),
    applied === null
      ? "The original configuration is back in place."
      : `${applied} was written into the configuration afterwards.`,
    ...tuning.warnings.map(({ message }) => message),
  ];
}

/** The parts of a report on experiments that have anything to say, in order. */
export function backendTuningSections(
  tuning: BackendTuning,
  { maxRows }: { readonly maxRows: number },
): ReportSection[] {
  return [
    experimentsSection(tuning),
    partsSection(tuning),
    queriesThatMove(
      tuning.per_query.map((query) => ({ ...query, name: query.query ?? query.query_id })),
      tuning.held_out !== null,
      maxRows,
    ),
    settingsSection(tuning),
  ].filter(({ lines, rows }) => lines.length + rows.length > 0);
}

function experimentsSection({ experiments, metric, chosen }: BackendTuning): ReportSection {
  const best = [...experiments].sort((a, b) => (b.mean ?? -Infinity) - (a.mean ?? -Infinity));
  return reportSection(
    "experiments",
    "Experiments, the best first",
    "lrrrrrrrl",
    ["experiment", metric, "difference", "p", "gain", "lose", "failed", "unjudged", ""],
    best.map(({ name, mean, difference, p, improved, worse, failed, unjudged, error }) =>
      mean === null
        ? [name, DASH, DASH, DASH, DASH, DASH, DASH, DASH, `not measured: ${error ?? ""}`]
        : [
            name,
            score(mean),
            difference === null || p === null ? DASH : formatChange(difference),
            formatP(p),
            String(improved),
            String(worse),
            String(failed),
            String(unjudged),
            name === chosen.name ? "chosen" : "",
          ],
    ),
    { lines: ["The p value of each is corrected for all experiments (max-T)."] },
  );
}

/** Queries that are held out one by one, or groups of them. */
function groupsIn({ held_out, queries }: BackendTuning): number {
  return held_out?.validation === "leave_one_out" ? held_out.parts : queries;
}

function partsSection({ held_out }: BackendTuning): ReportSection {
  if (held_out === null) return reportSection("parts", "", "", [], []);
  const all = held_out.chosen.reduce((sum, { times }) => sum + times, 0);
  return reportSection(
    "parts",
    "What parts of the queries choose",
    "lr",
    ["experiment", "chosen"],
    held_out.chosen.map(({ name, times }) => [name, `${times} of ${all}`]),
  );
}

function settingsSection(tuning: BackendTuning): ReportSection {
  const { tuning_id, dataset, tenant, backend, queries, top_k, started_at, seed, search_test } = tuning;
  const { restored, applied } = tuning;
  return reportSection("made", "How it was made", "", [], [], {
    lines: [
      `Tuning ${tuning_id} of ${backend.name} (${backend.kind}), begun ${started_at}: dataset ${dataset}, ` +
        `tenant ${tenant}, ${queries} queries, ${top_k} hits asked for. The p values are over ` +
        `${search_test.flips} flips of signs${search_test.is_exact ? ", all there are" : ""}; seed ${seed}.`,
      ...restored.map(({ file, sha256 }) =>
        applied === null
          ? `${file} was put back as it was before: SHA-256 ${sha256}.`
          : `${file} was before: SHA-256 ${sha256}.`,
      ),
    ],
  });
}

/** `strong (boost=2, fuzz=0)`. */
function withParameters(name: string, parameters: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(parameters)
    .map(([parameter, value]) => `${parameter}=${valueText(value)}`)
    .join(", ");
  return text === name ? name : `${name} (${text})`;
}
