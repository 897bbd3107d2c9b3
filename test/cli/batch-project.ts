import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { BatchReport, BatchSummary } from "../../src/records/index.js";
import { filledSheet } from "../support/label-sheets.js";
import { inProcess } from "./in-process.js";

const COLOURS = ["red", "blue", "green", "black", "white", "brown"];
const THINGS = ["shoe", "hat", "scarf", "lamp"];
export const ITEMS = COLOURS.flatMap((colour) =>
  THINGS.map((thing) => ({ id: `${colour}-${thing}`, title: `${colour} ${thing}`, material: "wool" })),
);
export const QUERIES = COLOURS.flatMap((colour) => THINGS.slice(0, 2).map((thing) => `${colour} ${thing}`));

let folder = "";
export const file = (name: string): string => join(folder, name);
export const write = (name: string, content: string): string => {
  writeFileSync(file(name), content);
  return file(name);
};
export const call = (...args: string[]) => inProcess(...args);
export const batch = (...args: string[]) => call("batch", ...args);
export const fine = async (...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await call(...args);
  expect([status, stderr.includes("error:") ? stderr : ""]).toEqual([0, ""]);
  return stdout;
};
export const configure = (config: object): void =>
  void vi.stubEnv("RANKPROOF_CONFIG", write("rankproof.config.json", JSON.stringify(config)));
export const SHOP = { queries: "queries.txt", corpus: "items.jsonl" };
export const SHALLOW = ["-m", "nDCG@5,Strong_Precision@5", "--top-k", "5"];

/** A shop in a folder of its own, for each test. */
export function useShop(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "batch-"));
    write("queries.txt", `${QUERIES.join("\n")}\n`);
    write("items.jsonl", ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""));
    configure({ store: "store.sqlite", artifacts: "out", labels: "labels.sqlite", datasets: { shop: SHOP } });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
}

export async function latest(dataset = "shop"): Promise<BatchSummary> {
  const [first] = JSON.parse(await fine("batch", "list", dataset, "--json")) as [BatchSummary];
  return first;
}

export function reportOf({ dataset, batch_id }: BatchSummary): BatchReport {
  const path = file(`out/datasets/${dataset}/batch_reports/${batch_id}/report.json`);
  return JSON.parse(readFileSync(path, "utf8")) as BatchReport;
}

/** Grades by reading what stands there: the thing that is asked for, in its colour or another. */
export function gradeOf(query: string, item: string): number {
  const [colour, thing] = query.split(" ") as [string, string];
  const [own, what] = item.split("-");
  return what !== thing ? 0 : own === colour ? 3 : 1;
}

export const filled = (path: string): string => write("filled.csv", filledSheet(path, gradeOf));
