import { open } from "node:fs/promises";
import type { AsyncBuffer, FileMetaData } from "hyparquet";
import type { AnyQrels, AnyRun } from "../../formats/index.js";
import {
  columnsRead,
  qrelsOfRows,
  RowCollector,
  runOfRows,
  type NamedRow,
  type Role,
} from "../../formats/internal.js";
import { InputError, isRankproofError, messageOf } from "../../foundation/errors/index.js";

/** What is made of rows at once. */
const ROWS_AT_ONCE = 5000;

/** Bytes that are no UTF-8; so that a row can be named, the decoder leaves this. */
const NOT_UTF8 = Symbol("bytes that are no UTF-8");

/** The packages that read and write Parquet, with a message where they are missing. */
async function parquetPackage<T>(path: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new InputError(
      "FILE_UNREADABLE",
      `${path}: Parquet needs packages besides: npm install hyparquet hyparquet-compressors hyparquet-writer`,
      { path },
      error,
    );
  }
}

/**
 * The rows of a Parquet file as lines of JSON, row group by row group, so that the line of a problem is the
 * number of its row. Cells without a value are left out.
 *
 * @param content the whole file, where it came through a pipe.
 * @throws InputError `FILE_UNREADABLE` for what is no Parquet file, `FILE_ENCODING` for ids that are no text.
 */
export async function* parquetChunks(path: string, content?: Uint8Array): AsyncIterable<Uint8Array> {
  const { parquetReadObjects } = await parquetPackage(path, () => import("hyparquet"));
  const { given, close } = await openParquet(path, content);
  try {
    let rowStart = 0;
    for (const { num_rows } of given.metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = await readable(path, () => parquetReadObjects({ ...given, rowStart, rowEnd }));
      checkCount(path, rows.length, rowStart, rowEnd);
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        const some = rows.slice(at, at + ROWS_AT_ONCE);
        const lines = some.map((row, index) => `${lineOf(row, `${path}:${rowStart + at + index + 1}`)}\n`);
        yield new TextEncoder().encode(lines.join(""));
      }
      rowStart = rowEnd;
    }
    if (rowStart === 0)
      throw new InputError(
        "FILE_UNREADABLE",
        `${path}: has no rows; its columns are ${columnsOf(given.metadata).join(", ")}`,
        { path },
      );
  } finally {
    await close();
  }
}

/** The run of a Parquet file; null for a file that is no table of a run. Throws as {@link parquetTable}. */
export async function parquetRun(path: string): Promise<AnyRun | null> {
  const rows = await parquetTable(path, "run");
  return rows && runOfRows("parquet", rows);
}

/** The judgments of a Parquet file; null for a file that is no table of them. */
export async function parquetQrels(path: string): Promise<AnyQrels | null> {
  const rows = await parquetTable(path, "qrels");
  return rows && qrelsOfRows("parquet", rows);
}

/**
 * The rows of a Parquet file of a run or of judgments, of which only the columns are read that say something
 * of it; null for a file of something else, and for one without rows. It takes a third of the time that lines
 * of JSON take.
 *
 * @throws InputError with all problems, each with its row; as {@link parquetChunks} for a broken file.
 */
async function parquetTable(path: string, role: Role): Promise<RowCollector | null> {
  const { parquetRead, parquetSchema } = await parquetPackage(path, () => import("hyparquet"));
  const { given, close } = await openParquet(path);
  try {
    const { children } = parquetSchema(given.metadata);
    const names = columnsRead(
      children.map(({ element }) => element.name),
      role,
    );
    const areFlat = children.every(({ element, children: parts }) => {
      return names?.includes(element.name) !== true || parts.length === 0;
    });
    if (names === null || !areFlat || given.metadata.num_rows === 0n) return null;
    const collector = new RowCollector(role);
    let rowStart = 0;
    for (const { num_rows } of given.metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = new ParquetRows(path, names, rowStart);
      await readable(path, () =>
        parquetRead({
          ...given,
          columns: names,
          rowStart,
          rowEnd,
          onChunk: ({ columnName, columnData }) => rows.add(columnName, columnData),
        }),
      );
      for (const count of rows.counts) checkCount(path, count, rowStart, rowEnd);
      for (; rows.row < rowEnd; rows.row++) collector.add(rows);
      rowStart = rowEnd;
    }
    return collector.check();
  } finally {
    await close();
  }
}

/** The rows of a row group, one after the other. */
class ParquetRows implements NamedRow {
  readonly #path: string;
  readonly #start: number;
  readonly #columns: ReadonlyMap<string, unknown[]>;
  /** The row that is looked at, counted from 0 on in the file. */
  row: number;

  constructor(path: string, columns: readonly string[], start: number) {
    this.#path = path;
    this.#columns = new Map(columns.map((name) => [name, []]));
    this.row = this.#start = start;
  }

  /** Takes the next cells of a column. */
  add(column: string, cells: ArrayLike<unknown>): void {
    const all = this.#columns.get(column) as unknown[];
    for (let at = 0; at < cells.length; at++) all.push(cells[at]);
  }

  get counts(): number[] {
    return Array.from(this.#columns.values(), ({ length }) => length);
  }

  readonly values = {
    has: (name: string): boolean => this.#cell(name) != null,
    get: (name: string): unknown => {
      const cell = this.#cell(name);
      return typeof cell === "string" ? cell : asInJson(plain(cell, name, this.place().where));
    },
  };

  place(): { where: string; line: number } {
    const line = this.row + 1;
    return { where: `${this.#path}:${line}`, line };
  }

  #cell(name: string): unknown {
    return this.#columns.get(name)?.[this.row - this.#start];
  }
}

/** A value as a line of JSON would have it. */
function asInJson(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : value;
}

/** How a file is read, and what closes it. */
async function openParquet(path: string, content?: Uint8Array) {
  const { parquetMetadataAsync } = await parquetPackage(path, () => import("hyparquet"));
  const { compressors } = await parquetPackage(path, () => import("hyparquet-compressors"));
  const { file, close } =
    content === undefined ? await bufferOf(path) : { file: memoryOf(content), close: noop };
  try {
    const metadata = await readable(path, () => parquetMetadataAsync(file));
    return { given: { file, metadata, compressors, utf8: false, parsers: { stringFromBytes } }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws InputError where a file has less rows than it says. */
function checkCount(path: string, count: number, rowStart: number, rowEnd: number): void {
  if (count !== rowEnd - rowStart)
    throw broken(path, `has ${count} of ${rowEnd - rowStart} rows from row ${rowStart + 1} on`);
}

/**
 * Lines of JSON as a Parquet file: a column for each key, of numbers where all values are numbers, of JSON
 * where any is an object, else of text.
 *
 * @param path as messages name it.
 */
export async function parquetOf(lines: Iterable<string>, path: string): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await parquetPackage(path, () => import("hyparquet-writer"));
  const columns = new Map<string, unknown[]>();
  let [count, rest] = [0, ""];
  const add = (line: string): void => {
    if (line === "") return;
    for (const [name, value] of Object.entries(JSON.parse(line) as object)) {
      let data = columns.get(name);
      if (data === undefined) columns.set(name, (data = []));
      data[count] = value ?? undefined;
    }
    count++;
  };
  for (const part of lines) {
    const whole = (rest + part).split("\n");
    rest = whole.pop() as string;
    whole.forEach(add);
  }
  add(rest);
  const columnData = [...columns].map(([name, data]) => {
    // Of the last rows some may have no value.
    data.length = count;
    const values = Array.from(data, (value) => value ?? null);
    const given = values.filter((value) => value !== null);
    const all = (type: string): boolean => given.every((value) => typeof value === type);
    const nullable = given.length < count;
    if (all("number")) {
      const areWhole = given.every((value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31);
      return { name, data: values, nullable, type: areWhole ? ("INT32" as const) : ("DOUBLE" as const) };
    }
    if (all("boolean")) return { name, data: values, nullable, type: "BOOLEAN" as const };
    if (given.some((value) => typeof value === "object"))
      return { name, data: values, nullable, type: "JSON" as const };
    const texts = values.map((value) => (typeof value === "number" ? String(value) : value));
    return { name, data: texts, nullable, type: "STRING" as const };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function noop(): Promise<void> {
  return Promise.resolve();
}

function memoryOf(content: Uint8Array): AsyncBuffer {
  const whole = content.slice().buffer;
  return { byteLength: whole.byteLength, slice: (start, end) => whole.slice(start, end) };
}

async function bufferOf(path: string): Promise<{ file: AsyncBuffer; close: () => Promise<void> }> {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  return {
    file: {
      byteLength: size,
      async slice(start, end = size) {
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
        for (let read = 0; read < bytes.length;) {
          const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read);
          if (bytesRead === 0) throw new Error("it became shorter while it was read");
          read += bytesRead;
        }
        return bytes.buffer;
      },
    },
    close: () => handle.close(),
  };
}

function columnsOf({ schema }: FileMetaData): string[] {
  return schema.slice(1).map(({ name }) => name);
}

/** What the packages throw says nothing of the file. */
async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isRankproofError(error)) throw error;
    throw broken(path, messageOf(error), error);
  }
}

function broken(path: string, why: string, cause?: unknown): InputError {
  return new InputError(
    "FILE_UNREADABLE",
    `${path}: is not the whole Parquet file that it begins as: ${why}; make or copy it again`,
    { path },
    cause,
  );
}

function stringFromBytes(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    return STRICT.decode(bytes);
  } catch {
    return NOT_UTF8;
  }
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function lineOf(row: Readonly<Record<string, unknown>>, where: string): string {
  const given = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(Object.fromEntries(given.map(([name, value]) => [name, plain(value, name, where)])));
}

/** A value as JSON has it: whole numbers of 64 bits as text where they would lose digits. */
function plain(value: unknown, name: string, where: string): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const text = value instanceof Uint8Array ? stringFromBytes(value) : value;
  if (text === NOT_UTF8)
    throw new InputError(
      "FILE_ENCODING",
      `${where}: ${name} has bytes that are no UTF-8; write the column as text`,
      { path: where },
    );
  if (Array.isArray(text)) return text.map((each) => plain(each ?? null, name, where));
  if (typeof text !== "object" || text === null || text instanceof Date) return text;
  return Object.fromEntries(
    Object.entries(text).map(([key, each]) => [key, plain(each ?? null, name, where)]),
  );
}
