import type { WorkbenchPair, WorkbenchQueue, WorkbenchSaid } from "../records/index.js";
import { markKey, pairKey } from "./waiting-marks.js";

/** What is on the desk: pairs to come, and what was said, for undoing. */
export interface DeskState {
  readonly pairs: readonly WorkbenchPair[];
  readonly at: number;
  readonly left: number;
  readonly done: number;
  /** Pairs that were taken from the desk, less those that were put back. */
  readonly taken: number;
  readonly said: readonly (WorkbenchSaid & { readonly isRepeat?: boolean })[];
  /** Pairs that anything was said of here: what the server knows of them may be of before. */
  readonly touched: ReadonlySet<string>;
}

export const EMPTY_DESK: DeskState = {
  pairs: [],
  at: 0,
  left: 0,
  done: 0,
  taken: 0,
  said: [],
  touched: new Set(),
};

export type DeskAct =
  | { readonly act: "loaded"; readonly queue: WorkbenchQueue; readonly asked: DeskState }
  | { readonly act: "graded"; readonly grade: number | null }
  | { readonly act: "undone" }
  | { readonly act: "returned"; readonly pair: WorkbenchPair; readonly isLate: boolean }
  | { readonly act: "gone" }
  | { readonly act: "later" }
  | { readonly act: "moved"; readonly by: number }
  | { readonly act: "query"; readonly by: number };

/** The desk after something was done, or has come. */
export function nextDesk(state: DeskState, act: DeskAct): DeskState {
  const { pairs, at } = state;
  switch (act.act) {
    case "loaded": {
      // What is at hand stays where it is; what was judged meanwhile does not come back.
      const known = new Set(pairs.map(pairKey));
      const judged = new Set(state.said.map(markKey));
      const fresh = act.queue.pairs.filter(
        (pair) => !known.has(pairKey(pair)) && (pair.is_repeat || !judged.has(pairKey(pair))),
      );
      // Nor is judged again what was in another tab.
      const elsewhere = new Set(act.queue.said.map(markKey).filter((key) => !state.touched.has(key)));
      const kept = pairs.filter((pair) => pair.is_repeat || !elsewhere.has(pairKey(pair)));
      const before = pairs.slice(0, at).filter((pair) => kept.includes(pair)).length;
      return {
        ...state,
        pairs: [...kept, ...fresh],
        at: before < kept.length ? before : 0,
        // What was done while the queue was on its way is not in its counts.
        left: Math.max(act.queue.left - (state.taken - act.asked.taken), kept.length + fresh.length),
        done: act.queue.done + (state.done - act.asked.done),
        said: state.said.length === 0 ? act.queue.said : state.said,
      };
    }
    case "graded": {
      const pair = pairs[at];
      if (pair === undefined) return state;
      const { query_id, item, is_repeat: isRepeat } = pair;
      const said = { query_id, item: item.id, grade: act.grade, isRepeat };
      const rest = pairs.filter((_, index) => index !== at);
      return {
        ...state,
        pairs: rest,
        at: at >= rest.length ? 0 : at,
        left: state.left - 1,
        taken: state.taken + 1,
        done: state.done + (isRepeat ? 0 : 1),
        said: [...state.said, said],
        touched: new Set(state.touched).add(pairKey(pair)),
      };
    }
    case "undone": {
      const last = state.said.at(-1);
      const isRepeat = last?.isRepeat === true;
      return {
        ...state,
        touched: last === undefined ? state.touched : new Set(state.touched).add(markKey(last)),
        said: state.said.slice(0, -1),
        left: state.left + 1,
        taken: state.taken - 1,
        done: Math.max(0, state.done - (isRepeat ? 0 : 1)),
      };
    }
    case "returned": {
      const rest = pairs.filter((pair) => pairKey(pair) !== pairKey(act.pair));
      // Behind what is being judged by now, where it was waited for.
      const place = act.isLate ? at + 1 : at;
      return { ...state, pairs: [...rest.slice(0, place), act.pair, ...rest.slice(place)] };
    }
    case "gone":
      return { ...state, left: state.left - 1, taken: state.taken + 1 };
    case "later": {
      const pair = pairs[at];
      if (pair === undefined) return state;
      const rest = [...pairs.slice(0, at), ...pairs.slice(at + 1), pair];
      return { ...state, pairs: rest };
    }
    case "moved":
      return { ...state, at: Math.max(0, Math.min(pairs.length - 1, at + act.by)) };
    case "query":
      return { ...state, at: otherQuery(pairs, at, act.by) };
  }
}

/** The first pair of the next query, or of the one before. */
function otherQuery(pairs: readonly WorkbenchPair[], at: number, by: number): number {
  const here = pairs[at]?.query_id;
  if (by > 0) {
    const found = pairs.findIndex((pair, index) => index > at && pair.query_id !== here);
    return found === -1 ? at : found;
  }
  const before = pairs.slice(0, at).findLastIndex((pair) => pair.query_id !== here);
  if (before === -1) return 0;
  const id = pairs[before]?.query_id;
  return pairs.findIndex((pair) => pair.query_id === id);
}
