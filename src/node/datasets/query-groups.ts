import { parseGolden } from "../../formats/index.js";
import { goldenQueries } from "../../records/index.js";
import { isRankproofError } from "../../foundation/errors/index.js";
import { contentOf } from "../evaluate/index.js";
import type { Dataset } from "./dataset.js";

/** The groups of a golden set's queries, such as paraphrases: query id to the name of its group. */
export async function groupsOf(path: string): Promise<Map<string, string>> {
  return new Map(
    goldenQueries(parseGolden(await contentOf(path), path)).flatMap(({ id, group }) =>
      typeof group === "string" ? [[id, group] as const] : [],
    ),
  );
}

/** The groups of a dataset's queries, where these are a golden set. */
export async function groupsOfDataset({ config }: Dataset): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    return await groupsOf(config.queries);
  } catch (error) {
    if (isRankproofError(error)) return undefined;
    throw error;
  }
}
