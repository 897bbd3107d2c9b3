import { countOf } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LocalWork } from "../data-source.js";

/** A button that asks for files; anywhere in the window they can be dropped, too. */
export function OpenFiles({ local, onOpened }: { local: LocalWork; onOpened: () => void }): JSX.Element {
  const [isOver, setOver] = useState(false);
  const [isReading, setReading] = useState(false);
  const latest = useRef(onOpened);
  latest.current = onOpened;
  const open = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    setReading(true);
    await local.open(files);
    setReading(false);
    latest.current();
  };
  useEffect(() => {
    const closed = new AbortController();
    const { signal } = closed;
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;
    addEventListener(
      "dragover",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      { signal },
    );
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal });
    addEventListener(
      "drop",
      (event) => {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        void open([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => closed.abort();
  }, []);
  return (
    <>
      <label class="button open-files">
        {isReading ? "Reading" : "Open files"}
        <input
          type="file"
          class="sr"
          multiple
          onChange={(event) => {
            const field = event.currentTarget;
            const files = [...(field.files ?? [])];
            // The same file may be chosen again when it has been fixed.
            field.value = "";
            void open(files);
          }}
        />
      </label>
      {isOver && (
        <div class="drop-here" aria-hidden="true">
          Drop runs, golden sets, judgments or a store
        </div>
      )}
    </>
  );
}

/** What became of the files: what is wrong with some, and what the others are. */
export function OpenedFiles({ local: { opened } }: { local: LocalWork }): JSX.Element | null {
  if (opened.length === 0) return null;
  const good = opened.filter(({ problem }) => problem === null);
  return (
    <section class="opened" aria-label="Opened files">
      {opened.flatMap(({ name, problem }) =>
        problem === null
          ? []
          : [
              <div class="problem" role="alert">
                <p>
                  <strong>{name} is left out.</strong>
                </p>
                <pre class="wrapped">{problem}</pre>
              </div>,
            ],
      )}
      {good
        .filter(({ isStranger }) => isStranger)
        .map(({ name }) => (
          <p class="small" role="status">
            <strong>{name} is not shown:</strong> it answers none of the queries of the golden sets and
            judgments that are open.
          </p>
        ))}
      {good.length > 0 && (
        <details>
          <summary class="quiet small">{countOf(good.length, "file")} read in this browser</summary>
          <ul class="small">
            {good.map(({ name, found }) => (
              <li>
                {name}: {found}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
