import { kindOfObject, checkKnownOptions } from "../../foundation/checks/index.js";
import type { SqlJsStatic } from "sql.js";
import { InputError, messageOf, quote } from "../../foundation/errors/index.js";
import { sqliteStore, type SqliteStore } from "../sqlite/sqlite-store.js";
import type { StoreImage } from "./image.js";
import { loadFile } from "./load-file.js";
import { LiveDatabase } from "./live-database.js";

/** Where an sql.js store gets its bytes and its WebAssembly. */
export interface SqljsOptions {
  /**
   * The bytes of a database, in the browser or elsewhere; without them and without `image` the store is new
   * and empty.
   */
  readonly bytes?: Uint8Array | ArrayBuffer | undefined;
  /** Keeps the bytes between calls, on a file for example. */
  readonly image?: StoreImage | undefined;
  /**
   * The URL of `sql-wasm-browser.wasm`, its path, its bytes, or the `WebAssembly.Module` that was compiled of
   * them, where sql.js does not find it by itself.
   */
  readonly wasm?: string | URL | Uint8Array | object | undefined;
}

/**
 * Opens a store in SQLite through sql.js (WebAssembly): in Node and the browser, on bytes or on an image of a
 * file.
 *
 * The whole database is read into memory: good to about 200 MB.
 *
 * @throws InputError `STORE_NOT_SQLITE`, `STORE_CORRUPT`, `STORE_WAL`, `STORE_SCHEMA`; `ARGUMENT` for a
 * `wasm` that cannot be loaded
 */
export async function sqljsStore(options: SqljsOptions = {}): Promise<SqliteStore> {
  // Bytes by themselves would be no option at all, and the store a new one.
  if (bytesIn(options) !== undefined)
    throw new InputError("ARGUMENT", "sqljsStore: give the bytes as `{ bytes }`");
  const { bytes, image, wasm } = checkKnownOptions(options, ["bytes", "image", "wasm"]);
  const given = bytesIn(bytes);
  if (bytes !== undefined && given === undefined)
    throw new InputError(
      "ARGUMENT",
      `sqljsStore needs the bytes of a database as \`bytes\`, got ${quote(bytes)}`,
    );
  return sqliteStore(new LiveDatabase(await loadSqljs(wasm), image, given));
}

/** It begins once; what it was given then counts. */
let begun: Promise<SqlJsStatic> | undefined;

/**
 * What it runs is compiled before it is given it: over a file that it cannot load sql.js would end the
 * process, and never load another one.
 */
async function loadSqljs(wasm: SqljsOptions["wasm"]): Promise<SqlJsStatic> {
  if (begun !== undefined) return begun;
  const module = wasm === undefined ? undefined : await compile(wasm);
  if (module !== undefined && !WebAssembly.Module.exports(module).some(({ kind }) => kind === "memory"))
    throw notLoaded("a program of something else", "it has no memory");
  return (begun ??= begin(module));
}

async function begin(module: WebAssembly.Module | undefined): Promise<SqlJsStatic> {
  // Loaded when it is needed: the command line compares two files without it.
  const { default: initSqlJs } = await import("sql.js");
  if (module === undefined) return initSqlJs();
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      take: (instance: WebAssembly.Instance) => void,
    ): undefined => {
      WebAssembly.instantiate(module, imports)
        .then(take)
        .catch((cause: unknown) => reject(notLoaded("no program of sql.js", cause)));
    };
    initSqlJs({ instantiateWasm }).then(resolve, reject);
  });
}

function notLoaded(what: string, cause: unknown): InputError {
  return new InputError(
    "ARGUMENT",
    `sqljsStore cannot load \`wasm\`, ${what}: ${messageOf(cause)}; give the URL, the path or the bytes of ` +
      "`sql-wasm-browser.wasm` of sql.js",
    {},
    cause,
  );
}

/** @throws InputError `ARGUMENT` */
async function compile(wasm: NonNullable<SqljsOptions["wasm"]>): Promise<WebAssembly.Module> {
  if (typeof wasm === "object" && kindOfObject(wasm) === "WebAssembly.Module") return wasm;
  const bytes = bytesIn(wasm);
  const place = bytes === undefined ? placeIn(wasm) : "";
  try {
    return await WebAssembly.compile(bytes?.slice() ?? (await loadFile(place)));
  } catch (cause) {
    throw notLoaded(quote(bytes === undefined ? place : "bytes"), cause);
  }
}

/** @throws InputError `ARGUMENT` for what is neither a path nor a URL */
function placeIn(wasm: NonNullable<SqljsOptions["wasm"]>): string {
  if (typeof wasm === "string") return wasm;
  if (kindOfObject(wasm) === "URL") return (wasm as URL).href;
  throw new InputError(
    "ARGUMENT",
    `sqljsStore: \`wasm\` must be a path, a URL, bytes or a WebAssembly.Module, got ${quote(wasm)}`,
  );
}

/** Bytes in any view or buffer, of any realm; undefined where it is none. */
function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  return ["ArrayBuffer", "SharedArrayBuffer"].includes(kindOfObject(value))
    ? new Uint8Array(value as ArrayBuffer)
    : undefined;
}
