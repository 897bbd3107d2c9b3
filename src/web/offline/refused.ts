import { SourceError, type DataSource } from "../data-source.js";

const NO_SERVER = "This page has no server; start one with `rankproof ui`.";

async function refused(): Promise<never> {
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
  mark: refused,
  live: refused,
  // Who differs from whom is in the report of the labels; deciding takes a store.
  disputes: async () => ({ open: [], count: 0, decided: [] }),
  startBatch: refused,
  plan: refused,
  startWork: refused,
  beginExample: refused,
  resumeJob: refused,
  stopJob: refused,
  watchJobs: refused,
};
