import { sha256 } from "@noble/hashes/sha2.js";
import { InputError } from "../foundation/errors/index.js";

/** Arrays of numbers that an index consists of. */
type Numbers = Uint32Array | Float32Array | Float64Array;
type NumbersClass = { new (buffer: ArrayBuffer): Numbers; readonly BYTES_PER_ELEMENT: number };

/** Bytes of the format's name, filled up with zeros. */
const NAME = 8;
const ALIGNMENT = 8;
const DIGEST = 32;
/** Format, two lengths of 4 bytes, and room up to the alignment. */
const HEADER = 16;

const alignUp = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/**
 * An index as bytes: a format's name, a head in JSON, arrays of numbers one after the other, and a SHA-256 of
 * all that. Little-endian, as every platform that runs JavaScript is.
 */
export function packIndex(format: string, head: object, arrays: readonly Numbers[]): Uint8Array {
  const json = new TextEncoder().encode(
    JSON.stringify({ ...head, lengths: arrays.map(({ length }) => length) }),
  );
  const size =
    HEADER + alignUp(json.length) + arrays.reduce((sum, { byteLength }) => sum + alignUp(byteLength), 0);
  const bytes = new Uint8Array(size + DIGEST);
  bytes.set(new TextEncoder().encode(format));
  new DataView(bytes.buffer).setUint32(NAME, json.length, true);
  bytes.set(json, HEADER);
  let at = HEADER + alignUp(json.length);
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += alignUp(byteLength);
  }
  bytes.set(sha256(bytes.subarray(0, size)), size);
  return bytes;
}

/**
 * Takes apart what {@link packIndex} made.
 *
 * @throws InputError `INDEX_SHAPE` for bytes of another format, truncated or changed.
 */
export function unpackIndex<T extends object>(
  format: string,
  bytes: Uint8Array,
  classes: readonly NumbersClass[],
): { readonly head: T; readonly arrays: readonly Numbers[] } {
  const refuse = (what: string): never => {
    throw new InputError("INDEX_SHAPE", `the index ${what}; build it again from the corpus`);
  };
  if (new TextDecoder().decode(bytes.subarray(0, NAME)) !== format.padEnd(NAME, "\0"))
    return refuse("is not one that this version can read");
  const size = bytes.length - DIGEST;
  if (size < HEADER) return refuse("is truncated");
  const digest = sha256(bytes.subarray(0, size));
  if (!digest.every((byte, at) => byte === bytes[size + at])) return refuse("is truncated or damaged");
  const jsonLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(NAME, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER, HEADER + jsonLength))) as T & {
    readonly lengths: readonly number[];
  };
  let at = HEADER + alignUp(jsonLength);
  const arrays = classes.map((Class, index) => {
    const length = (head.lengths[index] as number) * Class.BYTES_PER_ELEMENT;
    // A copy at the start of its own memory: arrays of doubles cannot start just anywhere, and `slice` of a
    // Buffer, unlike that of its parent, copies nothing.
    const part = new Uint8Array(bytes.subarray(at, at + length));
    at += alignUp(length);
    return new Class(part.buffer);
  });
  return { head, arrays };
}
