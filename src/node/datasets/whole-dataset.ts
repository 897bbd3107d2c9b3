import type { Config, DatasetConfig } from "../../records/index.js";
import { openLabelStore } from "../label-file.js";
import { isStoreThere } from "../store-name.js";
import { readDataset, type Dataset } from "./dataset.js";
import { withKeptCorpus } from "./listed-corpus.js";
import { backendFrom } from "./project-config.js";

/**
 * A dataset with the items of its corpus, or those that its search listed for an earlier build.
 *
 * @param labels the path of the label store.
 * @throws InputError as {@link readDataset}
 */
export async function readWholeDataset(
  config: Config,
  id: string,
  named: DatasetConfig,
  labels: string,
): Promise<Dataset> {
  const dataset = await readDataset(id, named);
  if (dataset.config.corpus !== undefined || !isStoreThere(labels)) return dataset;
  const store = await openLabelStore(labels, { create: true });
  try {
    return await withKeptCorpus(dataset, backendFrom(config, dataset), store);
  } finally {
    await store.close();
  }
}
