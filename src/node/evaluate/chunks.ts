import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import type { Gunzip } from "node:zlib";
import { InputError, isRankproofError } from "../../foundation/errors/index.js";
import type { ByteReader } from "../../formats/index.js";
import { lookAt, readError, STANDARD_INPUT } from "../../files/index.js";

/** One read of a file: large enough that calls cost nothing, small enough for the processor's cache. */
const CHUNK = 1 << 18;
const GZIP = [0x1f, 0x8b] as const;
/** `PAR1` */
const PARQUET = [0x50, 0x41, 0x52, 0x31] as const;

const UTF16 = "is UTF-16, not UTF-8; save it as UTF-8";
const packedText = (by: string): string => `is packed by ${by}; unpack it first, or pack it by gzip`;
/** What begins with these bytes, and what to do about it. */
const OTHER_CONTENT: readonly (readonly [head: readonly number[], what: string])[] = [
  [[0xff, 0xfe], UTF16],
  [[0xfe, 0xff], UTF16],
  [[0x04, 0x22, 0x4d, 0x18], packedText("lz4")],
  [[0x28, 0xb5, 0x2f, 0xfd], packedText("zstd")],
  [[0x42, 0x5a, 0x68], packedText("bzip2")],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], packedText("xz")],
  [[0x50, 0x4b, 0x03, 0x04], packedText("zip")],
];

/** What was read of the standard input and of pipes, which can be read once only. */
const readOnce = new Map<string, Uint8Array[]>();

/**
 * The bytes of a file in chunks, unpacked where it is gzip, and as lines of JSON where it is Parquet. A chunk
 * is overwritten by the next one. `-` is the standard input; it and pipes are kept in memory, so that they
 * can be asked for again.
 *
 * @throws InputError for a file that is not there, cannot be read, or is not the gzip that it begins as.
 */
export function fileChunks(path: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (path === STANDARD_INPUT || isPipe(path)) {
    const chunks =
      readOnce.get(path) ??
      keepChunks(path === STANDARD_INPUT ? plainChunks(0, path) : openChunks(path), path);
    readOnce.set(path, chunks);
    const head = firstBytes(chunks);
    if (isParquet(head)) return parquetRows(path, Buffer.concat(chunks));
    return isGzip(head) ? unpackChunks(chunks, path) : chunks;
  }
  const head = fileHead(path, PARQUET.length);
  return isGzip(head) ? unpackFile(path) : isParquet(head) ? parquetRows(path) : textChunks(path);
}

/** Lines of JSON as a Parquet file: `FILE_UNREADABLE` where a package is missing. */
export async function parquetOf(lines: Iterable<string>, path: string): Promise<Uint8Array> {
  return (await import("./parquet.js")).parquetOf(lines, path);
}

async function* parquetRows(path: string, content?: Uint8Array): AsyncIterable<Uint8Array> {
  yield* (await import("./parquet.js")).parquetChunks(path, content);
}

/** The bytes of a plain file in chunks; a chunk is overwritten by the next one. */
function* textChunks(path: string): Iterable<Uint8Array> {
  for (const chunk of openChunks(path)) yield withoutZeroBytes(chunk, path);
}

/** The first zero byte tells of a device, a packed bomb or a wrong file before all of it is read. */
function withoutZeroBytes(chunk: Uint8Array, path: string): Uint8Array {
  // A Buffer finds a byte fifty times as fast as a Uint8Array.
  if (Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).includes(0)) {
    const [, what] = OTHER_CONTENT.find(([head]) => head.every((byte, at) => chunk[at] === byte)) ?? [
      [],
      "has a zero byte, which no file of text may have; check that it is the right file, saved as UTF-8",
    ];
    throw new InputError("FILE_ENCODING", `${path}: ${what}`, { path });
  }
  return chunk;
}

/** Most bytes of what is read as a whole: documents, judgments, corpora, and what comes through a pipe. */
const MAX_CONTENT_BYTES = 2 ** 31;

function tooLarge(path: string): InputError {
  return new InputError(
    "FILE_TOO_LARGE",
    `${path}: is larger than 2 GiB unpacked, the most that is read as a whole; runs in TREC's ` +
      "format or JSONL are read line by line, from a file",
    { path, limit: MAX_CONTENT_BYTES },
  );
}

/** Copies of chunks, made before the next one takes their place. */
function keepChunks(chunks: Iterable<Uint8Array>, path: string): Uint8Array[] {
  const copies: Uint8Array[] = [];
  let length = 0;
  for (const chunk of chunks) {
    const head = firstBytes(copies.length === 0 ? [chunk] : copies);
    copies.push((isGzip(head) || isParquet(head) ? chunk : withoutZeroBytes(chunk, path)).slice());
    length += chunk.length;
    if (length > MAX_CONTENT_BYTES) throw tooLarge(path);
  }
  return copies;
}

/** The first four bytes; a pipe may give them one by one. */
function firstBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0)] = chunks;
  if (first.length >= PARQUET.length) return first;
  return Uint8Array.from(
    chunks.slice(0, PARQUET.length).flatMap((chunk) => [...chunk.subarray(0, PARQUET.length)]),
  );
}

function isPipe(path: string): boolean {
  const there = lookAt(path);
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** The bytes of a file, packed or not; 0 where it is none. */
export function fileSize(path: string): number {
  const there = lookAt(path);
  return there?.isFile() === true ? there.size : 0;
}

/** Whether a file, not the standard input nor a pipe, begins as Parquet does. */
export function isParquetFile(path: string): boolean {
  return path !== STANDARD_INPUT && !isPipe(path) && isParquet(fileHead(path, PARQUET.length));
}

function isParquet(bytes: Uint8Array): boolean {
  return PARQUET.every((byte, at) => bytes[at] === byte);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === GZIP[0] && bytes[1] === GZIP[1];
}

function openInput(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw readError(path, error);
  }
}

/** The first bytes of a file, as they are in it. */
function fileHead(path: string, length: number): Uint8Array {
  const file = openInput(path);
  try {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, null));
  } catch (error) {
    throw readError(path, error);
  } finally {
    closeSync(file);
  }
}

function* openChunks(path: string): Iterable<Uint8Array> {
  const file = openInput(path);
  try {
    yield* plainChunks(file, path);
  } finally {
    closeSync(file);
  }
}

/** How long a pipe that has nothing yet is left alone. */
const PAUSE_MS = 2;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

function* plainChunks(file: number, path: string): Iterable<Uint8Array> {
  const buffer = new Uint8Array(CHUNK);
  for (;;) {
    let count: number;
    try {
      count = readSync(file, buffer, 0, CHUNK, null);
    } catch (error) {
      // A pipe that has nothing yet, and one that is at its end.
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EAGAIN") {
        Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
        continue;
      }
      if (code === "EOF") return;
      throw readError(path, error);
    }
    if (count === 0) return;
    yield buffer.subarray(0, count);
  }
}

/** Loaded only when it is needed: streams take longer to start than a small run to score. */
const newGunzip = async (): Promise<Gunzip> => (await import("node:zlib")).createGunzip({ chunkSize: CHUNK });

async function* unpackFile(path: string): AsyncIterable<Uint8Array> {
  const gunzip = await newGunzip();
  const source = createReadStream(path, { highWaterMark: CHUNK });
  source.on("error", (error) => gunzip.destroy(error));
  try {
    yield* readable(source.pipe(gunzip), path);
  } finally {
    source.destroy();
  }
}

async function* unpackChunks(chunks: readonly Uint8Array[], path: string): AsyncIterable<Uint8Array> {
  const gunzip = await newGunzip();
  for (const chunk of chunks) gunzip.write(chunk);
  gunzip.end();
  yield* readable(gunzip, path);
}

async function* readable(stream: AsyncIterable<unknown>, path: string): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of stream) yield withoutZeroBytes(chunk as Uint8Array, path);
  } catch (error) {
    if (isRankproofError(error)) throw error;
    throw new InputError(
      "FILE_UNREADABLE",
      `${path}: is not the gzip file that it begins as: ` +
        `${error instanceof Error ? error.message : String(error)}`,
      { path },
      error,
    );
  }
}

/** The first bytes of a file's content, unpacked. */
export async function contentHead(path: string, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of fileChunks(path)) {
    const part = chunk.subarray(0, length - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === length) break;
  }
  return head.subarray(0, filled);
}

/** The whole content of a file, unpacked. */
export async function contentOf(path: string): Promise<Uint8Array> {
  return read(path, contentReader(path));
}

/** What a reader makes of a file's content, unpacked. */
export async function read<T>(path: string, reader: ByteReader<T>): Promise<T> {
  for await (const chunk of fileChunks(path)) reader.write(chunk);
  return reader.end();
}

function contentReader(path: string): ByteReader<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    write(chunk) {
      length += chunk.length;
      if (length > MAX_CONTENT_BYTES) throw tooLarge(path);
      chunks.push(chunk.slice());
    },
    end: () => Buffer.concat(chunks, length),
  };
}
