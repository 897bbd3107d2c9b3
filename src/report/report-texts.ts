import { goldenQueries, type Golden, type TextMatch } from "../records/index.js";
import type { Answer, ChunkRecord, EvalRun, GoldenQuery, SearchHit } from "../records/schema/index.js";
import { ownValue } from "../foundation/checks/index.js";

/** What a chunk or a document says. */
export interface ItemText {
  readonly title: string;
  readonly text: string;
}

/** What stands behind the ids of a report: shown beside them in the HTML page. */
export interface ReportTexts {
  /** By the id of a chunk or a document. */
  readonly items: ReadonlyMap<string, ItemText>;
  /** What each run answered, by query id, in the order of the report's runs. */
  readonly answers: readonly ReadonlyMap<string, Answer>[];
  /** What the golden set asks of answers, by query id. */
  readonly wanted: ReadonlyMap<string, GoldenQuery>;
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
 * `body`), then of chunks and documents; answers; and what the golden set asks of them.
 */
export function reportTexts({
  runs,
  golden,
  chunks = [],
  documents = [],
  textMatch,
}: TextSources): ReportTexts {
  const items = new Map<string, ItemText>();
  const add = (ids: readonly string[], found: ItemText | null): void => {
    if (found === null) return;
    for (const id of ids) if (!items.has(id)) items.set(id, found);
  };
  const answers = runs.map((run) => {
    const ofRun = new Map<string, Answer>();
    for (const { query_id, answer, hits_top_k } of run?.results ?? []) {
      if (answer != null) ofRun.set(query_id, answer);
      for (const hit of hits_top_k) add([hit.chunk_id, hit.doc_id], textOf(hit));
    }
    return ofRun;
  });
  for (const chunk of chunks) add([chunk.chunk_id, chunk.doc_id], textOf(chunk));
  for (const { id, title, text } of documents) add([id], { title, text });
  return {
    items,
    answers,
    wanted: new Map((golden === undefined ? [] : goldenQueries(golden)).map((query) => [query.id, query])),
    textMatch,
  };
}

function textOf(record: SearchHit | ChunkRecord): ItemText | null {
  const fields = record as Readonly<Record<string, unknown>>;
  const strings = (names: readonly string[]): string =>
    (names
      .map((name) => ownValue(fields, name))
      .find((value) => typeof value === "string" && value !== "") as string | undefined) ?? "";
  const [title, text] = [strings(["title"]), strings(TEXT_FIELDS)];
  return title === "" && text === "" ? null : { title, text };
}
