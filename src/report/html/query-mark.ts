import { html, nothing, type Markup } from "./markup.js";

/** The attribute by which a page knows the query that an element names; nothing for one it does not have. */
export type QueryMark = (query_id: string) => Markup;

/** For the script of the reports: the place of the query, whose data are in the order of the result. */
export function markByPlace(queries: readonly { readonly query_id: string }[]): QueryMark {
  const places = new Map(queries.map(({ query_id }, at) => [query_id, at]));
  return (query_id) => {
    const at = places.get(query_id);
    return at === undefined ? nothing : html` data-query="${at}"`;
  };
}

/** For pages that have an address for each query: its id, of which the HTML takes nothing. */
export const markById: QueryMark = (query_id) =>
  html` data-query-id="${encodeURIComponent(query_id.toWellFormed())}"`;
