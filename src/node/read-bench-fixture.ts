import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { BenchFixture } from "../bench/index.js";
import type { Chunker } from "../chunk/index.js";
import { InputError } from "../foundation/errors/index.js";
import { parseDocuments, parseQueries } from "../formats/index.js";
import { locateBenchFixture } from "../formats/internal.js";
import { contentOf } from "./evaluate/chunks.js";
import { loadQrels } from "./evaluate/evaluate-files.js";
import { lookAt, stemOf } from "../files/index.js";

/** How a folder with a collection is read. A fixture in one file says all of this itself. */
export interface BenchFixtureOptions {
  /** The documents, if not `corpus.jsonl` of the folder. */
  readonly corpus?: string | undefined;
  /** The queries, if not `queries.jsonl` of the folder. */
  readonly queries?: string | undefined;
  /** The judgments, if not `qrels.txt`, `qrels.tsv` or `qrels/test.tsv` of the folder. */
  readonly qrels?: string | undefined;
  /** How documents are cut; whole unless given. */
  readonly chunker?: Chunker | undefined;
  /** So many documents count for each query. Default 10. */
  readonly topK?: number | undefined;
}

/** Where files of a collection are looked for; BEIR's judgments are in a folder of their own. */
const NAMES = {
  corpus: ["corpus.jsonl"],
  queries: ["queries.jsonl"],
  qrels: ["qrels.txt", "qrels.tsv", "qrels/test.tsv"],
};

/**
 * Reads a benchmark fixture: a JSON file of papers and cases, or a folder with the documents, queries and
 * judgments of a collection. All files may be packed with gzip.
 *
 * @throws InputError for files that are not there or cannot be read, with every problem of what they hold,
 * each with its place.
 */
export async function readBenchFixture(
  path: string,
  options: BenchFixtureOptions = {},
): Promise<BenchFixture> {
  if (lookAt(path)?.isDirectory() !== true) {
    const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined)
      throw new InputError(
        "ARGUMENT",
        `${path}: a fixture in one file already sets what \`${given}\` would say; leave the option ` +
          "out, or name a folder",
        { path },
      );
    const { fixture, locate } = locateBenchFixture(await contentOf(path), path);
    // Loaded with the first fixture: who reads a golden set needs no retrievers, stemmers and stop words.
    const { paperBenchFixture } = await import("../bench/index.js");
    return paperBenchFixture(fixture, { name: stemOf(path), locate });
  }
  const { chunker, topK } = options;
  const [corpus, queries, qrels] = (["corpus", "queries", "qrels"] as const).map(
    (part) => options[part] ?? collectionFile(path, part),
  ) as [string, string, string];
  const { collectionBenchFixture } = await import("../bench/index.js");
  return collectionBenchFixture({
    name: basename(resolve(path)),
    documents: parseDocuments(await contentOf(corpus), corpus),
    queries: parseQueries(await contentOf(queries), queries),
    qrels: (await loadQrels(qrels)).qrels(),
    chunker,
    topK,
  });
}

/**
 * The file of a collection in a folder.
 *
 * @throws InputError `FILE_NOT_FOUND`, and `ARGUMENT` where there are several.
 */
export function collectionFile(folder: string, part: keyof typeof NAMES): string {
  const candidates = NAMES[part].flatMap((name) => [name, `${name}.gz`]);
  const [found, ...others] = candidates.filter((name) => existsSync(join(folder, name)));
  if (found === undefined)
    throw new InputError(
      "FILE_NOT_FOUND",
      `${folder}: has none of ${listNames(candidates)}; name the file with \`${part}\` (\`--${part}\`)`,
      { path: folder },
    );
  if (others.length > 0)
    throw new InputError(
      "ARGUMENT",
      `${folder}: has ${listNames([found, ...others])}; ` +
        `name the one to take with \`${part}\` (\`--${part}\`)`,
      { path: folder },
    );
  return join(folder, found);
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
