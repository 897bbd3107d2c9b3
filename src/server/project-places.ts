import type { Config } from "../records/index.js";

/** Where a project keeps what it has. */
export interface ProjectPlaces {
  readonly config: Config;
  /** The store of runs. */
  readonly store: string;
  /** The label store, where it is not the configured one. */
  readonly labels: string | undefined;
  readonly showsImages: boolean;
  /** Others' services are asked nothing, since nobody who only looks should load them. Default false. */
  readonly isReadOnly?: boolean | undefined;
  /** What queries say is not told, nor their labels that may say it. Default false. */
  readonly isWordless?: boolean | undefined;
}
