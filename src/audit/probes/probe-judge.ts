import { withWorkers } from "../../foundation/async/index.js";
import { wholeNumber } from "../../foundation/checks/index.js";
import type { Cost, ItemVerdict, KeptProfile, Labeler, LabelRequest } from "../../label/index.js";
import { itemHash, raterId } from "../../label/index.js";
import { answerOf, checkVerdicts, digestOf, addCosts } from "../../label/internal.js";
import type { JudgeProbes, ProbeResult } from "../../records/index.js";
import { mean } from "../../stats/index.js";
import {
  planProbes,
  type ProbedQuery,
  type ProbePlan,
  type ProbeRequest,
  type ProbeVariant,
} from "./probe-plan.js";
import { PROBE_LIMITS, probeResult, type ProbedGrades } from "./probe-result.js";
import { probeTexts, type ProbeTexts } from "./probe-texts.js";

/** What a judge said of the item that a request is about. */
export interface ProbeAnswer extends Pick<ItemVerdict, "outcome" | "grade"> {
  /** Hash of what it was shown of the item, where it tells. */
  readonly sent?: string | undefined;
  /** Requests that it took. */
  readonly requests: number;
}

/** Where answers are kept, so that none is paid for twice. */
export interface KeptProbeAnswers {
  /** Undefined where nothing was kept. */
  read(key: string): ProbeAnswer | undefined;
  /** Keeps it, in place of what was there. */
  keep(key: string, answer: ProbeAnswer): void | Promise<void>;
}

/** What a judge is tried with, and how it is asked. */
export interface ProbeOptions {
  /** The judge. */
  readonly labeler: Labeler;
  /** What the judge is called. */
  readonly name: string;
  /** Queries and what is labelled of them, from which pairs are chosen. */
  readonly queries: readonly ProbedQuery[];
  /** The same judge with its prompt in other words; without it that probe is not run. */
  readonly reworded?: Labeler | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  /** Pairs of query and item that are changed. Default 30. */
  readonly pairs?: number | undefined;
  /** Items in a request. Default 10. */
  readonly batchSize?: number | undefined;
  /** Requests at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** What is put into items. Default `probeTexts`, in English. */
  readonly texts?: ProbeTexts | undefined;
  /** Where answers are kept; without it they are asked for anew every time. */
  readonly answers?: KeptProbeAnswers | undefined;
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every answer. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

const [SEED, PAIRS, BATCH_SIZE] = [1, 30, 10];

/**
 * Tries a judge: does it give other grades when the query's words, an order, or words that say nothing are
 * put into an item, when the item stands elsewhere in the request or in other company, or when the prompt
 * is worded differently? Each change is held against asking the same again, so that a judge that is only
 * unsteady raises no alarm. A judge that is constant, random or inverted moves with no change:
 * `auditLabels` names those.
 *
 * @throws AdapterError `LABELER_FAILED`, and what the labeler throws; what was answered is in `answers`.
 */
export async function probeJudge(options: ProbeOptions): Promise<JudgeProbes> {
  const { labeler, name, reworded, concurrency = 1, signal, onProgress } = options;
  wholeNumber("concurrency", concurrency);
  const { requests, variants, skipped } = planOf(options);
  const answers: ProbeAnswer[] = [];
  const profiles = new Map<string, unknown>();
  let done = 0;
  await withWorkers(requests.keys(), concurrency, signal, async (place, stop) => {
    const request = requests[place] as ProbeRequest;
    const asked = request.isReworded ? (reworded as Labeler) : labeler;
    answers[place] = await answerTo(request, asked, options, profileOf(profiles, request), stop);
    onProgress?.(++done, requests.length);
  });
  const results = variants.map((variant) => resultOf(variant, answers));
  const unseen = results.filter(({ isUnseen }) => isUnseen).map(({ result }) => result);
  return {
    judge: name,
    seed: options.seed ?? SEED,
    batch_size: options.batchSize ?? BATCH_SIZE,
    requests: answers.reduce((sum, answer) => sum + answer.requests, 0),
    answers: countsOf(answers),
    limits: PROBE_LIMITS,
    steadiness: steadinessOf(variants, answers),
    results: results.filter(({ isUnseen }) => !isUnseen).map(({ result }) => result),
    skipped: [
      ...skipped,
      ...unseen.map(({ probe, variant }) => ({
        probe: `${probe.replace("_", " ")}, ${variant}`,
        reason: "what was changed lies behind what the judge is shown of an item",
      })),
    ],
  };
}

/**
 * How many requests {@link probeJudge} makes, and what they take by the labeler's estimate; what is kept in
 * `answers` is not asked again.
 */
export function probeEstimate(options: ProbeOptions): { readonly requests: number; readonly cost: Cost } {
  const { labeler, reworded, answers } = options;
  let [requests, cost]: [number, Cost] = [0, {}];
  for (const request of planOf(options).requests) {
    const asked = request.isReworded ? (reworded as Labeler) : labeler;
    if (answers?.read(keyOf(request, asked)) !== undefined) continue;
    const { requests: own = 1, ...estimate } = asked.estimate?.(request) ?? {};
    requests += own;
    cost = addCosts(cost, estimate);
  }
  return { requests, cost };
}

function planOf(options: ProbeOptions): ProbePlan {
  const {
    queries,
    seed = SEED,
    pairs = PAIRS,
    batchSize = BATCH_SIZE,
    texts = probeTexts,
    reworded,
  } = options;
  return planProbes(queries, { seed, pairs, batchSize, texts, hasWording: reworded !== undefined });
}

/** Where the answer to a request is kept. */
function keyOf({ query, items, place, turn }: ProbeRequest, { rater }: Labeler): string {
  // How an endpoint can be made to answer turns out with its first answer, and makes no other judge.
  const parameters = { ...rater.parameters, response_format: null, without: null };
  const judge = raterId({ ...rater, parameters });
  return digestOf([judge, query, items.map((item) => [item.id, itemHash(item)]), place, turn]);
}

async function answerTo(
  asked: ProbeRequest,
  labeler: Labeler,
  { answers }: ProbeOptions,
  profile: KeptProfile,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const { query, items, place } = asked;
  const key = keyOf(asked, labeler);
  const known = answers?.read(key);
  if (known !== undefined) return known;
  const request: LabelRequest = { query, items, profile, signal };
  const reply = await answerOf(labeler, request);
  const { outcome, grade, sent } = checkVerdicts(items, reply)[place] as ItemVerdict;
  const answer = { outcome, grade, ...(sent && { sent: sent.hash }), requests: reply.requests ?? 1 };
  await answers?.keep(key, answer);
  return answer;
}

/** What a labeler finds out about a query, for all requests of one wording. */
function profileOf(profiles: Map<string, unknown>, { query, isReworded }: ProbeRequest): KeptProfile {
  const key = `${String(isReworded)} ${query}`;
  return {
    read: async () => profiles.get(key),
    keep: async (profile) => void profiles.set(key, profile),
  };
}

function resultOf(
  { tries, ...variant }: ProbeVariant,
  answers: readonly ProbeAnswer[],
): { readonly result: ProbeResult; readonly isUnseen: boolean } {
  const changesText = ["query_words", "instruction", "length"].includes(variant.probe);
  const isSeen = ({ before, after }: ProbeVariant["tries"][number]): boolean => {
    const [plain, changed] = [answers[before]?.sent, answers[after]?.sent];
    return !changesText || plain === undefined || plain !== changed;
  };
  const seen = tries.filter(isSeen);
  const graded = seen.flatMap(({ before, again, after }): ProbedGrades[] => {
    const [one, two, three] = [answers[before]?.grade, answers[again]?.grade, answers[after]?.grade];
    return one == null || two == null || three == null ? [] : [{ before: one, again: two, after: three }];
  });
  return { result: probeResult(variant, graded), isUnseen: tries.length > 0 && seen.length === 0 };
}

function countsOf(answers: readonly ProbeAnswer[]): JudgeProbes["answers"] {
  const counts = { graded: 0, cannot_tell: 0, invalid: 0, refused: 0 };
  for (const { outcome } of answers) counts[outcome]++;
  return counts;
}

/** Each pair of the plain requests, once. */
function steadinessOf(
  variants: readonly ProbeVariant[],
  answers: readonly ProbeAnswer[],
): JudgeProbes["steadiness"] {
  const plain = new Map(variants.flatMap(({ tries }) => tries.map(({ before, again }) => [before, again])));
  const changes = [...plain].flatMap(([before, again]) => {
    const [one, two] = [answers[before]?.grade, answers[again]?.grade];
    return one == null || two == null ? [] : [Math.abs(two - one)];
  });
  return {
    pairs: changes.length,
    unchanged: changes.filter((change) => change === 0).length,
    mean_change: changes.length === 0 ? null : mean(changes),
  };
}
