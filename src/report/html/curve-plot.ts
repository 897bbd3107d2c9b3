import type { FusionTuning } from "../../records/index.js";
import { plotScale } from "./interval-plot.js";
import { html, Markup, nothing } from "./markup.js";
import { printedValue } from "./printed-numbers.js";

const WIDTH = 1000;
const HEIGHT = 260;
const POINTS = [0, 0.25, 0.5, 0.75, 1];

/**
 * The mean score by the axis of a search, every step of it: the line, or where there are more steps than
 * columns the band between the lowest and the highest mean. The interval that is chosen from is shaded; the
 * current and the chosen setting, and what parts of the queries choose, stand on the axis.
 */
export function curvePlot(tuning: FusionTuning): Markup {
  const { curve, choice, chosen, current, held_out, metric } = tuning;
  if (curve === null || curve.length === 0) return nothing;
  const scale = plotScale(
    curve.flatMap(({ low, high }) => [low, high]),
    { hasZero: false },
  );
  const x = (point: number): string => (WIDTH * point).toFixed(1);
  const y = (mean: number): string =>
    (HEIGHT * (1 - (mean - scale.low) / (scale.high - scale.low))).toFixed(1);
  const end = (at: number): number => curve[at + 1]?.from ?? 1;
  const along = curve.map(({ from, high }, at) => `${x(from)},${y(high)} ${x(end(at))},${y(high)}`);
  const back = curve.map(({ from, low }, at) => `${x(end(at))},${y(low)} ${x(from)},${y(low)}`).reverse();
  // Numbers only; a text would be cut.
  const points = new Markup([...along, ...back].join(" "));
  const weight = current.method.startsWith(nameOf(chosen.method)) ? weightOf(current.method) : null;
  const across = (point: number): string => `${(100 * point).toFixed(2)}%`;
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
          width="${across(choice.interval.to - choice.interval.from)}"
          y="0"
          height="100%"/>
      `;
  const spread = held_out?.chosen.find(({ method }) => method === nameOf(chosen.method))?.point ?? null;
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
            <text class="tick" x="-6" y="${down(tick)}">${printedValue(tick, scale.decimals)}</text>
          `,
        )}
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" width="100%" height="100%">
          <polygon class="line" points="${points}"/>
        </svg>
        ${weight === null ? nothing : mark(weight, "current")}
        ${chosen.point === null ? nothing : mark(chosen.point, "chosen")}
        ${parts}
        ${POINTS.map(
          (point) => html`<text class="point" x="${across(point)}" y="100%" dy="18">${point}</text>`,
        )}
      </svg>
      <figcaption class="quiet">
        Dashed: the current setting. Solid: the chosen one, within the shaded interval that it stands
        for. Thick, on the axis: what parts of the queries choose.
      </figcaption>
    </figure>
  `;
}

function nameOf(method: string): string {
  return method.split("(")[0] as string;
}

/** The weight of the second of two runs, as a share of both. */
function weightOf(method: string): number | null {
  const [first, second, ...others] = (/weights=([^,)]+)/.exec(method)?.[1] ?? "").split("/").map(Number);
  if (first === undefined || second === undefined || others.length > 0 || first + second === 0) return null;
  const share = second / (first + second);
  return share >= 0 && share <= 1 ? share : null;
}
