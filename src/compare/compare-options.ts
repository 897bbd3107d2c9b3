import type { AggregateOptions } from "../golden/index.js";
import type { StatisticsOptions } from "./comparison-settings.js";
import type { ChannelRuns } from "./golden-evidence.js";

/** How runs are compared. */
export interface CompareSeveralOptions extends Omit<AggregateOptions, "matching"> {
  /** Refuse to compare runs of different chunkers instead of matching them by document and span. */
  readonly strictChunkerVersion?: boolean | undefined;
  /** How differences are tested and when they count. */
  readonly statistics?: StatisticsOptions | undefined;
  /** For each run in order the runs of the channels that it was fused of, for the diagnosis of losses. */
  readonly channels?: readonly (ChannelRuns | undefined)[] | undefined;
}

/** How two runs are compared. */
export interface CompareOptions extends Omit<CompareSeveralOptions, "statistics"> {
  /** How differences are tested and when they count; false leaves the statistics out. */
  readonly statistics?: StatisticsOptions | false | undefined;
}
