import { createHash } from "node:crypto";
import { join } from "node:path";

/**
 * The folder of what commands write about a dataset: `datasets/<dataset>` below the folder of artifacts. A
 * dataset that is named by its files may have any name.
 */
export function datasetFolder(artifacts: string, dataset: string): string {
  const plain = dataset.replace(/[^\w.-]|^\.+/g, "_");
  // What is replaced is told apart by a hash.
  const hash = createHash("sha256").update(dataset).digest("hex").slice(0, 8);
  return join(artifacts, "datasets", plain === dataset ? plain : `${plain}-${hash}`);
}
