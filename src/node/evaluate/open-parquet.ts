import { open } from "node:fs/promises";
import type { AsyncBuffer, SchemaElement } from "hyparquet";
import { InputError, isRankproofError, messageOf } from "../../foundation/errors/index.js";

/** Bytes that are no UTF-8; so that a row can be named, the decoder leaves this. */
const NOT_UTF8 = Symbol("bytes that are no UTF-8");

/** The packages that read and write Parquet, with a message where they are missing. */
export async function parquetPackage<T>(path: string, load: () => Promise<T>): Promise<T> {
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

/** How a file is read, and what closes it. */
export async function openParquet(path: string, content?: Uint8Array) {
  const { parquetMetadataAsync, parquetSchema } = await parquetPackage(path, () => import("hyparquet"));
  const { compressors } = await parquetPackage(path, () => import("hyparquet-compressors"));
  const { file, close } =
    content === undefined ? await bufferOf(path) : { file: memoryOf(content), close: noop };
  try {
    const metadata = await readable(path, () => parquetMetadataAsync(file));
    const decimals = takeDecimals(parquetSchema(metadata).children.map(({ element }) => element));
    const parsers = { stringFromBytes, timestampFromMicroseconds, timestampFromNanoseconds };
    return { given: { file, metadata, compressors, utf8: false, parsers }, decimals, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws InputError where a file has less rows than it says. */
export function checkCount(path: string, count: number, rowStart: number, rowEnd: number): void {
  if (count !== rowEnd - rowStart)
    throw brokenFileError(path, `has ${count} of ${rowEnd - rowStart} rows from row ${rowStart + 1} on`);
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

/** What the packages throw says nothing of the file. */
export async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isRankproofError(error)) throw error;
    throw brokenFileError(path, messageOf(error), error);
  }
}

function brokenFileError(path: string, why: string, cause?: unknown): InputError {
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

/** The scale of decimal numbers by the name of their column. */
export type Decimals = ReadonlyMap<string, number>;

/**
 * The columns of decimal numbers, which are read as the whole numbers that they are stored as: times a power
 * of ten as a double, 1.0000 would be less than 1, and an id of 18 digits another one.
 */
function takeDecimals(columns: readonly SchemaElement[]): Decimals {
  const decimals = columns.filter(
    ({ converted_type, logical_type, repetition_type, num_children }) =>
      (converted_type === "DECIMAL" || logical_type?.type === "DECIMAL") &&
      repetition_type !== "REPEATED" &&
      !num_children,
  );
  const scales = decimals.map(({ name, scale, logical_type }) => {
    const ofLogical = logical_type?.type === "DECIMAL" ? logical_type.scale : 0;
    return [name, scale ?? ofLogical] as const;
  });
  for (const element of decimals) {
    delete element.converted_type;
    delete element.logical_type;
  }
  return new Map(scales);
}

/** A decimal number: as the nearest double, but for whole ones of more digits, which are text. */
function decimalOf(stored: unknown, scale: number): unknown {
  if (stored == null) return stored;
  const whole = stored instanceof Uint8Array ? parseSigned(stored) : BigInt(stored as number | bigint);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0");
  const [before, after] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  const rest = after.replace(/0+$/, "");
  const text = `${whole < 0n ? "-" : ""}${before}${rest === "" ? "" : `.${rest}`}`;
  // Whole ones can be ids.
  return rest !== "" || Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** A whole number of bytes, the first one first, in two's complement. */
function parseSigned(bytes: Uint8Array): bigint {
  const value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return BigInt.asIntN(Math.max(8, 8 * bytes.length), value);
}

/** A time; as text where it is finer than the milliseconds of a date, and null where no calendar has it. */
function timestampFromMicroseconds(micros: bigint): Date | string | null {
  return timestampOf(micros, 1000n);
}

function timestampFromNanoseconds(nanos: bigint): Date | string | null {
  return timestampOf(nanos, 1_000_000n);
}

function timestampOf(given: bigint, inMillisecond: bigint): Date | string | null {
  const rest = ((given % inMillisecond) + inMillisecond) % inMillisecond;
  const date = new Date(Number((given - rest) / inMillisecond));
  // Such as `infinity` of a database.
  if (Number.isNaN(date.getTime())) return null;
  if (rest === 0n) return date;
  const digits = String(rest).padStart(String(inMillisecond).length - 1, "0");
  return date.toISOString().replace("Z", `${digits}Z`);
}

/** The cell of a column as it is meant. */
export function cellOf(cell: unknown, name: string, decimals: Decimals): unknown {
  const scale = decimals.get(name);
  return scale === undefined ? cell : decimalOf(cell, scale);
}

/** A value as JSON has it: whole numbers of 64 bits as text where they would lose digits. */
export function toPlain(value: unknown, name: string, where: string): unknown {
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
  if (Array.isArray(text)) return text.map((each) => toPlain(each ?? null, name, where));
  if (typeof text !== "object" || text === null || text instanceof Date) return text;
  return Object.fromEntries(
    Object.entries(text).map(([key, each]) => [key, toPlain(each ?? null, name, where)]),
  );
}
