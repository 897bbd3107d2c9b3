import type { EngineBackendConfig } from "../../records/index.js";
import type { HttpSearch } from "../http-backend.js";
import { elasticsearch } from "./elasticsearch.js";
import { meilisearch } from "./meilisearch.js";
import { qdrant } from "./qdrant.js";
import { solr } from "./solr.js";
import { typesense } from "./typesense.js";
import { vespa } from "./vespa.js";

/** How each search engine is asked that is known. */
export const searchPresets: Readonly<Record<EngineBackendConfig["kind"], HttpSearch>> = {
  elasticsearch,
  solr,
  vespa,
  typesense,
  meilisearch,
  qdrant,
};
