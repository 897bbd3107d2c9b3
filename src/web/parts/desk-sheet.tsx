import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { WorkbenchPair } from "../../records/index.js";
import { foreign, scrollAttributes } from "./foreign.js";
import { Marked, wordsOf } from "./marked.js";
import { Problem } from "./states.js";

/** What stands on a desk without a pair. */
export function DeskEnd({
  isAll,
  hasJudged,
  error,
  onRetry,
}: {
  isAll: boolean;
  hasJudged: boolean;
  error: Error | null;
  onRetry: () => void;
}): JSX.Element {
  const end = useRef<HTMLParagraphElement>(null);
  // The button that gave the last grade gives none any more, and loses the focus.
  useEffect(() => {
    if (isAll && hasJudged)
      requestAnimationFrame(() => document.activeElement === document.body && end.current?.focus());
  }, [isAll, hasJudged]);
  return (
    <div class="sheet">
      {error !== null && <Problem error={error} onRetry={onRetry} />}
      <p class="headline" tabIndex={-1} ref={end}>
        {isAll
          ? hasJudged
            ? "All done: everything that came back is judged, by you or by others."
            : "Nothing is left for you: others have judged what came back, or nothing did."
          : "More is on its way…"}
      </p>
    </div>
  );
}

/** A pair as it is judged. */
export function Sheet({ pair, areMarksShown }: { pair: WorkbenchPair; areMarksShown: boolean }): JSX.Element {
  const words = useMemo(() => wordsOf(pair.query), [pair.query]);
  const showText = (text: string): JSX.Element =>
    areMarksShown ? <Marked text={text} words={words} /> : <>{text}</>;
  const { item } = pair;
  return (
    <article class="sheet" aria-live="off">
      <p class="caption">query</p>
      <p class="asked" {...scrollAttributes(pair.query)} {...foreign()}>
        {pair.query}
      </p>
      {pair.need !== null && (
        <p class="need" {...foreign()}>
          {pair.need}
        </p>
      )}
      <p class="caption">item</p>
      <h2 {...foreign(item.fields)} data-pair={`${pair.query_id} ${item.id}`}>
        {showText(item.title ?? item.id)}
      </h2>
      {item.image !== null && <img src={item.image} alt="" loading="lazy" referrerpolicy="no-referrer" />}
      <dl class="fields">
        {item.fields.map(([name, text]) => (
          <div>
            <dt>{name}</dt>
            <dd {...foreign(item.fields)}>{showText(text)}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
