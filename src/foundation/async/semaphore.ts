/**
 * Runs work with no more than so many at once, in the order in which it comes.
 *
 * @param most from 1; undefined for no limit.
 */
export function semaphore(most: number | undefined): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (most !== undefined && running >= most) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
