import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WorkbenchSession } from "../../records/index.js";
import type { DataSource } from "../data-source.js";
import { OpenedFiles, OpenFiles } from "../parts/open-files.js";
import { Problem } from "../parts/states.js";

/** What a folder without a project shows: how to begin. */
export function NothingHere({
  source,
  session,
  onBegun,
  onOpened,
}: {
  source: DataSource;
  session: WorkbenchSession;
  onBegun: () => void;
  onOpened: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<Error | null>(null);
  const [isWaiting, setWaiting] = useState(false);
  const { local } = source;
  if (local !== null)
    return (
      <main id="main">
        <h1>Which search is better, and where?</h1>
        <OpenedFiles local={local} />
        <p class="headline">
          Drop a golden set and its runs here, or judgments (qrels) and runs of TREC's format, or a store.
        </p>
        <p class="actions">
          <OpenFiles local={local} onOpened={onOpened} />
        </p>
        <p class="quiet">
          Everything is computed in this browser; nothing is uploaded. Two runs are needed for a comparison:
          the later one is held against the earlier one. Files may come one after the other.
        </p>
      </main>
    );
  const begin = (): void => {
    setWaiting(true);
    source.beginExample().then(onBegun, (error: unknown) => {
      setWaiting(false);
      setProblem(error instanceof Error ? error : new Error(String(error)));
    });
  };
  return (
    <main id="main">
      <h1>There is nothing to look at yet</h1>
      {session.problems.map((each) => (
        <Problem error={new Error(each)} />
      ))}
      {problem !== null && <Problem error={problem} />}
      {session.problems.length === 0 && (
        <p class="headline">
          This folder has no <code>rankproof.config</code> with datasets, and no golden set with recorded
          runs.
        </p>
      )}
      <ul>
        <li>
          To see how it works: an example shop of 320 products and 60 queries.{" "}
          {!session.is_read_only && session.problems.length === 0 && (
            <button type="button" class="button" disabled={isWaiting} onClick={begin}>
              Put the example into this folder
            </button>
          )}
        </li>
        <li>
          For a search of your own: <code>rankproof init --search</code> writes a configuration to fill in.
        </li>
        <li>
          For a golden set: <code>rankproof init</code>, then <code>rankproof run search.mjs</code>.
        </li>
      </ul>
    </main>
  );
}
