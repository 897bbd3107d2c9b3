import { formatCount } from "../foundation/numbers/index.js";
import type { BenchFixture, BenchSystem } from "../bench/index.js";
import { asScoredRun, parseVectors } from "../formats/index.js";
import { InputError } from "../index.js";
import { contentOf, readAnyRun } from "../node/evaluate/index.js";
import { httpRetriever, runRetriever, storedVectors } from "../retrieve/index.js";
import { plainLine } from "./terminal.js";

/** What the user brings, as commander gives it. */
export interface SystemFlags {
  system?: string[];
  vectors?: string;
  queryVectors?: string;
}

/**
 * The modes that the user brings: runs, services, vectors.
 *
 * @throws InputError `ARGUMENT` for flags that cannot be meant, and for files that cannot be read.
 */
export async function ownSystems(
  fixture: BenchFixture,
  { system = [], vectors, queryVectors }: SystemFlags,
): Promise<BenchSystem[]> {
  const own: BenchSystem[] = [];
  if ((vectors === undefined) !== (queryVectors === undefined))
    throw new InputError(
      "ARGUMENT",
      "--vectors and --query-vectors go together: chunks and questions must be embedded by one model",
    );
  if (vectors !== undefined && queryVectors !== undefined)
    own.push(await vectorSystem(fixture, vectors, queryVectors));
  for (const given of system) {
    const mode = modeOfSystem(given);
    const source = given.slice(mode.length + 1);
    if (mode === "" || source === "")
      throw new InputError(
        "ARGUMENT",
        "--system must look like `embedding_only=dense.run` or " +
          `\`mine=http://localhost:8080/search\`, got \`${plainLine(given)}\``,
      );
    if (own.some((system) => system.mode === mode))
      throw new InputError(
        "ARGUMENT",
        `\`${plainLine(mode)}\` is given twice; give each system a name of its own`,
      );
    if (/^https?:\/\//i.test(source))
      own.push({
        mode,
        retriever: httpRetriever(source),
        description: `the service at ${new URL(source).origin}`,
      });
    else
      own.push({
        mode,
        isRecorded: true,
        description: `the run ${source}`,
        retriever: runRetriever(asRun((await readAnyRun(source)).run, fixture)),
      });
  }
  return own;
}

/** The mode that `--system MODE=SOURCE` names. */
export function modeOfSystem(given: string): string {
  return given.split("=", 1)[0] ?? "";
}

async function vectorSystem(
  { chunks, cases }: BenchFixture,
  chunkFile: string,
  queryFile: string,
): Promise<BenchSystem> {
  const [ofChunks, ofQueries] = [
    parseVectors(await contentOf(chunkFile), chunkFile),
    parseVectors(await contentOf(queryFile), queryFile),
  ];
  const lacking = [
    [
      chunks.filter(({ chunk_id }) => !ofChunks.has(chunk_id)).length,
      chunks.length,
      "chunks, which are never found",
      chunkFile,
    ] as const,
    [
      cases.filter(({ case_id }) => !ofQueries.has(case_id)).length,
      cases.length,
      "questions, which fail",
      queryFile,
    ] as const,
  ];
  const warnings = lacking.flatMap(([count, all, what, file]) =>
    count === 0
      ? []
      : [
          {
            code: "VECTORS_MISSING" as const,
            message: `${file} has no vectors for ${formatCount(count)} of ${formatCount(all)} ${what}`,
            count,
          },
        ],
  );
  return {
    mode: "embedding_only",
    isRecorded: true,
    description: `cosine of the vectors in ${chunkFile}`,
    retriever: storedVectors(chunks, ofChunks, ofQueries),
    warnings,
  };
}

/** Recorded runs have chunks and documents; other formats name whatever is judged. */
function asRun(
  run: Parameters<typeof asScoredRun>[0],
  { unit }: BenchFixture,
): Parameters<typeof runRetriever>[0] {
  return run instanceof Map ? asScoredRun(run, unit) : run;
}
