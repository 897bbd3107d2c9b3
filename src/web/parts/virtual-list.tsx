import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { options, type JSX } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

/** Pixels of a row of one line and of one with its facts below it, and of the names of columns. */
const [LOW, HIGH, HEAD] = [44, 64, 32];
/** Rows beyond those in view that are in the page, too. */
const OVERSCAN = 8;

/** Draws what is set while it runs, not later: browsers copy a document for paper when they have said so. */
function atOnce(set: () => void): void {
  options.debounceRendering = (draw) => draw();
  set();
  delete options.debounceRendering;
}

/** A list of any length in a box that scrolls: only the rows in view are in the page, but for printing. */
export function VirtualList({
  count,
  label,
  head,
  row,
  current,
}: {
  count: number;
  label: string;
  /** Names of columns, which stay in view. */
  head: JSX.Element;
  row: (index: number) => JSX.Element;
  /** The row that is kept in view. */
  current: number;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  // A change of the window's size redraws the list.
  const height = matchMedia("(max-width: 48rem)").matches ? HIGH : LOW;
  const [virtualizer] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLDivElement>({
        count,
        estimateSize: () => height,
        scrollMargin: HEAD,
        scrollPaddingStart: HEAD,
        getScrollElement: () => box.current,
        observeElementRect,
        observeElementOffset,
        scrollToFn: elementScroll,
        onChange: () => redraw(undefined),
      }),
  );
  // On paper nothing scrolls.
  const [overscan, setOverscan] = useState(OVERSCAN);
  useEffect(() => {
    onbeforeprint = () => atOnce(() => setOverscan(Infinity));
    onafterprint = () => setOverscan(OVERSCAN);
    return () => (onbeforeprint = onafterprint = null);
  }, []);
  virtualizer.setOptions({ ...virtualizer.options, count, overscan, estimateSize: () => height });
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer.measure(), [height]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useEffect(() => {
    if (current >= 0 && current < count) virtualizer.scrollToIndex(current, { align: "auto" });
  }, [current, count]);
  return (
    <div class="virtual" ref={box} role="list" aria-label={label} tabIndex={0}>
      <div class="virtual-head" style={{ height: `${HEAD}px` }} aria-hidden="true">
        {head}
      </div>
      <div style={{ height: `${virtualizer.getTotalSize()}px`, position: "relative" }} role="presentation">
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ position: "absolute", insetInline: 0, top: `${start - HEAD}px`, height: `${height}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
