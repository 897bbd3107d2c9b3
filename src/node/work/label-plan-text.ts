import { countOf, formatAmount } from "../../foundation/numbers/index.js";
import type { BuildSummary, Cost } from "../../label/index.js";
import type { LabelPlan } from "./label-windows.js";

/**
 * What a build would ask, as a sentence without its full stop.
 *
 * @param name of the labeler.
 */
export function labelPlanText(plan: LabelPlan | BuildSummary, name: string): string {
  return "pairs" in plan ? planText(plan, name) : boundsText(plan, name);
}

function planText({ queries, pairs, known, calls, cost }: BuildSummary, name: string): string {
  return (
    `${name} would be asked ${countOf(calls, "time")} for ${countOf(pairs - known, "label")} of ` +
    `${countOf(queries, "query")} (${pairs} wanted, ${known} there)${costText(cost, "about ")}`
  );
}

function boundsText(plan: LabelPlan, name: string): string {
  const { queries, searches_at_most: searches, rerank_requests_at_most: reranks } = plan;
  const { calls_at_least: least, isListed } = plan;
  const bound = least === 0 ? "at most " : least < plan.calls_at_most ? `${least} to ` : "";
  const rerank = reranks > 0 ? `, and at most ${countOf(reranks, "rerank request")}` : "";
  return (
    `${name} would be asked ${bound}` +
    `${countOf(plan.calls_at_most, "time")} for ${countOf(queries, "query")}, less for what is labelled ` +
    `already${costText(plan.cost_at_most, "at most about ")}; before it ` +
    `${countOf(searches, "search request")}${rerank}${isListed ? "" : "; its items are not listed yet"}`
  );
}

/**
 * Tokens and price, as far as they are known, behind a comma.
 *
 * @param about stands before each figure.
 */
export function costText({ tokens, price }: Cost, about: string): string {
  const parts = [
    ...(tokens ? [`${about}${Math.round(tokens.input + tokens.output)} tokens`] : []),
    ...(price ? [`${about}${formatAmount(price.amount)} ${price.currency}`] : []),
  ];
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
}

/** What trying a labeler would ask, as a sentence without its full stop. */
export function probePlanText(
  { requests, cost }: { readonly requests: number; readonly cost: Cost },
  name: string,
): string {
  return `${name} would be asked ${countOf(requests, "time")}${costText(cost, "about ")}`;
}
