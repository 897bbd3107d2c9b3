import { html, nothing, type Markup } from "./markup.js";
import { formatCount } from "../../foundation/numbers/index.js";

/** How many queries went which way. */
export interface OutcomeCounts {
  readonly improved: number;
  readonly equal: number;
  readonly worse: number;
}

/** A bar in three parts, without numbers. */
export function outcomeBar({ improved, equal, worse }: OutcomeCounts): Markup {
  const total = improved + equal + worse;
  if (total === 0) return nothing;
  let from = 0;
  const part = (count: number, name: string): Markup => {
    const x = from;
    from += (100 * count) / total;
    return count === 0
      ? nothing
      : html`
        <rect
          class="${name}"
          x="${x.toFixed(2)}%"
          width="${((100 * count) / total).toFixed(2)}%"
          height="100%"/>
        
      `;
  };
  return html`
    <svg class="bar" aria-hidden="true">
      ${[part(improved, "better"), part(equal, "equal"), part(worse, "worse")]}
    </svg>
  `;
}

/** The numbers with their signs: `▲ 120  = 40  ▼ 12`. */
export function outcomeNumbers({ improved, equal, worse }: OutcomeCounts): Markup {
  return html`
    <span class="outcomes">
      <span class="better" title="improved">
        <span aria-hidden="true">▲</span><span class="sr">improved</span> ${formatCount(improved)}
      </span> <span title="equal">
        <span aria-hidden="true">=</span><span class="sr">equal</span> ${formatCount(equal)}
      </span> <span class="worse" title="worse">
        <span aria-hidden="true">▼</span><span class="sr">worse</span> ${formatCount(worse)}
      </span>
    </span>
  `;
}
