import { artifactsPath, batchFolder, listBatches, readBatchFile, tuningsFolder } from "../../node/index.js";
import { experimentRuns, isRecording } from "../../node/internal.js";
import { isBatchId } from "../../batch/index.js";
import type { BatchSummary, Config, EvalRun } from "../../records/index.js";
import { loadStoredRun } from "../../runs/index.js";
import type { RunSummary } from "../../storage/index.js";
import { Kept } from "../../workbench/index.js";
import { fileStamp } from "../file-stamp.js";
import { sharedStore, type InStore } from "../shared-store.js";
import { parseJson } from "../../foundation/text/index.js";

/** The batches of a dataset, as recorded in the folder of artifacts, and their runs in the store. */
export class RecordedBatches {
  readonly #dataset: string;
  readonly #artifacts: string;
  readonly #store: string;
  readonly #inStore: InStore;
  readonly #runs: Kept<EvalRun>;
  readonly #summaries = new Kept<readonly RunSummary[]>();

  /** @param most how many runs are kept in memory. */
  constructor(
    dataset: string,
    { config, store }: { readonly config: Config; readonly store: string },
    most: () => number,
  ) {
    this.#dataset = dataset;
    this.#artifacts = artifactsPath(config);
    this.#store = store;
    this.#inStore = sharedStore(store);
    this.#runs = new Kept<EvalRun>(most);
  }

  /** Changes with the store of runs. */
  get storeStamp(): string {
    return fileStamp(this.#store);
  }

  /** The latest first. */
  ids(): string[] {
    return this.list().map(({ batch_id }) => batch_id);
  }

  /** Those whose run is still in the store, the latest first. */
  async listStoredIds(): Promise<string[]> {
    const ids = this.ids();
    if (ids.length === 0) return ids;
    const runs = new Set((await this.#listStored()).map(({ run_id }) => run_id));
    return ids.filter((id) => runs.has(id));
  }

  /** The latest first. */
  list(): BatchSummary[] {
    return listBatches(this.#artifacts, this.#dataset);
  }

  /** What a batch was made with; undefined for what another hand has removed. */
  settingsOf(batch: string): unknown {
    try {
      return parseJson(readBatchFile(batchFolder(this.#artifacts, this.#dataset, batch), "config.json"));
    } catch {
      return undefined;
    }
  }

  /** A batch as it is in the store of runs. */
  async run(id: string): Promise<EvalRun> {
    return this.#runs.get(id, this.storeStamp, () => this.#inStore((store) => loadStoredRun(store, id)));
  }

  /** Whether the store has a run of this dataset by that id, which can be gone on with. */
  async has(id: string): Promise<boolean> {
    return (await this.#listStored()).some(({ run_id, suite }) => run_id === id && suite === this.#dataset);
  }

  /**
   * The latest batch that was cut short, while it was asked, labelled or scored, unless one has ended since;
   * undefined for none.
   */
  async findUnfinished(): Promise<string | undefined> {
    const stored = await this.#listStored();
    const ended = new Set(this.ids());
    const experiments = experimentRuns(tuningsFolder(this.#artifacts));
    const last = stored.findLast(({ run_id, suite }) => suite === this.#dataset && !experiments.has(run_id));
    // What another process records at this moment is not cut short.
    return last !== undefined &&
      (last.is_incomplete || isBatchId(last.run_id)) &&
      !ended.has(last.run_id) &&
      !isRecording(this.#artifacts, last.run_id)
      ? last.run_id
      : undefined;
  }

  /** What the store has, the latest last; nothing where there is none. */
  async #listStored(): Promise<readonly RunSummary[]> {
    if (this.storeStamp === "-") return [];
    return this.#summaries.get("", this.storeStamp, () => this.#inStore((store) => store.listRuns()));
  }
}
