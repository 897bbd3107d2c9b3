import { SourceError, type DataSource } from "../data-source.js";

const NO_SERVER = "This page has no server; start one with `rankproof ui`.";

async function refuseWriting(): Promise<never> {
  throw new SourceError(404, NO_SERVER);
}

/** What only a server does. */
export const withoutServer: Pick<
  DataSource,
  | "mark"
  | "live"
  | "disputes"
  | "startBatch"
  | "plan"
  | "startWork"
  | "beginExample"
  | "resumeJob"
  | "stopJob"
  | "watchJobs"
> = {
  mark: refuseWriting,
  live: refuseWriting,
  // Who differs from whom is in the report of the labels; deciding takes a store.
  disputes: async () => ({ open: [], count: 0, decided: [], decided_count: 0 }),
  startBatch: refuseWriting,
  plan: refuseWriting,
  startWork: refuseWriting,
  beginExample: refuseWriting,
  resumeJob: refuseWriting,
  stopJob: refuseWriting,
  watchJobs: refuseWriting,
};
