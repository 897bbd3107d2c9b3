import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { EmbeddingCache } from "../retrieve/index.js";
import { makeFolders, readError, systemCode, withWriteLock, writeError } from "../files/index.js";

/** Begins every file: what it is, and in which version. A file that begins otherwise counts as damaged. */
const HEADER = Buffer.from("rankproof vectors 1\n");
const KEY_BYTES = 32;
const WORD_BYTES = 4;
/** What a record has before its numbers: the key, and how many numbers follow. */
const HEAD_BYTES = KEY_BYTES + WORD_BYTES;
/**
 * Records are read in blocks of this size when a file is opened: large enough that the disk, not the calls,
 * takes the time.
 */
const BLOCK_BYTES = 2 ** 22;
const LOCK_TIMEOUT_MS = 10_000;

/**
 * An embedding cache in a folder, which is made when something is first kept: a file for each identity, named
 * by its hash, to which records are appended. It holds hashes and vectors, no texts and no settings.
 *
 * Nothing that was kept is lost when the process is killed: what was being written then is ignored, and cut
 * off by the next write. Processes that keep vectors at the same time wait for each other. To empty it,
 * delete the folder.
 *
 * @throws InputError `FILE_UNREADABLE` from `get`
 * @throws AdapterError `STORE_WRITE`, `STORE_LOCKED` from `set`
 */
export function fileEmbeddingCache(folder: string): EmbeddingCache {
  const files = new Map<string, VectorFile>();
  const fileOf = (identity: string): VectorFile => {
    const file =
      files.get(identity) ??
      new VectorFile(
        join(folder, `${createHash("sha256").update(identity).digest("hex").slice(0, KEY_BYTES)}.vectors`),
      );
    files.set(identity, file);
    return file;
  };
  return {
    async get(identity, keys) {
      return fileOf(identity).read(keys);
    },
    async set(identity, entries) {
      if (entries.length === 0) return;
      try {
        makeFolders(folder);
      } catch (error) {
        throw writeError(folder, error, "STORE_WRITE");
      }
      const file = fileOf(identity);
      await withWriteLock(file.path, LOCK_TIMEOUT_MS, () => file.append(entries));
    },
  };
}

/** Where a record is in its file, in bytes. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/**
 * One file of records: 32 bytes of key, the count of numbers, the numbers in single precision, the CRC-32 of
 * all that; little-endian. In memory are the places only.
 */
class VectorFile {
  readonly path: string;
  readonly #places = new Map<string, Place>();
  /** Where the sound records end; what follows is on its way from another process, or torn. */
  #end = 0;
  /** The file that the places are of: it may have been deleted since, and another begun. */
  #seen = "";

  constructor(path: string) {
    this.path = path;
  }

  read(keys: readonly string[]): (Float32Array | undefined)[] {
    let file: number | undefined;
    try {
      file = openSync(this.path, "r");
      this.#catchUp(file);
      return keys.map((key) => this.#vector(file as number, key));
    } catch (error) {
      if (systemCode(error) === "ENOENT") return keys.map(() => undefined);
      throw readError(this.path, error);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** To be called under the lock, so that what follows the sound records is torn, not on its way. */
  append(entries: readonly (readonly [string, Float32Array])[]): void {
    try {
      const file = openSync(this.path, constants.O_RDWR | constants.O_CREAT);
      try {
        this.#catchUp(file);
        const fresh = entries
          .filter(([key]) => !this.#places.has(key))
          .map(([key, vector]) => recordOf(key, vector));
        ftruncateSync(file, this.#end);
        writeAll(file, Buffer.concat(this.#end === 0 ? [HEADER, ...fresh] : fresh), this.#end);
        this.#catchUp(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw writeError(this.path, error, "STORE_WRITE");
    }
  }

  /** Takes note of the records that were added since, up to the first that is not sound. */
  #catchUp(file: number): void {
    const { ino, birthtimeNs, size: length } = fstatSync(file, { bigint: true });
    const size = Number(length);
    const seen = `${ino}:${birthtimeNs}`;
    if (seen !== this.#seen || size < this.#end) {
      this.#places.clear();
      this.#end = 0;
      this.#seen = seen;
    }
    const bytes = blockReader(file, size);
    if (this.#end === 0 && HEADER.equals(bytes(0, HEADER.length))) this.#end = HEADER.length;
    if (this.#end === 0) return;
    for (
      let record = soundRecord(bytes, this.#end);
      record !== undefined;
      record = soundRecord(bytes, this.#end)
    ) {
      this.#places.set(keyOf(record), { at: this.#end, length: record.length });
      this.#end += record.length;
    }
  }

  #vector(file: number, key: string): Float32Array | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const record = bytesAt(file, place.at, place.length);
    if (isSound(record) && keyOf(record) === key) return numbersOf(record);
    // Damaged since it was noted: it may be kept anew.
    this.#places.delete(key);
    return undefined;
  }
}

function recordOf(key: string, vector: Float32Array): Buffer {
  const record = Buffer.alloc(HEAD_BYTES + WORD_BYTES * (vector.length + 1));
  record.write(key, "hex");
  const view = viewOf(record);
  view.setUint32(KEY_BYTES, vector.length, true);
  vector.forEach((value, index) => view.setFloat32(HEAD_BYTES + WORD_BYTES * index, value, true));
  view.setUint32(record.length - WORD_BYTES, crc32(record.subarray(0, -WORD_BYTES)), true);
  return record;
}

/** The record that begins at a place; undefined where none does, or not a whole and sound one. */
function soundRecord(bytes: (at: number, length: number) => Buffer, at: number): Buffer | undefined {
  const head = bytes(at, HEAD_BYTES);
  if (head.length < HEAD_BYTES) return undefined;
  const record = bytes(at, HEAD_BYTES + WORD_BYTES * (head.readUInt32LE(KEY_BYTES) + 1));
  return isSound(record) ? record : undefined;
}

function isSound(record: Buffer): boolean {
  if (
    record.length < HEAD_BYTES + WORD_BYTES ||
    record.length !== HEAD_BYTES + WORD_BYTES * (record.readUInt32LE(KEY_BYTES) + 1)
  )
    return false;
  return crc32(record.subarray(0, -WORD_BYTES)) === record.readUInt32LE(record.length - WORD_BYTES);
}

function keyOf(record: Buffer): string {
  return record.toString("hex", 0, KEY_BYTES);
}

function numbersOf(record: Buffer): Float32Array {
  const view = viewOf(record);
  const numbers = new Float32Array(view.getUint32(KEY_BYTES, true));
  for (let index = 0; index < numbers.length; index++)
    numbers[index] = view.getFloat32(HEAD_BYTES + WORD_BYTES * index, true);
  return numbers;
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/**
 * Bytes at a place, fewer at the file's end; read in blocks, for those who go through a file from front to
 * back.
 */
function blockReader(file: number, size: number): (at: number, length: number) => Buffer {
  let start = 0;
  let block: Buffer = Buffer.alloc(0);
  return (at, length) => {
    // A torn length may be any number: no more is asked for than the file has.
    const end = Math.min(at + length, size);
    if (at < start || end > start + block.length) {
      start = at;
      block = bytesAt(file, at, Math.max(end - at, Math.min(BLOCK_BYTES, size - at)));
    }
    return block.subarray(at - start, Math.max(end, at) - start);
  };
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  for (let count = -1; filled < length && count !== 0; filled += count)
    count = readSync(file, bytes, filled, length - filled, at + filled);
  return bytes.subarray(0, filled);
}

function writeAll(file: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
}
