import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { STANDARD_INPUT } from "../../files/index.js";
import type { LabelEvidence } from "../../compare/index.js";
import type { GivenWarning, LabelOrigin, Rater } from "../../records/index.js";
import { isRankproofError } from "../../foundation/errors/index.js";
import { contentOf, fileChunks } from "./chunks.js";

/** The file beside judgments that says where they come from. */
export function labelOriginPath(qrels: string): string {
  return `${qrels}.labels.json`;
}

/** What `digest` is in it: of the judgments' bytes, unpacked. */
export function labelDigest(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Where judgments come from, as far as it is known. */
export interface JudgmentOrigin {
  /** What must be said of judgments that are labels. */
  readonly warnings: readonly GivenWarning[];
  /** For comparisons. */
  readonly evidence: LabelEvidence;
}

const UNKNOWN: LabelEvidence = { labeler: null, counts: null };

/** What a file beside judgments says of them; nothing is known where there is none. */
export async function judgmentOrigin(qrels: string): Promise<JudgmentOrigin> {
  const path = labelOriginPath(qrels);
  if (qrels === STANDARD_INPUT || !existsSync(path)) return { warnings: [], evidence: UNKNOWN };
  const { decodeText, parseLabelOrigin } = await import("../../formats/index.js");
  let origin: LabelOrigin | undefined;
  try {
    origin = parseLabelOrigin(decodeText(await contentOf(path), path), path);
  } catch (error) {
    if (!isRankproofError(error)) throw error;
  }
  const { adjudicator = 0, people = 0, labeler = 0 } = origin?.labels ?? {};
  const evidence =
    origin === undefined
      ? UNKNOWN
      : {
          labeler: modelsOf(origin) || null,
          labelerModel: origin.raters.find(({ rater }) => rater.kind === "model")?.rater.model,
          counts: { people: adjudicator + people, model: labeler },
        };
  if (origin === undefined || origin.digest !== (await digestOf(qrels)))
    return {
      warnings: [
        {
          code: "LABEL_ORIGIN_OTHER",
          message: `${path} is not of these judgments: export them again, or delete it`,
        },
      ],
      // An edited file is no measurement of people by that.
      evidence,
    };
  if (labeler === 0) return { warnings: [], evidence };
  return {
    warnings: [
      {
        code: "LABELLED_BY_MODEL",
        message:
          `${labeler} of ${adjudicator + people + labeler} labels behind the judgments are a model's ` +
          `(${modelsOf(origin)}), ${adjudicator + people} are people's: scores say how far a system agrees ` +
          "with them",
        count: labeler,
      },
    ],
    evidence,
  };
}

/** As {@link labelDigest}, of a file of any size. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of fileChunks(path)) hash.update(chunk);
  return hash.digest("hex");
}

function modelsOf({ raters }: LabelOrigin): string {
  return raters
    .filter(({ rater }) => rater.kind === "model")
    .map(({ rater }) => nameOf(rater))
    .join("; ");
}

function nameOf({ name, model, prompt, prompt_version }: Rater): string {
  const what = [model, prompt == null ? null : `prompt ${prompt} ${prompt_version ?? ""}`.trim()];
  return [name, ...what.filter((each) => each != null)].join(", ");
}
