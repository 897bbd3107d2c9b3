import type { HttpSearch } from "../http-backend.js";

// Solr 9.8. Search: https://solr.apache.org/guide/solr/9_8/query-guide/json-request-api.html
// Listing by cursorMark, sorted by the unique key; where that is not `id`: `variables: { key: sku }` and
// `hit: { id: /sku }`. https://solr.apache.org/guide/solr/9_8/query-guide/pagination-of-results.html
export const solr: HttpSearch = {
  path: "/{index}/query",
  body: { query: "{query}", limit: "{limit}", fields: "*,score", params: { defType: "edismax" } },
  hits: "/response/docs",
  hit: { score: "/score", omit: ["score", "_version_", "_root_"] },
  total: "/response/numFound",
  partial: ["/responseHeader/partialResults"],
  error: "/error/msg",
  list: {
    body: { query: "*:*", limit: "{limit}", sort: "{key} asc", params: { cursorMark: "{cursor}" } },
    next: "/nextCursorMark",
    start: "*",
  },
  configuration: { method: "GET", path: "/{index}/config" },
  variables: { key: "id" },
};
