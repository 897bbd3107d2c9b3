import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { compareIds } from "../foundation/ids/index.js";
import type { BenchFixture } from "./bench-fixture.js";

/** Enough that two fixtures of one project never share it, short enough to be compared by eye. */
const DIGEST_LENGTH = 16;

/**
 * The first hexadecimal digits of the SHA-256 of what is measured: chunks, queries and grades. Names,
 * descriptions and the order of things play no part.
 */
export function fixtureDigest({
  unit,
  chunks,
  cases,
}: Pick<BenchFixture, "unit" | "chunks" | "cases">): string {
  const hash = sha256.create();
  const add = (...fields: unknown[]): void => void hash.update(utf8ToBytes(`${JSON.stringify(fields)}\n`));
  add("fixture", 1, unit);
  for (const { chunk_id, doc_id, title = "", text } of sortById(chunks, (chunk) => chunk.chunk_id))
    add("chunk", chunk_id, doc_id, title, text);
  for (const { case_id, query, query_type, top_k, grades } of sortById(cases, (each) => each.case_id))
    add(
      "case",
      case_id,
      query,
      query_type,
      top_k,
      sortById([...grades], ([id]) => id),
    );
  return bytesToHex(hash.digest()).slice(0, DIGEST_LENGTH);
}

function sortById<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => compareIds(idOf(a), idOf(b)));
}
