import type { HttpSearch } from "../http-backend.js";

// Vespa 8. Search: https://docs.vespa.ai/en/reference/query-api-reference.html; for more than 400 hits, allow
// them in a query profile, or page: `pageSize: 400` and a body of one's own with `offset: "{offset}"`.
// Listing by visiting: https://docs.vespa.ai/en/reference/document-v1-api-reference.html; documents have a
// namespace: `variables: { namespace: shop }`. What a match phase or an adaptive timeout
// leaves out is left out by design.
export const vespa: HttpSearch = {
  path: "/search/",
  body: { yql: "select * from {index} where userQuery()", query: "{query}", hits: "{limit}" },
  hits: "/root/children",
  hit: { score: "/relevance", fields: "/fields", omit: ["documentid", "sddocname"] },
  total: "/root/fields/totalCount",
  partial: ["/root/errors", "/root/coverage/degraded/timeout", "/root/coverage/degraded/non-ideal-state"],
  error: "/root/errors/0/message",
  list: {
    method: "GET",
    path: "/document/v1/{namespace}/{index}/docid",
    params: { wantedDocumentCount: "{limit}", continuation: "{cursor}" },
    items: "/documents",
    next: "/continuation",
  },
};
