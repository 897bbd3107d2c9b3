import { type BenchTier, type EmbeddingProvider, modeIn } from "../records/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { fullFusionName, parseFusion } from "../fusion/index.js";
import { nearestHint } from "../foundation/ids/index.js";
import {
  embeddingIndex,
  hybridRetriever,
  lexicalIndex,
  type HybridOptions,
  type LexicalOptions,
} from "../retrieve/index.js";
import type { BenchFixture } from "./bench-fixture.js";
import { BASELINE, TUNED, type BenchSystem } from "./bench-system.js";
import { tuneHybrid } from "./tune-hybrid.js";

/** What {@link standardSystems} are made of. */
export interface StandardSystemsOptions {
  /** Default all three, those with embeddings where there is a provider. */
  readonly modes?: readonly string[] | undefined;
  /** Of the offline tier; usually `hashEmbedder()`. Without one there is only `fts_only` in it. */
  readonly embedder?: EmbeddingProvider | undefined;
  /** A real provider, for a live tier beside the offline one. */
  readonly liveEmbedder?: EmbeddingProvider | undefined;
  readonly lexical?: LexicalOptions | undefined;
  readonly hybrid?: HybridOptions | undefined;
  /** Whether there is a hybrid as well whose weights are tuned: `hybrid_tuned`, by which is then decided. */
  readonly tune?: boolean | undefined;
  /**
   * Systems of your own: one called `fts_only` or `embedding_only` takes the place of the standard one, in
   * `hybrid`, too.
   */
  readonly own?: readonly BenchSystem[] | undefined;
  /** Called as chunks are embedded. */
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The modes of every evidence benchmark. */
export const standardModes: readonly string[] = [BASELINE, "embedding_only", "hybrid"];

/**
 * The standard modes over a fixture, ready to search: full text, embeddings, and both fused; and your own.
 *
 * @throws InputError `ARGUMENT` for a mode that is neither standard nor your own, and for a system of yours
 * that no mode uses, or that has the name of the tuned hybrid; what providers throw.
 */
export async function standardSystems(
  fixture: BenchFixture,
  {
    modes,
    embedder,
    liveEmbedder,
    lexical = {},
    hybrid = {},
    tune = false,
    own = [],
    onProgress,
    signal,
  }: StandardSystemsOptions,
): Promise<BenchSystem[]> {
  checkModes(modes, own, tune);
  const isWanted = (mode: string): boolean => modes?.includes(mode) ?? true;
  const ownSystem = (name: string): BenchSystem | undefined => own.find(({ mode }) => mode === name);
  const isWithoutVectors =
    embedder === undefined && liveEmbedder === undefined && ownSystem("embedding_only") === undefined;
  const unmade = modes?.find(
    (mode) => isWithoutVectors && mode !== BASELINE && ownSystem(mode) === undefined,
  );
  const isFused = tune || isWanted("hybrid");
  if (tune && isWithoutVectors)
    throw new InputError("ARGUMENT", "a hybrid is tuned over embeddings; give a provider");
  if (unmade !== undefined)
    throw new InputError(
      "ARGUMENT",
      `mode ${quote(unmade)} needs embeddings; give a provider, or leave the mode out`,
    );
  const baseline = ownSystem(BASELINE) ?? lexicalSystem(fixture, lexical);
  const tier = async (name: BenchTier, provider: EmbeddingProvider | undefined): Promise<BenchSystem[]> => {
    const [embedding, both] = [modeIn(name, "embedding_only"), modeIn(name, "hybrid")];
    if (!isWanted("embedding_only") && !isFused) return [];
    const second =
      ownSystem(embedding) ??
      (provider === undefined
        ? undefined
        : await embeddingSystem(fixture, { mode: embedding, tier: name }, provider, {
            onProgress: (done, total) => onProgress?.(`embedding with ${provider.model}`, done, total),
            signal,
          }));
    if (second === undefined) return [];
    const fused = ownSystem(both) ?? hybridSystem(both, baseline, second, hybrid);
    const tuned = tune
      ? [
          await tuneHybrid(fixture, baseline, second, {
            mode: modeIn(name, TUNED),
            tier: second.tier,
            hybrid,
            signal,
            onProgress: (done, total) => onProgress?.("tuning the hybrid", done, total),
          }),
        ]
      : [];
    return [
      ...(isWanted("embedding_only") ? [second] : []),
      ...(isWanted("hybrid") ? [fused] : []),
      ...tuned,
    ];
  };
  const tiers = [
    ...(await tier("offline", embedder)),
    ...(liveEmbedder === undefined ? [] : await tier("live_shadow", liveEmbedder)),
  ];
  const others = own.filter(
    ({ mode }) => isWanted(mode) && mode !== BASELINE && !tiers.some((system) => system.mode === mode),
  );
  return [...(isWanted(BASELINE) ? [baseline] : []), ...tiers, ...others];
}

/** Channels of a hybrid. */
const CHANNELS: readonly string[] = [BASELINE, "embedding_only"];

/** @throws InputError `ARGUMENT` for a mode that nothing answers, and for a system that no mode uses. */
function checkModes(modes: readonly string[] | undefined, own: readonly BenchSystem[], tune: boolean): void {
  const tuned = own.find(({ mode }) => [TUNED, modeIn("live_shadow", TUNED)].includes(mode));
  if (tuned !== undefined)
    throw new InputError(
      "ARGUMENT",
      `${quote(tuned.mode)} is the hybrid of which the weights are tuned here; call your system otherwise`,
    );
  if (modes === undefined) return;
  const known = [...new Set([...standardModes, ...own.map(({ mode }) => mode)])];
  const unknown = modes.find((mode) => !known.includes(mode));
  if (unknown !== undefined)
    throw new InputError(
      "ARGUMENT",
      `mode must be one of ${known.join(", ")}, got ${quote(unknown)}${nearestHint(unknown, known)}`,
    );
  const used = tune || modes.includes("hybrid") ? [...modes, ...CHANNELS] : modes;
  const inTiers = used.flatMap((mode) => [mode, modeIn("live_shadow", mode)]);
  const idle = own.find(({ mode }) => !inTiers.includes(mode));
  if (idle !== undefined)
    throw new InputError(
      "ARGUMENT",
      `your ${quote(idle.mode)} does nothing without the mode of this name; leave it out, or name the mode`,
    );
}

function lexicalSystem({ chunks }: BenchFixture, options: LexicalOptions): BenchSystem {
  const index = lexicalIndex(chunks, options);
  const { analyzer, idf, k1, b, weights } = index.settings;
  return {
    mode: BASELINE,
    retriever: index,
    description:
      `BM25, ${analyzer}, idf ${idf}, k1 ${k1}, b ${b}, ` + `title ${weights.title}, text ${weights.text}`,
  };
}

async function embeddingSystem(
  { chunks }: BenchFixture,
  { mode, tier }: { readonly mode: string; readonly tier: BenchTier },
  provider: EmbeddingProvider,
  options: Parameters<typeof embeddingIndex>[2],
): Promise<BenchSystem> {
  const index = await embeddingIndex(chunks, provider, options);
  return {
    mode,
    tier,
    retriever: index,
    description: `cosine of ${provider.model}, ${index.dimensions} dimensions`,
    embeddingModel: provider.model,
  };
}

function hybridSystem(
  mode: string,
  lexical: BenchSystem,
  embedding: BenchSystem,
  options: HybridOptions,
): BenchSystem {
  const method = typeof options.method === "object" ? options.method : parseFusion(options.method ?? "rrf");
  const fusion = fullFusionName(method);
  return {
    mode,
    tier: embedding.tier,
    retriever: hybridRetriever({ lexical: lexical.retriever, embedding: embedding.retriever }, options),
    description: `${lexical.mode} and ${embedding.mode}, fused by ${fusion}`,
    fusion,
    embeddingModel: embedding.embeddingModel,
    isRecorded: lexical.isRecorded === true || embedding.isRecorded === true,
    channels: [lexical.mode, embedding.mode],
  };
}
