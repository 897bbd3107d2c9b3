import type { Collection } from "../../workbench/index.js";

/** A collection whose overview is kept. */
export interface ServedCollection extends Collection {
  /** Changes with everything that the overview depends on, but for the configuration. */
  readonly overviewStamp: string;
}
