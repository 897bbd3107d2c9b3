import { isRecord } from "../foundation/checks/index.js";
import { AdapterError, keysInWords, kindInWords } from "../foundation/errors/index.js";
import type { BackendHit } from "./ports/backend.js";
import type { SearchHit } from "./types/index.js";

/** Where services put their hits, and the names they give to what was hit. */
const LISTS = ["hits", "results"];
const IDS = ["chunk_id", "id", "_id", "doc_id"];

/**
 * Hits out of what a service answers, in its order; of several with one id the first.
 *
 * @param where who answered, for messages. They name fields of the answer only: its values may repeat what
 * was sent in confidence.
 * @throws AdapterError `RETRIEVER_FAILED` for anything that is no list of hits with ids.
 */
export function searchHitsFrom(answer: unknown, where: string): SearchHit[] {
  const fields = fieldsOf(answer);
  const list = Array.isArray(answer)
    ? (answer as unknown[])
    : LISTS.map((name) => fields.get(name)).find(Array.isArray);
  if (list === undefined) {
    const named = LISTS.find((name) => fields.has(name));
    const got =
      named === undefined ? keysInWords(answer) : `${kindInWords(fields.get(named))} under \`${named}\``;
    throw new AdapterError(
      "RETRIEVER_FAILED",
      `${where} must answer with a list of hits, or an object with one under \`hits\`, got ${got}`,
    );
  }
  const hits = new Map<string, SearchHit>();
  (list as unknown[]).forEach((hit, index) => {
    const has = typeof hit === "string" ? new Map([["id", hit]]) : fieldsOf(hit);
    const place = `${where}: hit ${index + 1}`;
    const id = IDS.map((name) => idIn(has, name, place)).find((value) => value !== undefined);
    if (id === undefined)
      throw new AdapterError(
        "RETRIEVER_FAILED",
        `${place} must have a chunk_id, doc_id or id, got ${keysInWords(hit)}`,
      );
    if (hits.has(id)) return;
    hits.set(id, {
      rank: hits.size + 1,
      chunk_id: id,
      doc_id: idIn(has, "doc_id", place) ?? id,
      score: scoreIn(has, place),
      ...besides(has),
    });
  });
  return [...hits.values()];
}

/** What a hit says of itself besides: fields, and numbers by name. */
function besides(has: ReadonlyMap<string, unknown>): Partial<Pick<BackendHit, "fields" | "features">> {
  const [fields, features] = [has.get("fields"), has.get("features")];
  const numbers = isRecord(features)
    ? Object.entries(features).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))
    : [];
  return {
    ...(isRecord(fields) && { fields: { ...fields } }),
    ...(numbers.length > 0 && { features: Object.fromEntries(numbers) }),
  };
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function idIn(fields: ReadonlyMap<string, unknown>, name: string, hit: string): string | undefined {
  const value = fields.get(name);
  if (isRoundedId(value))
    throw new AdapterError("RETRIEVER_FAILED", `${hit}: ${name} is a number that ${ROUNDED_ID}`);
  return typeof value === "number"
    ? String(value)
    : typeof value === "string" && value !== ""
      ? value
      : undefined;
}

/** Whether JSON may have made an id of it that is another one's. */
export function isRoundedId(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** What is wrong with an id that is too large a number, and what to do. */
export const ROUNDED_ID = "is too large to be read exactly; ids of such a size must be text";

/** Kept as it is or not at all: a score that is none would be a loss without a word. */
function scoreIn(fields: ReadonlyMap<string, unknown>, hit: string): number | null {
  const score = fields.get("score") ?? null;
  if (score === null || (typeof score === "number" && Number.isFinite(score))) return score;
  throw new AdapterError(
    "RETRIEVER_FAILED",
    `${hit}: score must be a finite number or null, got ` +
      `${typeof score === "number" ? "one that is too large" : kindInWords(score)}`,
  );
}
