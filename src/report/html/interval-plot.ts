import { html, nothing, type Markup } from "./markup.js";
import { formatDifference, formatValue } from "./printed-numbers.js";
import { chooseReach } from "./choose-reach.js";

/** A stretch of numbers that plots below each other share, 0 always among them. */
export interface PlotScale {
  readonly low: number;
  readonly high: number;
  /** Round numbers in it, rising, and how many decimals they need. */
  readonly ticks: readonly number[];
  readonly decimals: number;
}

/** An estimate with its interval, as it is drawn. */
export interface PlottedInterval {
  readonly value: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** What it is drawn as: only a difference that is real has a colour. */
  readonly tone: Tone;
}

/** Better and worse are the only two colours of the report. */
export type Tone = "better" | "worse" | "neutral";

const MOST_TICKS = 3;
/** Half of the stretch where everything is 0. */
const SMALLEST_REACH = 0.01;
/** Empty room on both sides, as a share of the stretch. */
const PADDING = 0.08;
/** No number stands so near the edge of an axis, as a share of the stretch. */
const EDGE = 0.04;
/** Of the arrow at an edge that something lies beyond, in pixels. */
const ARROW = 5;

/**
 * The scale that all these values fit on.
 *
 * @param options `hasZero`: whether 0 is on it, too, as it must be where differences are drawn.
 * `cutsOutliers`: whether a value far beyond the others is cut, so that it does not flatten them.
 * `mostTicks`: more where there is room for their numbers.
 */
export function plotScale(
  values: readonly (number | null | undefined)[],
  {
    hasZero = true,
    cutsOutliers = false,
    mostTicks = MOST_TICKS,
  }: { readonly hasZero?: boolean; readonly cutsOutliers?: boolean; readonly mostTicks?: number } = {},
): PlotScale {
  const known = values.filter(
    (value): value is number => typeof value === "number" && Number.isFinite(value),
  );
  // Not `Math.max(...known)`: a hundred thousand slices are too many arguments.
  const origin = hasZero ? 0 : (known[0] ?? 0);
  const reaches = cutsOutliers ? chooseReach(known) : Infinity;
  const least = known.reduce((lowest, value) => Math.min(lowest, Math.max(value, -reaches)), origin);
  const most = known.reduce((highest, value) => Math.max(highest, Math.min(value, reaches)), origin);
  const reach = least === most ? SMALLEST_REACH : 0;
  const padding = (most - least + 2 * reach) * PADDING;
  const [low, high] = [least - reach - padding, most + reach + padding];
  const step = roundStep((high - low) / mostTicks);
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step);
  return { low, high, ticks, decimals: Math.max(0, -Math.floor(Math.log10(step))) };
}

/** The next of 1, 2, 5, 10, ... at or above. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** Where a value stands, in percent of the width. */
function at({ low, high }: PlotScale, value: number): string {
  const share = (value - low) / (high - low);
  return `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
}

function bandWithin(scale: PlotScale, margin: number): Markup {
  const width = Number.parseFloat(at(scale, margin)) - Number.parseFloat(at(scale, -margin));
  return html`
    <svg x="${at(scale, -margin)}" width="${width}%" height="100%">
      <rect class="band" width="100%" height="100%"/>
    </svg>
  `;
}

/**
 * A line for the interval and a dot for the estimate, on the common zero line. `margin` is a band in which
 * differences do not matter.
 */
export function intervalPlot(
  scale: PlotScale,
  { value, interval, tone }: PlottedInterval,
  margin: number | null = null,
): Markup {
  const grid = scale.ticks
    .filter((tick) => tick !== 0 && isInside(scale, tick))
    .map(
      (tick) => html`<line class="grid" x1="${at(scale, tick)}" x2="${at(scale, tick)}" y1="0" y2="100%"/>`,
    );
  const band = margin === null || margin === 0 ? nothing : bandWithin(scale, margin);
  const hasZero = scale.low <= 0 && scale.high >= 0;
  const zero = hasZero
    ? html`<line class="zero" x1="${at(scale, 0)}" x2="${at(scale, 0)}" y1="0" y2="100%"/>`
    : nothing;
  const line =
    interval === null
      ? nothing
      : html`
        <line
          class="whisker"
          x1="${at(scale, interval.low)}"
          x2="${at(scale, interval.high)}"
          y1="50%"
          y2="50%"/>
        
      `;
  const isBeyond = (end: number | null | undefined): boolean =>
    typeof end === "number" && (end < scale.low || end > scale.high);
  const ends = [value, interval?.low, interval?.high];
  const arrows = [
    ...(ends.some((end) => isBeyond(end) && (end as number) < 0) ? [arrow(0, 1)] : []),
    ...(ends.some((end) => isBeyond(end) && (end as number) > 0) ? [arrow(100, -1)] : []),
  ];
  const dot =
    value === null ? nothing : html`<circle class="dot" cx="${at(scale, value)}" cy="50%" r="4.5"/>`;
  return html`<svg class="plot ${tone}" aria-hidden="true">${band}${grid}${zero}${line}${arrows}${dot}</svg>`;
}

/** Says at an edge that something lies beyond it. */
function arrow(percent: number, way: 1 | -1): Markup {
  return html`
    <svg x="${percent}%" y="50%" overflow="visible">
      <path class="beyond" d="M0 0L${way * ARROW} -${ARROW}V${ARROW}z"/>
    </svg>
  `;
}

/** Whether a number has room there: at the very edge half of it would be cut. */
function isInside({ low, high }: PlotScale, tick: number): boolean {
  const share = (tick - low) / (high - low);
  return tick === 0 || (share > EDGE && share < 1 - EDGE);
}

/** The numbers of a scale, each at its place; those of differences with their sign. */
export function plotAxis(scale: PlotScale, isOfDifferences = true): Markup {
  const printed = isOfDifferences ? formatDifference : formatValue;
  return html`
    <svg class="axis" aria-hidden="true">
      ${scale.ticks
        .filter((tick) => isInside(scale, tick))
        .map(
          (tick) => html`
          <text x="${at(scale, tick)}" y="11">
            ${tick === 0 ? "0" : printed(tick, scale.decimals)}
          </text>
        `,
        )}
    </svg>
  `;
}
