import {
  expectShape,
  isA,
  checkKnownOptions,
  listOf,
  nullish,
  ownValue,
  recordOf,
  text,
} from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { spanNumbers, type ChunkRecord, type EvalRun } from "../records/index.js";
import { checkRun, chunkPlaceOf, type ChunkQuery, type SaveOptions } from "./eval-store.js";

/*
 * What stores are given by code without types. They check the same, so that none keeps what another could not
 * give back, or replaces a run by a slip.
 */

const OPTIONAL = ["char_start", "char_end", "region.page"];

/** Of a known kind, with the numbers of that kind. */
function isSpan(value: unknown): boolean {
  const span = (value ?? {}) as Readonly<Record<string, unknown>>;
  const kind = String(span["kind"]);
  const names = kind === "caption" ? [] : ownValue(spanNumbers, kind);
  if (typeof span["kind"] !== "string" || names === undefined) return false;
  const isOfLines = kind === "line" || kind === "code";
  return names.every((name) => {
    const number = span[name];
    if (number == null) return OPTIONAL.includes(name) || OPTIONAL.includes(`${kind}.${name}`);
    const least = isOfLines ? 1 : name === "x" || name === "y" ? -Infinity : 0;
    const isWhole = !isOfLines && name !== "page" ? Number.isFinite(number) : Number.isSafeInteger(number);
    return isWhole && (number as number) >= least;
  });
}
const ADVICE = "give an object with `chunk_id` and `doc_id`";
const filled = isA("a text that is not empty", (value) => typeof value === "string" && value !== "");
const places = listOf(
  recordOf(
    {
      chunk_id: filled,
      doc_id: filled,
      doc_path: nullish(text),
      source_spans: nullish(listOf(isA("a span of a known kind", isSpan))),
      chunker_version: nullish(text),
    },
    ADVICE,
  ),
);

/** What a run is archived with is made of its hits, whose places are taken as they are. */
const archived = listOf(recordOf({ chunk_id: text, doc_id: text }, ADVICE));

function checkChunks(chunks: readonly ChunkRecord[]): void {
  expectShape(chunks, places, "CORPUS_SHAPE", "chunks", "chunks");
}

/**
 * Refuses what is no list of chunks with their places, and a knowledge base that contradicts itself: a chunk
 * id twice, a path that two documents share, a document of two paths.
 *
 * @throws InputError `CORPUS_SHAPE`
 */
export function checkCorpus(chunks: readonly ChunkRecord[]): void {
  checkChunks(chunks);
  const ids = new Set<string>();
  const documents = new Map<string, string>();
  const paths = new Map<string, string>();
  for (const chunk of chunks) {
    if (ids.has(chunk.chunk_id))
      throw new InputError(
        "CORPUS_SHAPE",
        `chunk ${quote(chunk.chunk_id)} is duplicated; every chunk needs an id of its own`,
        { chunkId: chunk.chunk_id },
      );
    ids.add(chunk.chunk_id);
    const { doc_path } = chunkPlaceOf(chunk);
    const other = documents.get(doc_path) ?? chunk.doc_id;
    if (other !== chunk.doc_id)
      throw new InputError(
        "CORPUS_SHAPE",
        `documents ${quote(other)} and ${quote(chunk.doc_id)} have the same path ` +
          `${quote(doc_path)}; a path belongs to one document`,
        { path: doc_path },
      );
    documents.set(doc_path, chunk.doc_id);
    const path = paths.get(chunk.doc_id) ?? doc_path;
    if (path !== doc_path)
      throw new InputError(
        "CORPUS_SHAPE",
        `document ${quote(chunk.doc_id)} has two paths, ${quote(path)} and ${quote(doc_path)}; all ` +
          "its chunks must name the same",
        { docId: chunk.doc_id },
      );
    paths.set(chunk.doc_id, doc_path);
  }
}

/**
 * A run to be saved, and how.
 *
 * @throws InputError as {@link checkRun}; `ARGUMENT` for options that are none, `CORPUS_SHAPE` for chunks.
 */
export function checkSave(
  run: EvalRun,
  options: SaveOptions = {},
): { readonly replace: boolean; readonly archive: readonly ChunkRecord[] } {
  checkRun(run);
  const { replace = false, archive = [] } = checkKnownOptions(options, ["replace", "archive"]);
  if (typeof (replace as unknown) !== "boolean")
    throw new InputError("ARGUMENT", `replace must be true or false, got ${quote(replace)}`);
  expectShape(archive, archived, "CORPUS_SHAPE", "chunks", "chunks");
  return { replace, archive };
}

/** What chunks are looked for. @throws InputError `ARGUMENT` for no list of ids. */
export function checkChunkQuery(query: ChunkQuery): {
  readonly chunkIds: Iterable<string>;
  readonly docPaths: Iterable<string>;
} {
  const { chunkIds = [], docPaths = [] } = checkKnownOptions(query, ["chunkIds", "docPaths"]);
  return { chunkIds: checkIds("chunkIds", chunkIds), docPaths: checkIds("docPaths", docPaths) };
}

/** A text would be taken for the list of its characters. */
function checkIds(name: string, ids: unknown): Iterable<string> {
  if (typeof ids === "object" && ids !== null && Symbol.iterator in ids) return ids as Iterable<string>;
  throw new InputError("ARGUMENT", `${name} must be a list of ids, got ${quote(ids)}`);
}

/** How a store is opened. */
export interface OpenOptions {
  readonly create?: boolean | undefined;
  readonly lockTimeoutMs?: number | undefined;
}

/**
 * How a store is opened, where a slip would begin another one, or wait for ever.
 *
 * @param more names of further options.
 * @throws InputError `ARGUMENT`
 */
export function checkOpening<T extends OpenOptions>(options: T, more: readonly (keyof T & string)[] = []): T {
  const { create, lockTimeoutMs } = checkKnownOptions(options, ["create", "lockTimeoutMs", ...more]);
  if (create !== undefined && typeof (create as unknown) !== "boolean")
    throw new InputError("ARGUMENT", `create must be true or false, got ${quote(create)}`);
  if (lockTimeoutMs !== undefined && !(typeof (lockTimeoutMs as unknown) === "number" && lockTimeoutMs >= 0))
    throw new InputError("ARGUMENT", `lockTimeoutMs must be a number from 0, got ${quote(lockTimeoutMs)}`);
  return options;
}
