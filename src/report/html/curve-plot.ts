import type { FusionTuning } from "../../records/index.js";
import { plotScale } from "./interval-plot.js";
import { html, Markup, nothing } from "./markup.js";
import { formatValue } from "./printed-numbers.js";

const WIDTH = 1000;
const HEIGHT = 260;
const POINTS = [0, 0.25, 0.5, 0.75, 1];

/**
 * The mean score by the axis of a search, every step of it: the line, or where there are more steps than
 * columns the band between the lowest and the highest mean. The interval that is chosen from is shaded; the
 * current and the chosen setting, and what parts of the queries choose, stand on the axis.
 */
export function curvePlot(tuning: FusionTuning): Markup {
  const { axis, curve, choice, chosen, current, held_out, metric } = tuning;
  if (axis === null || curve === null) return nothing;
  const scale = plotScale(
    curve.flatMap(({ low, high }) => [low, high]),
    { hasZero: false, mostTicks: 5 },
  );
  const along = (point: number): number => (point - axis.from) / (axis.to - axis.from);
  const x = (point: number): string => (WIDTH * along(point)).toFixed(1);
  const y = (mean: number): string =>
    (HEIGHT * (1 - (mean - scale.low) / (scale.high - scale.low))).toFixed(1);
  const end = (at: number): number => curve[at + 1]?.from ?? axis.to;
  const upper = curve.map(({ from, high }, at) => `${x(from)},${y(high)} ${x(end(at))},${y(high)}`);
  const lower = curve.map(({ from, low }, at) => `${x(end(at))},${y(low)} ${x(from)},${y(low)}`).reverse();
  // Numbers only; a text would be cut.
  const points = new Markup([...upper, ...lower].join(" "));
  const isSame = nameOf(current.method) === nameOf(chosen.method) && current.normalize === chosen.normalize;
  const there = isSame ? placeOf(current.method) : null;
  const across = (point: number): string => `${(100 * along(point)).toFixed(2)}%`;
  const down = (mean: number): string => `${((100 * Number(y(mean))) / HEIGHT).toFixed(2)}%`;
  const mark = (point: number, name: string): Markup => html`
    <line class="${name}" x1="${across(point)}" x2="${across(point)}" y1="0" y2="100%"/>
  `;
  const shaded =
    choice === null
      ? nothing
      : html`
        <rect
          class="band"
          x="${across(choice.interval.from)}"
          width="${(100 * (along(choice.interval.to) - along(choice.interval.from))).toFixed(2)}%"
          y="0"
          height="100%"/>
      `;
  const spread =
    held_out?.chosen.find(
      ({ method, normalize }) => method === nameOf(chosen.method) && normalize === chosen.normalize,
    )?.point ?? null;
  const parts =
    spread === null
      ? nothing
      : html`
        <line class="parts" x1="${across(spread.low)}" x2="${across(spread.high)}" y1="100%" y2="100%"/>
      `;
  return html`
    <figure class="curve">
      <svg role="img" aria-label="${metric} by setting; numbers are in the table below">
        ${shaded}
        ${scale.ticks.map(
          (tick) => html`
            <line class="grid" x1="0" x2="100%" y1="${down(tick)}" y2="${down(tick)}"/>
            <text class="tick" x="-6" y="${down(tick)}">${formatValue(tick, scale.decimals)}</text>
          `,
        )}
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" width="100%" height="100%">
          <polygon class="line" points="${points}"/>
        </svg>
        ${there === null ? nothing : mark(there, "current")}
        ${chosen.point === null ? nothing : mark(chosen.point, "chosen")}
        ${parts}
        ${POINTS.map((share) => axis.from + share * (axis.to - axis.from)).map(
          (point) => html`
            <text class="point" x="${across(point)}" y="100%" dy="18">${Number(point.toFixed(3))}</text>
          `,
        )}
      </svg>
      <figcaption class="quiet">
        ${[
          ...(there === null ? [] : ["Dashed: the current setting."]),
          ...(chosen.point === null ? [] : ["Solid: the chosen one."]),
          ...(choice === null ? [] : [describeShaded(choice, axis)]),
          ...(spread === null ? [] : ["Thick, on the axis: what parts of the queries choose."]),
        ].join(" ")}
      </figcaption>
    </figure>
  `;
}

/** What is shaded, and why the chosen setting need not be the one with the highest mean. */
function describeShaded(
  { rule, interval, maximum }: NonNullable<FusionTuning["choice"]>,
  axis: NonNullable<FusionTuning["axis"]>,
): string {
  const isAll = interval.from <= axis.from && interval.to >= axis.to;
  const highest = `the highest mean, ${formatValue(maximum)}`;
  return rule === "plateau"
    ? `Shaded: the widest interval with ${highest}; the chosen one is its middle.`
    : `Shaded: the widest interval within one standard error of ${highest}` +
        (isAll ? ", here the whole axis: these queries do not tell its settings apart" : "") +
        ". The chosen one is its middle, not the peak, which other queries may move.";
}

function nameOf(method: string): string {
  return method.split("(")[0] as string;
}

/** Where a method lies on its axis: the weight of the second of two runs, or its only parameter. */
function placeOf(method: string): number | null {
  const [, name = "", value = ""] = /\((\w+)=([^,)]+)\)$/.exec(method) ?? [];
  if (name !== "weights") return value === "" ? null : Number(value);
  const [first, second, ...others] = value.split("/").map(Number);
  if (first === undefined || second === undefined || others.length > 0 || first + second === 0) return null;
  const share = second / (first + second);
  return share >= 0 && share <= 1 ? share : null;
}
