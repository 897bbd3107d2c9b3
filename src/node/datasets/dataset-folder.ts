import { join } from "node:path";

/**
 * The folder of what commands write about a dataset: `datasets/<dataset>` below the folder of artifacts. A
 * dataset that is named by its files may have any name.
 */
export function datasetFolder(artifacts: string, dataset: string): string {
  return join(artifacts, "datasets", dataset.replace(/[^\w.-]|^\.+/g, "_"));
}
