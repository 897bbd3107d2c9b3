import type { HttpSearch } from "../http-backend.js";

// Qdrant 1.14 and later, which embeds the question itself: `variables: { model: … }`; with vectors of one's
// own a module is the way. Search: https://api.qdrant.tech/v-1-14-x/api-reference/search/query-points
// Listing by scroll: https://api.qdrant.tech/v-1-14-x/api-reference/points/scroll-points
export const qdrant: HttpSearch = {
  path: "/collections/{index}/points/query",
  body: { query: { text: "{query}", model: "{model}" }, limit: "{limit}", with_payload: true },
  hits: "/result/points",
  hit: { score: "/score", fields: "/payload" },
  error: "/status/error",
  list: {
    path: "/collections/{index}/points/scroll",
    body: { limit: "{limit}", offset: "{cursor}", with_payload: true },
    items: "/result/points",
    next: "/result/next_page_offset",
  },
  configuration: { method: "GET", path: "/collections/{index}" },
};
