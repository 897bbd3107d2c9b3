import { useRef } from "preact/hooks";
import type { WorkbenchMark } from "../records/index.js";
import type { MarkSender } from "./mark-sender.js";
import { serverNow } from "./server-clock.js";

/** Sends what a rater does, one mark each. */
export type SendMark = (
  of: { readonly query_id: string; readonly item: string },
  said: Pick<WorkbenchMark, "outcome"> & Partial<WorkbenchMark>,
) => void;

/**
 * @param isAdjudicated whether the rater decides where others differ.
 * @returns what sends a mark of this page.
 */
export function useMarks(
  sender: MarkSender,
  {
    collection,
    rater,
    isAdjudicated = false,
  }: { collection: string; rater: string; isAdjudicated?: boolean },
): SendMark {
  const lastAt = useRef(0);
  return ({ query_id, item }, said) => {
    // Marks of one page have times that rise, however fast they come.
    lastAt.current = Math.max(serverNow(), lastAt.current + 1);
    sender.send({
      collection,
      rater,
      isAdjudicated,
      mark: {
        mark: newMarkId(),
        query_id,
        item,
        grade: null,
        reason: null,
        is_repeat: false,
        item_hash: null,
        at: new Date(lastAt.current).toISOString(),
        ...said,
      },
    });
  };
}

/** Random, as `crypto.randomUUID` is, which browsers withhold from pages of other machines without TLS. */
function newMarkId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
