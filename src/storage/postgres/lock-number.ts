import { keyOf } from "./escape-text.js";

/** The number of an advisory lock. */
export function lockNumber(...of: readonly string[]): string {
  return String(
    BigInt.asIntN(
      64,
      BigInt(
        `0x${keyOf("rankproof", ...of)
          .replaceAll("-", "")
          .slice(0, 16)}`,
      ),
    ),
  );
}
