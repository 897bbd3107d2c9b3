import { isRecordedRun } from "../../evaluate/index.js";
import { isGoldenFile, likelyRole, parseAnyQrels, parseAnyRun, parseGolden } from "../../formats/index.js";
import { isSqlite } from "../../foundation/checks/index.js";
import { InputError, isRankproofError, messageOf } from "../../foundation/errors/index.js";
import { countOf } from "../../foundation/numbers/index.js";
import {
  listKnownQueries,
  UNKNOWN_TIME,
  type EvalRun,
  type GoldenSet,
  type Qrels,
  type Warning,
} from "../../records/index.js";
import { memoryStore, type EvalStore } from "../../storage/index.js";
import { sqljsStore } from "../../storage/sqljs/index.js";
import {
  GoldenCollection,
  JudgedCollection,
  type Collection,
  type JudgedRun,
} from "../../workbench/index.js";
import type { OpenedFile } from "../data-source.js";
import { unpackBytes } from "./unpack-bytes.js";

/** What a file turned out to be. */
type Content =
  | { readonly kind: "golden"; readonly golden: GoldenSet; readonly qrels: Qrels | null }
  | { readonly kind: "qrels"; readonly qrels: Qrels; readonly warnings: readonly Warning[] }
  | { readonly kind: "run"; readonly run: JudgedRun; readonly warnings: readonly Warning[] }
  | { readonly kind: "store"; readonly bytes: Uint8Array; readonly runs: readonly EvalRun[] };

/** Files that were given to the page, and what there is to look at by now. */
export class DroppedFiles {
  readonly #wasm: () => Promise<Uint8Array>;
  readonly #contents = new Map<string, Content>();
  readonly #opened = new Map<string, OpenedFile>();
  #collections: readonly Collection[] = [];
  #turn = 0;

  /** @param wasm the bytes of SQLite, which are unpacked for the first store. */
  constructor(wasm: () => Promise<Uint8Array>) {
    this.#wasm = wasm;
  }

  get collections(): readonly Collection[] {
    return this.#collections;
  }

  get opened(): readonly OpenedFile[] {
    return [...this.#opened.values()];
  }

  /** Takes files; one of a name that is there takes its place, unless it cannot be read. */
  async open(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const { name } = file;
      try {
        const content = await this.#read(file);
        this.#contents.set(name, content);
        this.#opened.set(name, { name, found: withWarnings(content), problem: null, isStranger: false });
      } catch (error) {
        this.#opened.set(name, { name, found: "", problem: messageOf(error), isStranger: false });
        // What is no fault of the file is to be seen by whoever fixes the program.
        if (!isRankproofError(error)) reportError(error);
      }
    }
    const asked = findAsked([...this.#contents.values()]);
    for (const [name, opened] of this.#opened) {
      const content = this.#contents.get(name);
      const isStrange = opened.problem === null && content !== undefined && isStranger(content, asked);
      this.#opened.set(name, { ...opened, isStranger: isStrange });
    }
    this.#collections = await this.#arrange();
  }

  async #read(file: File): Promise<Content> {
    const given = new Uint8Array(await bytesOf(file));
    const bytes = given[0] === 0x1f && given[1] === 0x8b ? await unpackBytes(given) : given;
    if (isSqlite(bytes)) return { kind: "store", bytes, runs: await this.#runsIn(bytes) };
    if (
      /\.ya?ml(?:\.gz)?$/i.test(file.name) ||
      (likelyRole(bytes) === "qrels" && isGoldenFile(bytes, file.name))
    )
      return {
        kind: "golden",
        golden: parseGolden(bytes, file.name),
        qrels: documentsJudged(bytes, file.name),
      };
    if (likelyRole(bytes) === "qrels") return { kind: "qrels", ...parseAnyQrels(bytes, file.name) };
    const { run, warnings } = parseAnyRun(bytes, file.name);
    const changed = new Date(file.lastModified).toISOString();
    const created_at = isRecordedRun(run) && run.created_at !== UNKNOWN_TIME ? run.created_at : changed;
    return { kind: "run", run: { name: file.name, created_at, run }, warnings };
  }

  async #runsIn(bytes: Uint8Array): Promise<EvalRun[]> {
    const store = await sqljsStore({ bytes, wasm: await this.#wasm() });
    try {
      const ids = (await store.listRuns()).map(({ run_id }) => run_id);
      return (await Promise.all(ids.map((id) => store.loadRun(id)))).filter((run) => run !== null);
    } finally {
      await store.close();
    }
  }

  /** Each golden set with the recorded runs, and each file of judgments with all runs. */
  async #arrange(): Promise<Collection[]> {
    const stamp = String(++this.#turn);
    const contents = [...this.#contents];
    const runs = latestFirst(runsOf(contents.map(([, content]) => content)));
    const store = await this.#store(runs);
    const hasScored = runs.some(({ run }) => !isRecordedRun(run));
    return contents.flatMap(([id, content]): Collection[] => {
      const answering = (queries: QueryIds): JudgedRun[] => runs.filter((run) => answersAny(run, queries));
      if (content.kind === "qrels")
        return [new JudgedCollection(id, content.qrels, answering(content.qrels.queries))];
      if (content.kind !== "golden") return [];
      const { golden, qrels } = content;
      const stamps = (): { golden: string; runs: string } => ({ golden: stamp, runs: stamp });
      const set = new GoldenCollection({
        id,
        golden: async () => golden,
        stamps,
        hasRuns: () => true,
        inStore: (work) => work(store),
      });
      if (!hasScored || qrels === null) return [set];
      const known = listKnownQueries(golden);
      const judged = new JudgedCollection(`${id}, documents`, qrels, answering(known), known);
      return runs.every(({ run }) => !isRecordedRun(run)) ? [judged] : [set, judged];
    });
  }

  /** The store that was given last with what it knows of chunks, and in it the runs of all files. */
  async #store(runs: readonly JudgedRun[]): Promise<EvalStore> {
    const last = [...this.#contents.values()].findLast(({ kind }) => kind === "store");
    const store =
      last?.kind === "store"
        ? await sqljsStore({ bytes: last.bytes, wasm: await this.#wasm() })
        : memoryStore();
    for (const { run } of runs) if (isRecordedRun(run)) await store.saveRun(run, { replace: true });
    return store;
  }
}

/** @throws InputError `FILE_UNREADABLE` for a folder, and for a file that is gone. */
async function bytesOf(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new InputError(
      "FILE_UNREADABLE",
      "It is a folder, or a file that cannot be read any more; drop the files that are in it.",
      {},
      cause,
    );
  }
}

/** The documents that a golden set judges, for runs that name documents; null where it judges none. */
function documentsJudged(bytes: Uint8Array, file: string): Qrels | null {
  try {
    return parseAnyQrels(bytes, file).qrels;
  } catch {
    return null;
  }
}

/** A file's name without its ending (and `.gz`). */
function stemOf(name: string): string {
  return name.replace(/\.gz$/i, "").replace(/(?<=.)\.[^.]*$/, "");
}

/**
 * The runs of all files. A run is called like its file without the ending, and with it where another run has
 * that name: two files must not turn into one run.
 */
function runsOf(contents: readonly Content[]): JudgedRun[] {
  const stored = contents.flatMap((content) => (content.kind === "store" ? content.runs : []));
  const files = contents.flatMap((content) => (content.kind === "run" ? [content.run] : []));
  const taken = new Set(stored.map(({ run_id }) => run_id));
  const named = new Set(files.map(({ name }) => name));
  const isAlone = (stem: string, file: string): boolean =>
    files.filter(({ name }) => stemOf(name) === stem).length === 1 && (stem === file || !named.has(stem));
  const nameOf = (file: string): string => {
    const stem = stemOf(file);
    if (isAlone(stem, file) && !taken.has(stem)) return stem;
    return taken.has(file) ? `${file} (file)` : file;
  };
  return [
    ...stored.map((run) => ({ name: run.run_id, created_at: run.created_at, run })),
    ...files.map(({ name: file, created_at, run }) => {
      const name = nameOf(file);
      return { name, created_at, run: isRecordedRun(run) ? { ...run, run_id: name, created_at } : run };
    }),
  ];
}

function latestFirst(runs: readonly JudgedRun[]): JudgedRun[] {
  const key = ({ created_at, name }: JudgedRun): string => `${created_at} ${name}`;
  return [...runs].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** The ids of all queries that a golden set or judgments ask; null where there are neither. */
function findAsked(contents: readonly Content[]): ReadonlySet<string> | null {
  const sets = contents.flatMap((content) =>
    content.kind === "golden"
      ? [content.golden.queries.map(({ id }) => id)]
      : content.kind === "qrels"
        ? [[...content.qrels.queries.keys()]]
        : [],
  );
  return sets.length === 0 ? null : new Set(sets.flat());
}

/** What a file is, and what can mislead about it. */
function withWarnings(content: Content): string {
  const warnings = "warnings" in content ? content.warnings : [];
  return [describeFound(content), ...warnings.map(({ message }) => message)].join("; ");
}

function describeFound(content: Content): string {
  switch (content.kind) {
    case "golden":
      return `golden set of ${countOf(content.golden.queries.length, "query")}`;
    case "qrels":
      return `judgments of ${countOf(content.qrels.queries.size, "query")}`;
    case "run": {
      const { run } = content.run;
      return `run of ${countOf(isRecordedRun(run) ? run.results.length : run.size, "query")}`;
    }
    case "store":
      return `store of ${countOf(content.runs.length, "run")}`;
  }
}

/** Whether a file is a run that answers none of the queries that are asked here. */
function isStranger(content: Content, asked: QueryIds | null): boolean {
  return content.kind === "run" && asked !== null && !answersAny(content.run, asked);
}

/** Ids of queries, among whatever else. */
type QueryIds = Pick<ReadonlySet<string>, "has">;

function answersAny({ run }: JudgedRun, queries: QueryIds): boolean {
  const answered = isRecordedRun(run) ? run.results.map(({ query_id }) => query_id) : [...run.keys()];
  return answered.some((id) => queries.has(id));
}
