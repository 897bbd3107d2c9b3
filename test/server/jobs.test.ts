import { describe, expect, it, vi } from "vitest";
import { Jobs, type JobReport } from "../../src/server/jobs.js";

/** Work of a collection that goes on until it is told to end. */
function startWork(jobs: Jobs, kind: "labels" | "batch"): { tell(report: JobReport): void; end(): void } {
  let end = (): void => undefined;
  let tell: (report: JobReport) => void = () => undefined;
  jobs.start({
    kind,
    unit: "query",
    collection: "shop",
    work: (report, signal) => {
      tell = report;
      return new Promise((resolve, reject) => {
        end = () => resolve({ result: null, message: "" });
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    },
  });
  return { tell: (report) => tell(report), end: () => end() };
}

describe("a watch over jobs", () => {
  it("tells of an older job that ends while it waits", async () => {
    const jobs = new Jobs();
    const older = startWork(jobs, "labels");
    startWork(jobs, "batch");
    const watch = jobs.watch("shop", new AbortController().signal, 20);
    await watch.next();
    const next = watch.next();
    older.end();
    expect((await next).value?.map(({ state }) => state)).toEqual(["running", "done"]);
    await jobs.close();
    await watch.return();
  });
  it("ends when it is stopped while it waits", async () => {
    const jobs = new Jobs();
    startWork(jobs, "labels");
    const stop = new AbortController();
    const watch = jobs.watch("shop", stop.signal, 10_000);
    await watch.next();
    const next = watch.next();
    stop.abort();
    expect((await next).value).toHaveLength(1);
    expect((await watch.next()).done).toBe(true);
    await jobs.close();
  });
});

describe("a job", () => {
  it("tells the time left by what it did itself, not by what an earlier attempt had done", async () => {
    vi.useFakeTimers();
    try {
      const jobs = new Jobs();
      const { tell } = startWork(jobs, "labels");
      await vi.advanceTimersByTimeAsync(1_000);
      tell({ done: 500, total: 600 });
      expect(jobs.of("shop")).toMatchObject([{ done: 500, seconds_left: null }]);
      await vi.advanceTimersByTimeAsync(20_000);
      tell({ done: 510 });
      expect(jobs.of("shop")).toMatchObject([{ done: 510, seconds_left: 180 }]);
      await jobs.close();
    } finally {
      vi.useRealTimers();
    }
  });
  it("is not begun where the workbench was closed", async () => {
    const jobs = new Jobs();
    await jobs.close();
    expect(() => startWork(jobs, "labels")).toThrow("the workbench was closed");
  });
  it("is not gone on with by a configuration that is gone", async () => {
    const jobs = new Jobs();
    const begin = (kind: "labels" | "batch") => startWork(jobs, kind);
    begin("labels");
    await Promise.resolve();
    const [first] = jobs.of("shop");
    jobs.stop(first?.id ?? "");
    await expect.poll(() => jobs.of("shop")[0]?.state).toBe("stopped");
    begin("batch");
    await Promise.resolve();
    jobs.letGo();
    const [running, ...others] = jobs.of("shop");
    expect([running?.kind, others]).toEqual(["batch", []]);
    jobs.stop(running?.id ?? "");
    await expect.poll(() => jobs.of("shop")[0]?.state).toBe("stopped");
    expect(() => jobs.resume(running?.id ?? "")).toThrow(
      "the configuration has changed since this was begun",
    );
  });
});
