import type { BackendTuning, FusionTuning } from "../records/index.js";
import { backendTuningSections, backendTuningSummary, backendTuningTitle } from "./backend-tuning-rows.js";
import { checkKind } from "./check-kind.js";
import type { ReportSection } from "./report-section.js";
import { tuningSections, tuningSummary, tuningTitle } from "./tuning-rows.js";

/** Any search for a better setting. */
export type AnyTuning = FusionTuning | BackendTuning;

/** What every form of a report on a search says. */
export interface TuningContent {
  readonly title: string;
  /** Sentences; the first is the verdict. */
  readonly summary: readonly string[];
  readonly sections: readonly ReportSection[];
}

/**
 * @param maxRows most rows of the list of queries.
 * @throws InputError `ARGUMENT` for anything else than a search.
 */
export function tuningContent(tuning: AnyTuning, maxRows: number): TuningContent {
  if ((tuning as AnyTuning | null)?.kind === "backend_tuning") {
    const experiments = tuning as BackendTuning;
    return {
      title: backendTuningTitle(experiments),
      summary: backendTuningSummary(experiments),
      sections: backendTuningSections(experiments, { maxRows }),
    };
  }
  const fusion = tuning as FusionTuning;
  checkKind(fusion, "fusion_tuning", "tuneFusion");
  return {
    title: tuningTitle(fusion),
    summary: tuningSummary(fusion),
    sections: tuningSections(fusion, { maxRows }),
  };
}
