import type { Hash } from "node:crypto";
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
export async function labelDigest(content: string): Promise<string> {
  return (await newHash()).update(content).digest("hex");
}

/** Loaded only when it is needed: `node:crypto` takes longer to load than a small run to score. */
const newHash = async (): Promise<Hash> => (await import("node:crypto")).createHash("sha256");

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
  if (qrels === STANDARD_INPUT) return { warnings: [], evidence: UNKNOWN };
  if (!existsSync(path)) return originWithin(qrels);
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
  return withWarning(evidence, modelsOf(origin));
}

function withWarning(evidence: LabelEvidence, models: string): JudgmentOrigin {
  const { people, model } = evidence.counts ?? { people: 0, model: 0 };
  if (model === 0) return { warnings: [], evidence };
  return {
    warnings: [
      {
        code: "LABELLED_BY_MODEL",
        message:
          `${model} of ${people + model} labels behind the judgments are a model's (${models}), ` +
          `${people} are people's: scores say how far a system agrees with them`,
        count: model,
      },
    ],
    evidence,
  };
}

/** What judgments say of themselves: the lines of `label export` name their raters, its CSV who decided. */
async function originWithin(qrels: string): Promise<JudgmentOrigin> {
  const unknown = { warnings: [], evidence: UNKNOWN };
  const isLines = /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(qrels);
  const isTable = /\.csv(?:\.gz)?$/i.test(qrels);
  if (!isLines && !isTable) return unknown;
  const counts = { people: 0, model: 0 };
  const models = new Set<string>();
  const lines = new TextDecoder().decode(await contentOf(qrels)).split(/\r?\n/);
  // Of files that name no rater the first lines are enough.
  if (isLines && !lines.slice(0, 100).some((line) => line.includes('"rater"'))) return unknown;
  if (isTable && !/(?:^|,)grade,by(?:,|$)/.test(lines[0] ?? "")) return unknown;
  for (const line of lines) {
    if (isTable) {
      const [, by] = /,\d,(labeler|people|adjudicator),\d+,\d+,(?:yes|no)$/.exec(line) ?? [];
      if (by !== undefined) counts[by === "labeler" ? "model" : "people"]++;
      continue;
    }
    const rater = raterIn(line);
    if (rater === undefined) continue;
    counts[rater.kind === "model" ? "model" : "people"]++;
    if (rater.kind === "model") models.add(nameOf(rater));
  }
  const names = [...models].join("; ");
  const labeler = names === "" ? null : names;
  return withWarning({ labeler, counts }, labeler ?? "not named");
}

function raterIn(line: string): Rater | undefined {
  if (!line.includes('"rater"')) return undefined;
  try {
    return (JSON.parse(line) as { readonly rater?: Rater }).rater;
  } catch {
    return undefined;
  }
}

/** As {@link labelDigest}, of a file of any size. */
async function digestOf(path: string): Promise<string> {
  const hash = await newHash();
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
