import { raceAbort } from "../../foundation/async/index.js";
import { checkLimit } from "../../foundation/checks/index.js";
import { languageAnalyzer, lexicalIndex, runRetriever } from "../../retrieve/index.js";
import { engineBackend } from "../../services/index.js";
import { textsIn } from "../../label/index.js";
import { searchHitsFrom, type Backend, type BackendConfig } from "../../records/index.js";
import { readAnyRun } from "../evaluate/evaluate-files.js";
import { postgresqlBackend } from "../postgresql-backend.js";
import { moduleSystem } from "../systems/index.js";
import { only, type Dataset } from "./dataset.js";

/**
 * Opens the search of a dataset.
 *
 * @param limit most hits that it will be asked for.
 */
export async function openBackend(
  dataset: Dataset,
  backend: BackendConfig = { kind: "builtin" },
  limit: number,
): Promise<Backend> {
  return guardBackend(await backendOf(dataset, backend, limit), dataset.config.fields);
}

/**
 * A search that keeps to the limit and ends when nobody wants its answer, whoever made it, and whose hits
 * have the fields that raters see, and no others.
 */
function guardBackend(backend: Backend, names: readonly string[] | undefined): Backend {
  const list = backend.list?.bind(backend);
  const configuration = backend.configuration?.bind(backend);
  const close = backend.close?.bind(backend);
  return {
    async search(query, options) {
      const limit = checkLimit(options.limit);
      options.signal?.throwIfAborted();
      const hits = await raceAbort(async () => backend.search(query, options), options.signal);
      return hits
        .slice(0, limit)
        .map((hit) => (hit.fields && names ? { ...hit, fields: only(hit.fields, names) } : hit));
    },
    // All of them, since what is kept of them is shared by datasets.
    ...(list && { list }),
    ...(configuration && { configuration }),
    ...(close && { close }),
  };
}

async function backendOf(
  { items, config }: Dataset,
  backend: BackendConfig,
  limit: number,
): Promise<Backend> {
  switch (backend.kind) {
    case "builtin": {
      const chunks = [...items.values()].map(({ id, fields }) => {
        const { title, ...rest } = fields;
        const text = textsIn(rest).join("\n");
        return { chunk_id: id, doc_id: id, text, ...(typeof title === "string" && { title }) };
      });
      const analyzer = await languageAnalyzer(config.language ?? "english");
      return lexicalIndex(chunks, { analyzer });
    }
    case "http":
    case "elasticsearch":
    case "solr":
    case "vespa":
    case "typesense":
    case "meilisearch":
    case "qdrant":
      return engineBackend(backend);
    case "postgresql": {
      const { kind: _, ...options } = backend;
      return postgresqlBackend(options);
    }
    case "module": {
      const system = await moduleSystem(backend.path, limit);
      return {
        async search(query, { queryId = "", signal, onTrace }) {
          const context = {
            goldenQuery: { id: queryId, query },
            signal: signal ?? new AbortController().signal,
            onTrace,
          };
          return searchHitsFrom(await system.retrieve(query, context), backend.path);
        },
        close: () => system.close(),
      };
    }
    case "run":
      return runRetriever((await readAnyRun(backend.path)).run);
  }
}
