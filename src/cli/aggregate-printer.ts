import type { AggregateMetrics } from "../records/index.js";
import { renderAggregateText, renderWarningsText } from "../report/index.js";
import { formatJson } from "./format-json.js";
import type { Terminal } from "./terminal.js";

/** Prints an aggregate, as a table unless JSON is wanted. */
export function printAggregate(aggregate: AggregateMetrics, asJson: boolean, terminal: Terminal): void {
  terminal.out(asJson ? formatJson(aggregate) : renderAggregateText(aggregate, terminal));
}

/** Says what may mislead in an aggregate. */
export function tellAggregateWarnings(aggregate: AggregateMetrics, terminal: Terminal): void {
  for (const warning of renderWarningsText(aggregate)) terminal.warn(warning);
}
