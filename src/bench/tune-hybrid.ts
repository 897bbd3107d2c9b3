import { InputError } from "../foundation/errors/index.js";
import { tuneFusion, type TunedFusion } from "../fusion-tuning/index.js";
import type { BenchTier, Retriever, ScoredRanking, ScoredRun } from "../records/index.js";
import { hybridRetriever, type HybridOptions } from "../retrieve/index.js";
import { asRanking, checkHits } from "../retrieve/internal.js";
import type { BenchFixture } from "./bench-fixture.js";
import { metricNames } from "./case-scores.js";
import { commonTopK } from "./common-top-k.js";
import type { BenchSystem } from "./bench-system.js";

/** How {@link tuneHybrid} asks. */
export interface TunedHybridOptions {
  readonly mode: string;
  readonly tier: BenchTier | undefined;
  readonly hybrid: HybridOptions;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** With min-max alone a list of one hit would count for nothing. */
const SEARCHED = ["min-max", "zmuv", "rank"].map((normalize) => ({ method: "wsum", normalize }));
/** Hits of each channel where nothing is said. */
const DEPTH = 100;

/**
 * A hybrid whose weights are tuned on the fixture, and which is measured all the same: each case is searched
 * with the weights that the other cases chose.
 *
 * @throws InputError `ARGUMENT` for cases with different cutoffs, and for fewer than two.
 */
export async function tuneHybrid(
  fixture: BenchFixture,
  lexical: BenchSystem,
  embedding: BenchSystem,
  { mode, tier, hybrid, onProgress, signal }: TunedHybridOptions,
): Promise<BenchSystem> {
  const topK = commonTopK(fixture);
  const { cases } = fixture;
  if (topK === null)
    throw new InputError(
      "ARGUMENT",
      "a hybrid is tuned for one metric, and the cases have different cutoffs; leave --tune out",
    );
  if (cases.length < 2)
    throw new InputError("ARGUMENT", "a hybrid is tuned on two cases or more; leave --tune out");
  const groups = wordingsOf(cases);
  if (new Set(groups.values()).size < 2)
    throw new InputError(
      "ARGUMENT",
      "a hybrid is tuned on cases of two intents or more, and all of these have the same words or relevant " +
        "items; leave --tune out",
    );
  const depth = Math.max(hybrid.depth ?? DEPTH, topK);
  const runs: ScoredRun[] = [];
  const channels = { lexical: falling(lexical.retriever), embedding: falling(embedding.retriever) };
  for (const [channel, retriever] of Object.values(channels).entries())
    runs.push(
      await askRun(fixture, retriever, depth, signal, (done) =>
        onProgress?.(channel * cases.length + done, 2 * cases.length),
      ),
    );
  const qrels = new Map(cases.map(({ case_id, grades }) => [case_id, grades]));
  const [metric] = metricNames(topK);
  const tuned = tuneFusion(runs, qrels, metric, {
    names: [lexical.mode, embedding.mode],
    search: SEARCHED,
    groups,
    // The best chance: what does not hold is found out by the cases that are held out.
    choice: "plateau",
  });
  const retrievers = new Map<string, Retriever>();
  const retrieverOf = (caseId: string | undefined): Retriever => {
    const { method, normalizer } = (caseId === undefined ? undefined : tuned.heldOut.get(caseId)) ?? {
      method: tuned.report.chosen.method,
      normalizer: tuned.report.chosen.normalize,
    };
    const name = [method, normalizer].map((each) => (typeof each === "string" ? each : each.name)).join(" ");
    const known = retrievers.get(name) ?? hybridRetriever(channels, { method, normalize: normalizer, depth });
    retrievers.set(name, known);
    return known;
  };
  return {
    mode,
    tier,
    retriever: { search: async (query, options) => retrieverOf(options.queryId).search(query, options) },
    description: `${lexical.mode} and ${embedding.mode}, ${describeChosen(tuned, embedding.mode)}`,
    fusion: `${tuned.report.chosen.method} of ${tuned.report.chosen.normalize} scores`,
    embeddingModel: embedding.embeddingModel,
    isRecorded: lexical.isRecorded === true || embedding.isRecorded === true,
    channels: [lexical.mode, embedding.mode],
  };
}

/**
 * By case the group of those that are wordings of one intent: the same words, or the same relevant items.
 * What one of them chooses would be tried on itself.
 */
function wordingsOf(cases: BenchFixture["cases"]): ReadonlyMap<string, string> {
  const groups = new Map(cases.map(({ case_id }) => [case_id, case_id]));
  const known = new Map<string, string>();
  const join = (case_id: string, sign: string): void => {
    const other = groups.get(known.get(sign) ?? case_id) as string;
    const own = groups.get(case_id) as string;
    known.set(sign, case_id);
    if (own !== other) for (const [id, group] of groups) if (group === own) groups.set(id, other);
  };
  for (const { case_id, query, grades } of cases) {
    const relevant = [...grades].flatMap(([item, grade]) => (grade > 0 ? [item] : [])).sort();
    join(case_id, `query ${query.normalize().trim().replace(/\s+/g, " ").toLowerCase()}`);
    if (relevant.length > 0) join(case_id, `relevant ${JSON.stringify(relevant)}`);
  }
  return groups;
}

/**
 * A retriever whose scores fall from hit to hit, so that what is tuned is what is searched; but for documents
 * that are cut, whose chunks the search fuses, and of which tuning sees the best one each.
 */
function falling(retriever: Retriever): Retriever {
  return {
    async search(query, options) {
      const hits = checkHits(await retriever.search(query, options));
      const { scores } = asRanking(hits, false);
      return hits.map((hit, index) => ({ ...hit, score: scores[index] as number }));
    },
  };
}

/** What a channel returns for every case, as far as judgments name it. */
async function askRun(
  { cases, unit }: BenchFixture,
  retriever: Retriever,
  depth: number,
  signal: AbortSignal | undefined,
  onCase: (done: number) => void,
): Promise<ScoredRun> {
  const run = new Map<string, ScoredRanking>();
  for (const [at, { case_id, query }] of cases.entries()) {
    signal?.throwIfAborted();
    const hits = await retriever.search(query, { limit: depth, queryId: case_id, signal });
    // Of several chunks of one document the best one stands for it.
    const best = new Map<string, number>();
    hits.forEach((hit) => {
      const id = unit === "chunk" ? hit.chunk_id : hit.doc_id;
      if (!best.has(id)) best.set(id, hit.score ?? 0);
    });
    run.set(case_id, { ids: [...best.keys()], scores: [...best.values()] });
    onCase(at + 1);
  }
  return run;
}

function describeChosen({ report: { chosen, held_out } }: TunedFusion, second: string): string {
  const most = held_out?.chosen[0];
  const range =
    most?.point == null
      ? ""
      : `: mostly ${second} at ${most.point.low.toFixed(2)} to ${most.point.high.toFixed(2)} of ` +
        `${most.normalize} scores; all cases together choose ${chosen.method} of ` +
        `${chosen.normalize} scores`;
  return `fused with the weights that the other cases chose${range}`;
}
