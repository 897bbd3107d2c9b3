import type { HttpSearch } from "../http-backend.js";

// Meilisearch 1. Search: https://www.meilisearch.com/docs/reference/api/search; 1,000 hits
// at most by default.
// Where the primary key is not `id`: `hit: { id: /sku }`.
// Listing: https://www.meilisearch.com/docs/reference/api/documents
export const meilisearch: HttpSearch = {
  path: "/indexes/{index}/search",
  body: { q: "{query}", limit: "{limit}", showRankingScore: true },
  hits: "/hits",
  hit: { score: "/_rankingScore", omit: ["_rankingScore"] },
  total: "/estimatedTotalHits",
  error: "/message",
  list: {
    method: "GET",
    path: "/indexes/{index}/documents",
    params: { limit: "{limit}", offset: "{offset}" },
    items: "/results",
  },
  configuration: { method: "GET", path: "/indexes/{index}/settings" },
};
