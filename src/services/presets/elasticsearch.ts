import type { HttpSearch } from "../http-backend.js";

// Elasticsearch 8.19 and OpenSearch 2. Search:
// https://www.elastic.co/guide/en/elasticsearch/reference/8.19/search-search.html
// Listing by search_after, sorted by a field that is unique; where sorting by _id is switched off, another
// one is named: `variables: { key: sku }`.
// https://www.elastic.co/guide/en/elasticsearch/reference/8.19/paginate-search-results.html
export const elasticsearch: HttpSearch = {
  path: "/{index}/_search",
  body: { size: "{limit}", track_total_hits: true, query: { multi_match: { query: "{query}" } } },
  hits: "/hits/hits",
  hit: { id: "/_id", score: "/_score", fields: "/_source" },
  total: "/hits/total/value",
  partial: ["/timed_out", "/_shards/failed"],
  // Of a query that no shard can read the reason is "all shards failed".
  error: ["/error/root_cause/0/reason", "/error/reason"],
  list: {
    body: { size: "{limit}", sort: ["{key}"], search_after: "{cursor}" },
    nextOfLast: "/sort",
  },
  configuration: { method: "GET", path: "/{index}" },
  variables: { key: "_id" },
};
