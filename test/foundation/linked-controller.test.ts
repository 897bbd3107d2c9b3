import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { linkController, withWorkers } from "../../src/foundation/async/index.js";
import { recordRun } from "../../src/runs/index.js";
import { askService } from "../../src/services/ask-service.js";

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("a controller that is linked to signals", () => {
  it("is aborted with any of them, for its reason", () => {
    const sources = [new AbortController(), new AbortController()];
    const { controller } = linkController(undefined, ...sources.map(({ signal }) => signal));
    expect(controller.signal.aborted).toBe(false);
    sources[1]?.abort("enough");
    sources[0]?.abort("too late");
    expect(controller.signal.reason).toBe("enough");
  });

  it("is aborted at once where one is", () => {
    expect(linkController(AbortSignal.abort("before")).controller.signal.reason).toBe("before");
  });

  it("is one of many that share one listener: Node warns of eleven", () => {
    const source = new AbortController();
    const links = Array.from({ length: 30 }, () => linkController(source.signal));
    expect(listenersOf(source.signal)).toBe(1);
    links.slice(0, 10).forEach(({ letGo }) => letGo());
    source.abort("enough");
    expect(links.map(({ controller }) => controller.signal.reason as unknown)).toEqual([
      ...new Array<undefined>(10).fill(undefined),
      ...new Array<string>(20).fill("enough"),
    ]);
  });

  it("follows nothing, and is known to nothing, after it has let go", () => {
    const source = new AbortController();
    const { controller, letGo } = linkController(source.signal);
    expect(listenersOf(source.signal)).toBe(1);
    letGo();
    expect(listenersOf(source.signal)).toBe(0);
    source.abort();
    expect(controller.signal.aborted).toBe(false);
  });
});

describe("nothing is left on a signal that lives longer", () => {
  const { signal } = new AbortController();

  it.each([
    [
      "by a request",
      () =>
        askService("http://localhost:1/", {
          headers: {},
          timeoutMs: 1000,
          signal,
          fetch: () => Promise.resolve(new Response("{}")),
        }),
    ],
    [
      "by a request that fails",
      () => askService("http://localhost:1/", { headers: {}, timeoutMs: 1000, signal, fetch }),
    ],
    ["by work at once", () => withWorkers([1, 2, 3], 2, signal, () => Promise.resolve())],
    [
      "by work that fails",
      () => withWorkers([1], 2, signal, () => Promise.reject(new Error("no"))).catch(() => undefined),
    ],
    [
      "by a recording",
      () =>
        recordRun({
          golden: [{ id: "q", query: "q", expected_doc_ids: ["d"] }],
          runId: "r",
          config: {},
          retrieve: () => [{ chunk_id: "d", doc_id: "d" }],
          timeoutMs: 1000,
          signal,
        }),
    ],
  ] as [string, () => Promise<unknown>][])("%s", async (_, work) => {
    await work();
    expect(listenersOf(signal)).toBe(0);
  });
});
