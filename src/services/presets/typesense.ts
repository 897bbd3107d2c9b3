import type { HttpSearch } from "../http-backend.js";

// Typesense 27. Search: https://typesense.org/docs/27.0/api/search.html; 250 hits at most in a page, and the
// fields that are searched are named: `variables: { query_by: "title,description" }`.
// Listing by export: https://typesense.org/docs/27.0/api/documents.html#export-documents
export const typesense: HttpSearch = {
  method: "GET",
  path: "/collections/{index}/documents/search",
  params: { q: "{query}", query_by: "{query_by}", per_page: "{limit}", page: "{page}" },
  hits: "/hits",
  hit: { id: "/document/id", score: "/text_match", fields: "/document" },
  total: "/found",
  partial: ["/search_cutoff"],
  error: "/message",
  pageSize: 250,
  list: { path: "/collections/{index}/documents/export", isJsonl: true, item: {} },
  configuration: { method: "GET", path: "/collections/{index}" },
};
