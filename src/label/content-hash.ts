import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../foundation/text/index.js";
import type { LabelItem } from "../records/index.js";

/** SHA-256 of an item's label fields as canonical JSON, in hexadecimal digits. */
export function itemHash({ fields }: Pick<LabelItem, "fields">): string {
  return digestOf(fields);
}

/** SHA-256 of a value as canonical JSON. */
export function digestOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}
