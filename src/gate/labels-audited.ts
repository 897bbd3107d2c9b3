import { absent, type Finding, type Candidate } from "./candidate.js";
import type { RuleKind } from "./rule-kind.js";

/** Labels of a model must have been corrected by people's: `labels audited`. */
export interface LabelsAudited {
  readonly kind: "audited";
}

export const labelsAudited: RuleKind<LabelsAudited> = {
  kind: "audited",
  written: "labels audited",
  meaning:
    "The labels are people's, or a model's that a sample of people's labels corrects. It is on wherever " +
    "a gate draws a conclusion from a model's labels: a verdict, a significant loss, `not worse by`, slices.",
  examples: ["labels audited"],
  isOfScores: true,
  parse: (text) => (/^labels audited$/i.test(text) ? { kind: "audited" } : null),
  print: () => "labels audited",
  check: (_, candidate) => auditFinding(candidate),
};

function auditFinding({ trust }: Candidate): Finding {
  if (trust === null) return absent("the result does not say whose labels it rests on");
  const { status, sentence, next } = trust;
  return {
    value: status,
    passed: status === "people" || status === "audited",
    why: `${sentence}${next === null ? "" : ` ${next}`}`,
  };
}
