import type { JSX } from "preact";
import { routeTo, type ScreenName } from "../route.js";

/** The batch that is looked at, and the one that it is held against. */
export function RunChoice({
  collection,
  screen,
  data,
  query,
  search = {},
}: {
  collection: string;
  screen: ScreenName;
  data: {
    readonly run: string | null;
    readonly baseline: string | null;
    readonly batches: readonly string[];
  };
  query?: string;
  /** What else stands in the address, and stays there. */
  search?: Readonly<Record<string, string | undefined>>;
}): JSX.Element {
  const choose = (run: string | null, baseline: string | null): void => {
    location.hash = routeTo(
      screen,
      collection,
      { ...search, run: run ?? undefined, baseline: baseline === run ? undefined : (baseline ?? undefined) },
      query,
    );
  };
  return (
    <div class="run-choice">
      <label>
        Batch{" "}
        <select value={data.run ?? ""} onChange={(event) => choose(event.currentTarget.value, data.baseline)}>
          {data.batches.map((id) => (
            <option value={id}>{id}</option>
          ))}
        </select>
      </label>
      {data.batches.length > 1 && (
        <label>
          against{" "}
          <select
            value={data.baseline ?? ""}
            onChange={(event) => choose(data.run, event.currentTarget.value)}
          >
            {data.baseline === null && <option value="">nothing</option>}
            {data.batches
              .filter((id) => id !== data.run)
              .map((id) => (
                <option value={id}>{id}</option>
              ))}
          </select>
        </label>
      )}
    </div>
  );
}
