import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "../foundation/errors/index.js";
import {
  isPostgresUrl,
  isStoreThere,
  labelsPath,
  openLabelStore,
  readGolden,
  storeName,
} from "../node/index.js";
import { goldenQueries, type WorkbenchCollection } from "../records/index.js";
import { GoldenCollection, Kept } from "../workbench/index.js";
import { DatasetCollection } from "./collections/dataset-collection.js";
import { resolveComparedBy } from "./comparing.js";
import type { ProjectPlaces } from "./project-places.js";
import type { ServedCollection } from "./collections/served-collection.js";
import { fileStamp, refreshStamps } from "./file-stamp.js";
import { sharedStore } from "./shared-store.js";
import { Labelling } from "./labelling.js";
import { withoutSentences } from "./query-words.js";

/** The project that a thread works on. */
export interface ThreadPlace {
  readonly places: ProjectPlaces;
  readonly golden: string;
}

/** Everything of a project that the workbench shows. */
export class Project {
  readonly places: ProjectPlaces;
  /** What threads that work on it are made of. */
  readonly threadPlace: ThreadPlace;
  readonly #collections = new Map<string, ServedCollection>();
  readonly #labellings = new Map<string, Labelling>();
  readonly #raters = new Kept<string[]>();

  /** @param golden path of the golden set; there may be no such file. */
  constructor(places: ProjectPlaces, golden: string) {
    this.places = places;
    this.threadPlace = { places, golden };
    for (const [id, named] of Object.entries(places.config.datasets ?? {})) {
      const collection = new DatasetCollection(id, named, places);
      this.#collections.set(id, collection);
      this.#labellings.set(id, new Labelling(collection, places));
    }
    const set = goldenIn(golden, places);
    if (existsSync(golden) && !this.#collections.has(set.id)) this.#collections.set(set.id, set);
  }

  /** Tells this project from others that are served at the same address. */
  get id(): string {
    const { config, labels } = this.places;
    const named = labelsPath(config, labels);
    const path = isPostgresUrl(named) ? storeName(named) : resolve(named);
    return createHash("sha256").update(path).digest("hex").slice(0, 16);
  }

  /** Has to be called before what was kept of databases is used: another process may have written to them. */
  refresh(): Promise<void> {
    const { store, config, labels } = this.places;
    return refreshStamps(store, labelsPath(config, labels));
  }

  get collections(): Iterable<ServedCollection> {
    return this.#collections.values();
  }

  /** Undefined for none of that id. */
  collection(id: string): ServedCollection | undefined {
    return this.#collections.get(id);
  }

  /** Undefined for a golden set, which has no labels. */
  labelling(id: string): Labelling | undefined {
    return this.#labellings.get(id);
  }

  /** What the collections are, and what is wrong with those that cannot be read. */
  async summaries(): Promise<{
    readonly collections: readonly WorkbenchCollection[];
    readonly problems: readonly string[];
  }> {
    const collections: WorkbenchCollection[] = [];
    const problems: string[] = [];
    for (const collection of this.collections)
      try {
        collections.push(await collection.summary());
      } catch (error) {
        const { id, kind } = collection;
        problems.push(`${kind === "golden" ? "" : `dataset ${id}: `}${messageOf(error)}`);
      }
    return { collections, problems };
  }

  /** The people who have labelled before. */
  async raters(): Promise<string[]> {
    const { config, labels } = this.places;
    const path = labelsPath(config, labels);
    if (!isStoreThere(path)) return [];
    return this.#raters.get("", fileStamp(path, "labels"), async () => {
      const store = await openLabelStore(path, { create: true });
      try {
        const people = (await store.raters()).filter(({ kind }) => kind === "human");
        return [...new Set(people.map(({ name }) => name))];
      } finally {
        await store.close();
      }
    });
  }
}

/** A golden set with its runs, by the paths of both. */
function goldenIn(
  golden: string,
  { config, store: path, isWordless = false }: Pick<ProjectPlaces, "config" | "store" | "isWordless">,
): GoldenCollection {
  return new GoldenCollection({
    id: "golden",
    async golden() {
      const read = await readGolden(golden);
      return isWordless ? { ...read, queries: withoutSentences(goldenQueries(read), "meta") } : read;
    },
    stamps: () => ({ golden: fileStamp(golden), runs: fileStamp(path) }),
    hasRuns: () => fileStamp(path) !== "-",
    inStore: sharedStore(path),
    comparedBy: () => resolveComparedBy(config),
  });
}
