import { InputError, quote } from "../../foundation/errors/index.js";
import { createHash } from "node:crypto";
import { canonicalJson } from "../../foundation/text/index.js";
import type {
  Backend,
  BackendConfig,
  EngineBackendConfig,
  LabelItem,
  PostgresqlBackendConfig,
} from "../../records/index.js";
import type { CorpusKey, LabelStore } from "../../storage/index.js";
import { only, type Dataset } from "./dataset.js";

/**
 * A dataset without a corpus of its own, with the items that its search listed for an earlier build; as it is
 * where there are none.
 */
export async function withKeptCorpus(
  dataset: Dataset,
  backend: BackendConfig | undefined,
  store: LabelStore,
): Promise<Dataset> {
  if (dataset.config.corpus !== undefined || backend === undefined) return dataset;
  const kept = await store.corpus(keyOf(dataset, backend));
  return kept === undefined ? dataset : withItems(dataset, kept.items);
}

/** How a corpus is listed. */
export interface ListCorpusOptions {
  /** The settings of the search, which say whose list it is. */
  readonly backend: BackendConfig;
  readonly signal?: AbortSignal | undefined;
  /** The time in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
  /** Called as items come in. */
  readonly onProgress?: ((items: number) => void) | undefined;
}

/**
 * A dataset with the items that its search lists now, which are kept in the label store.
 *
 * @throws InputError `CONFIG` where the search cannot list them, or lists none.
 */
export async function withListedCorpus(
  dataset: Dataset,
  search: Backend,
  store: LabelStore,
  { backend, signal, now = Date.now, onProgress }: ListCorpusOptions,
): Promise<Dataset> {
  if (search.list === undefined)
    throw new InputError(
      "CONFIG",
      `the search of dataset ${quote(dataset.id)} cannot list its items; give the dataset a corpus`,
    );
  const items: LabelItem[] = [];
  for await (const item of search.list({ signal })) {
    items.push(item);
    onProgress?.(items.length);
  }
  if (items.length === 0)
    throw new InputError("CONFIG", `the search of dataset ${quote(dataset.id)} lists no items`);
  await store.keepCorpus(keyOf(dataset, backend), { listed_at: new Date(now()).toISOString(), items });
  return withItems(dataset, items);
}

/** Whose list it is: the place of the search without its secrets, and what is asked there. */
function keyOf({ tenant }: Dataset, { kind, ...settings }: BackendConfig): CorpusKey {
  const {
    url = "",
    index,
    variables,
    list,
    hit,
    path,
    method,
    listSql,
  } = settings as Partial<EngineBackendConfig & PostgresqlBackendConfig>;
  const { host = "", pathname = "" } = URL.canParse(url) ? new URL(url) : {};
  const asked = { index, variables, list, hit, path, method, listSql };
  const digest = createHash("sha256").update(canonicalJson(asked)).digest("hex").slice(0, 16);
  return { tenant, source: `${kind} ${host}${pathname} ${digest}` };
}

function withItems(dataset: Dataset, items: readonly LabelItem[]): Dataset {
  const names = dataset.config.fields;
  const seen = items.map(({ id, fields }) => ({
    id,
    fields: names === undefined ? fields : only(fields, names),
  }));
  return { ...dataset, items: new Map(seen.map((item) => [item.id, item])) };
}
