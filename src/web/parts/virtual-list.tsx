import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

/** A list of any length in a box that scrolls: only the rows in view are in the page. */
export function VirtualList({
  count,
  rowHeight,
  label,
  row,
  current,
}: {
  count: number;
  rowHeight: number;
  label: string;
  row: (index: number) => JSX.Element;
  /** The row that is kept in view. */
  current: number;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [virtualizer] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count,
        estimateSize: () => rowHeight,
        getScrollElement: () => box.current,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        overscan: 8,
        onChange: () => redraw(undefined),
      }),
  );
  virtualizer.setOptions({ ...virtualizer.options, count, estimateSize: () => rowHeight });
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useEffect(() => {
    if (current >= 0 && current < count) virtualizer.scrollToIndex(current, { align: "auto" });
  }, [current, count]);
  return (
    <div class="virtual" ref={box} role="list" aria-label={label} tabIndex={0}>
      <div style={{ height: `${virtualizer.getTotalSize()}px`, position: "relative" }} role="presentation">
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ position: "absolute", insetInline: 0, top: `${start}px`, height: `${rowHeight}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
