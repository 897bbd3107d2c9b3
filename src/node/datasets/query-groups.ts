import { parseGolden } from "../../formats/index.js";
import { goldenQueries } from "../../records/index.js";
import { contentOf } from "../evaluate/index.js";

/** The groups of a golden set's queries, such as paraphrases: query id to the name of its group. */
export async function groupsOf(path: string): Promise<Map<string, string>> {
  return new Map(
    goldenQueries(parseGolden(await contentOf(path), path)).flatMap(({ id, group }) =>
      typeof group === "string" ? [[id, group] as const] : [],
    ),
  );
}
