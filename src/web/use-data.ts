import { useLayoutEffect, useState } from "preact/hooks";

/** What came of asking for data. */
export interface Asked<T> {
  /** What there is, perhaps of before while new data is asked for. */
  readonly data: T | null;
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Asks for data, and again when what it depends on changes.
 *
 * @param key what it depends on.
 */
export function useData<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [asked, setAsked] = useState<{
    key: string;
    data: T | null;
    error: Error | null;
    isLoading: boolean;
  }>({
    key,
    data: null,
    error: null,
    isLoading: true,
  });
  const [count, setCount] = useState(0);
  // Not after the next frame, for which the answer may be there.
  useLayoutEffect(() => {
    let isCurrent = true;
    setAsked((before) => ({
      ...before,
      data: before.key === key ? before.data : null,
      key,
      error: null,
      isLoading: true,
    }));
    ask().then(
      (data) => isCurrent && setAsked({ key, data, error: null, isLoading: false }),
      (error: unknown) =>
        isCurrent &&
        setAsked((before) => ({
          ...before,
          error: error instanceof Error ? error : new Error(String(error)),
          isLoading: false,
        })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, count]);
  const isOfKey = asked.key === key;
  return {
    data: isOfKey ? asked.data : null,
    error: isOfKey ? asked.error : null,
    isLoading: !isOfKey || asked.isLoading,
    reload: () => setCount((before) => before + 1),
  };
}
