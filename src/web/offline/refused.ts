import { SourceError, type DataSource } from "../data-source.js";

const NO_SERVER = "This page has no server; start one with `rankproof ui`.";

async function refused(): Promise<never> {
  throw new SourceError(404, NO_SERVER);
}

/** What only a server does. */
export const withoutServer: Pick<
  DataSource,
  "mark" | "startBatch" | "beginExample" | "stopJob" | "watchJobs"
> = {
  mark: refused,
  startBatch: refused,
  beginExample: refused,
  stopJob: refused,
  watchJobs: refused,
};
