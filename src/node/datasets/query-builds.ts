import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../files/index.js";
import { raterId } from "../../records/index.js";
import type { QueryBuild } from "../../label/index.js";
import type { AssessmentFilter } from "../../storage/index.js";
import { datasetFolder } from "./dataset-folder.js";

/**
 * Writes what a deep rebuild did for a query: `datasets/<dataset>/query_builds/<first 16 hexadecimal digits
 * of SHA-256 of the query>.json`.
 *
 * @param artifacts the folder of artifacts.
 * @returns the path of the file.
 */
export function writeQueryBuild(artifacts: string, dataset: string, build: QueryBuild): string {
  const digest = createHash("sha256").update(build.query).digest("hex").slice(0, 16);
  const path = join(datasetFolder(artifacts, dataset), "query_builds", `${digest}.json`);
  replaceFile(path, `${JSON.stringify(build, null, 2)}\n`);
  return path;
}

/** What deep rebuilds wrote of a dataset, by query; what was cut off in the middle is left out. */
export function readQueryBuilds(artifacts: string, dataset: string): QueryBuild[] {
  const folder = join(datasetFolder(artifacts, dataset), "query_builds");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), "utf8")) as QueryBuild];
      } catch {
        return [];
      }
    });
}

/**
 * Removes what deep rebuilds wrote of what is forgotten.
 *
 * @param filter as that of `LabelStore.forget`; what is left out is not looked at.
 * @returns how many files it were.
 */
export function forgetQueryBuilds(artifacts: string, filter: AssessmentFilter): number {
  const datasets = join(artifacts, "datasets");
  if (!existsSync(datasets)) return 0;
  const paths = readdirSync(datasets)
    .map((dataset) => join(datasets, dataset, "query_builds"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(".json") && fits(path, filter));
  for (const path of paths) rmSync(path);
  return paths.length;
}

function fits(path: string, { tenant, query, item, rater }: AssessmentFilter): boolean {
  let build: QueryBuild;
  try {
    build = JSON.parse(readFileSync(path, "utf8")) as QueryBuild;
  } catch {
    // What was cut off in the middle cannot be looked at, and may be of anybody.
    return true;
  }
  return (
    (tenant === undefined || build.tenant === tenant) &&
    (query === undefined || build.query === query) &&
    (item === undefined || build.order.includes(item) || build.unknown_items.includes(item)) &&
    (rater === undefined || raterId(build.rater) === rater)
  );
}
