import type { WorkbenchMark, WorkbenchPair, WorkbenchQueue, WorkbenchSaid } from "../records/index.js";

/** Tells pairs of query and item apart. */
export const markKey = ({ query_id, item }: Pick<WorkbenchSaid, "query_id" | "item">): string =>
  `${query_id}\n${item}`;
export const pairKey = (pair: WorkbenchPair): string => markKey({ ...pair, item: pair.item.id });

/** A queue as it will be when what waits to be stored is stored. */
export async function withWaiting(
  queue: WorkbenchQueue,
  waiting: readonly WorkbenchMark[],
  findPair: (of: WorkbenchMark) => Promise<WorkbenchPair>,
): Promise<WorkbenchQueue> {
  const later = waiting.reduce(withMark, queue);
  // What was taken back is to be judged again; the queue may have left it out as judged.
  const known = new Set([...later.pairs.map(pairKey), ...later.said.map(markKey)]);
  const open = new Map(
    waiting
      .filter((mark) => mark.outcome === "withdrawn" && !known.has(markKey(mark)))
      .map((mark) => [markKey(mark), mark]),
  );
  const found = await Promise.all([...open.values()].map((mark) => findPair(mark).catch(() => null)));
  const back = found.filter((pair) => pair !== null);
  return { ...later, pairs: [...back, ...later.pairs], left: later.left + back.length };
}

function withMark(before: WorkbenchQueue, mark: WorkbenchMark): WorkbenchQueue {
  const { query_id, item, outcome, grade, is_repeat } = mark;
  const at = before.said.findLastIndex((each) => markKey(each) === markKey(mark));
  if (outcome === "withdrawn")
    return at === -1
      ? before
      : { ...before, said: before.said.filter((_, index) => index !== at), done: before.done - 1 };
  // A grade that is given anew is the one that counts.
  if (at !== -1 && !is_repeat)
    return {
      ...before,
      said: [...before.said.filter((_, index) => index !== at), { query_id, item, grade }],
    };
  const pairs = before.pairs.filter((pair) => pairKey(pair) !== markKey(mark));
  return {
    ...before,
    pairs,
    left: before.left - (before.pairs.length - pairs.length),
    done: before.done + (is_repeat ? 0 : 1),
    said: [...before.said, { query_id, item, grade }],
  };
}
