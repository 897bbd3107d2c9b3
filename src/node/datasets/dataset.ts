import { parseItems, parseQueries } from "../../formats/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import { DEFAULT_TENANT, normalizeQuery, type LabelItem } from "../../label/index.js";
import type { DatasetConfig, KnownQuery } from "../../records/index.js";
import { contentOf } from "../evaluate/chunks.js";

/** A query of a dataset. */
export interface NamedQuery {
  readonly id: string;
  readonly query: string;
  /** What its file says of it besides, for slices. */
  readonly labels?: KnownQuery["labels"] | undefined;
}

/** A dataset, read. */
export interface Dataset {
  readonly id: string;
  readonly tenant: string;
  readonly queries: readonly NamedQuery[];
  /** The items of the corpus by id, in its order; none before a search has listed them. */
  readonly items: ReadonlyMap<string, LabelItem>;
  readonly config: DatasetConfig;
}

/**
 * Reads the queries and the corpus of a dataset, as far as it is a file.
 *
 * @throws InputError with every problem of a file, each with its place; `CONFIG` for queries without words.
 */
export async function readDataset(id: string, config: DatasetConfig): Promise<Dataset> {
  const { queries: queriesFile, corpus, fields, tenant = DEFAULT_TENANT } = config;
  const known = parseQueries(await contentOf(queriesFile), queriesFile);
  const queries = [...known].map(([queryId, { query, labels }]): NamedQuery => {
    if (query == null || query.trim() === "")
      throw new InputError("CONFIG", `${queriesFile}: query ${quote(queryId)} has no words; give it some`);
    normalizeQuery(query);
    return { id: queryId, query, ...(labels !== undefined && { labels }) };
  });
  if (queries.length === 0) throw new InputError("CONFIG", `${queriesFile}: has no queries`);
  if (corpus === undefined) {
    if (config.backend === undefined)
      throw new InputError(
        "CONFIG",
        `dataset ${quote(id)} must have a corpus, or a backend that lists its items`,
      );
    return { id, tenant, queries, items: new Map(), config };
  }
  const items = parseItems(await contentOf(corpus), corpus);
  for (const field of fields ?? [])
    if (!items.some((item) => Object.hasOwn(item.fields, field)))
      throw new InputError(
        "CONFIG",
        `${corpus}: no item has the field ${quote(field)} of dataset ${quote(id)}`,
      );
  const chosen = items.map((item) =>
    fields === undefined ? item : { id: item.id, fields: only(item.fields, fields) },
  );
  return { id, tenant, queries, items: new Map(chosen.map((item) => [item.id, item])), config };
}

/** The fields of these names, in their order. */
export function only(fields: LabelItem["fields"], names: readonly string[]): LabelItem["fields"] {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]),
  );
}
