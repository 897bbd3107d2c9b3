import { ownValue } from "../foundation/checks/index.js";
import {
  type Answer,
  type ChunkRecord,
  type EvalRun,
  type Golden,
  goldenQueries,
  type GoldenQuery,
  type SearchHit,
  type TextMatch,
} from "../records/index.js";

/** What a chunk or a document says. */
export interface ItemText {
  readonly title: string;
  readonly text: string;
}

/** What stands behind the ids of a report: shown beside them in the HTML page. */
export interface ReportTexts {
  /**
   * What a run's hit of a query says: as it came back, else as the knowledge base has it. Null where neither
   * tells.
   *
   * @param run its place among the report's runs.
   * @param id of a chunk or a document.
   */
  hit(run: number, queryId: string, id: string): ItemText | null;
  /** What the knowledge base has under an id, else what the first hit of that chunk said. */
  item(id: string): ItemText | null;
  /** What a run answered; undefined where it did not. */
  answer(run: number, queryId: string): Answer | undefined;
  /** What the golden set asks of answers. */
  wanted(queryId: string): GoldenQuery | undefined;
  /** How `must_contain` and `forbidden` are looked for. */
  readonly textMatch: TextMatch | undefined;
}

/** Where texts can come from. */
export interface TextSources {
  /** In the order of the report; null for one that was not recorded. */
  readonly runs: readonly (EvalRun | null)[];
  readonly golden?: Golden | undefined;
  /** Chunks of the knowledge base, with their text. */
  readonly chunks?: Iterable<ChunkRecord> | undefined;
  /** Documents of a collection. */
  readonly documents?: Iterable<ItemText & { readonly id: string }> | undefined;
  readonly textMatch?: TextMatch | undefined;
}

/** Fields of a hit or chunk that may hold its text; the first that is there counts. */
const TEXT_FIELDS = ["text", "snippet", "content", "body"];

/**
 * The texts that a report can show: of hits as they came back (`title`, and `text`, `snippet`, `content` or
 * `body`), then of chunks and documents; answers; and what the golden set asks of them. Another run's text of
 * the same id is not taken: its chunker may have cut otherwise.
 */
export function reportTexts({
  runs,
  golden,
  chunks = [],
  documents = [],
  textMatch,
}: TextSources): ReportTexts {
  const results = runs.map((run) => new Map((run?.results ?? []).map((each) => [each.query_id, each])));
  const stored = new Map<string, ItemText>();
  for (const chunk of chunks)
    stored.set(chunk.chunk_id, mergeTexts(stored.get(chunk.chunk_id), textOf(chunk)));
  for (const { id, title, text } of documents) stored.set(id, mergeTexts(stored.get(id), { title, text }));
  const queries = new Map(
    (golden === undefined ? [] : goldenQueries(golden)).map((query) => [query.id, query]),
  );
  const told = firstHits(runs);
  return {
    hit(run, queryId, id) {
      const hits = results[run]?.get(queryId)?.hits_top_k ?? [];
      const hit = hits.find(({ chunk_id }) => chunk_id === id) ?? hits.find(({ doc_id }) => doc_id === id);
      const known = hit === undefined ? undefined : (stored.get(hit.chunk_id) ?? stored.get(hit.doc_id));
      return orNull(
        mergeTexts(hit === undefined ? NOTHING : textOf(hit), known ?? stored.get(id) ?? NOTHING),
      );
    },
    item: (id) => orNull(mergeTexts(stored.get(id), told(id))),
    answer: (run, queryId) => results[run]?.get(queryId)?.answer ?? undefined,
    wanted: (queryId) => queries.get(queryId),
    textMatch,
  };
}

const NOTHING: ItemText = { title: "", text: "" };

/** What the first hit of a chunk said, gathered once it is asked for. */
function firstHits(runs: readonly (EvalRun | null)[]): (id: string) => ItemText {
  let texts: Map<string, ItemText> | null = null;
  const gatherTexts = (): Map<string, ItemText> => {
    const found = new Map<string, ItemText>();
    for (const run of runs)
      for (const { hits_top_k } of run?.results ?? [])
        for (const hit of hits_top_k) if (!found.has(hit.chunk_id)) found.set(hit.chunk_id, textOf(hit));
    return found;
  };
  return (id) => (texts ??= gatherTexts()).get(id) ?? NOTHING;
}

/** Title and text, each from the first that has it. */
function mergeTexts(first: ItemText = NOTHING, second: ItemText = NOTHING): ItemText {
  return { title: first.title || second.title, text: first.text || second.text };
}

function orNull(text: ItemText): ItemText | null {
  return text.title === "" && text.text === "" ? null : text;
}

function textOf(record: SearchHit | ChunkRecord): ItemText {
  const fields = record as Readonly<Record<string, unknown>>;
  const first = (names: readonly string[]): string => {
    const found = names
      .map((name) => ownValue(fields, name))
      .find((value) => typeof value === "string" && value !== "");
    return typeof found === "string" ? found : "";
  };
  return { title: first(["title"]), text: first(TEXT_FIELDS) };
}
