import { AdapterError, shown } from "../errors.js";
import type { SearchHit } from "../schema/index.js";

/** Where services put their hits, and the names they give to what was hit. */
const LISTS = ["hits", "results"];
const IDS = ["chunk_id", "id", "_id", "doc_id"];

/**
 * Hits out of what a service answers.
 *
 * @param where who answered, for messages.
 * @throws AdapterError `RETRIEVER_FAILED` for anything that is no list of hits with ids.
 */
export function searchHitsFrom(answer: unknown, where: string): SearchHit[] {
  const fields = new Map<string, unknown>(typeof answer === "object" && answer !== null ? Object.entries(answer) : []);
  const list = Array.isArray(answer) ? (answer as unknown[]) : LISTS.map((name) => fields.get(name)).find(Array.isArray);
  if (list === undefined) throw new AdapterError("RETRIEVER_FAILED", `${where} must answer with a list of hits, or an object with one under \`hits\`, got ${shown(answer)}`);
  return (list as unknown[]).map((hit, index) => {
    const has = new Map<string, unknown>(typeof hit === "object" && hit !== null ? Object.entries(hit) : typeof hit === "string" ? [["id", hit]] : []);
    const text = (name: string): string | undefined => {
      const value = has.get(name);
      return typeof value === "number" ? String(value) : typeof value === "string" && value !== "" ? value : undefined;
    };
    const id = IDS.map(text).find((value) => value !== undefined);
    const score = has.get("score");
    if (id === undefined) throw new AdapterError("RETRIEVER_FAILED", `${where}: hit ${index + 1} must have a chunk_id, doc_id or id, got ${shown(hit)}`);
    return { rank: index + 1, chunk_id: id, doc_id: text("doc_id") ?? id, score: typeof score === "number" && Number.isFinite(score) ? score : null };
  });
}
