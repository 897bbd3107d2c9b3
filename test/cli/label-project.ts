import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { inProcess } from "./in-process.js";

export const KEY = "sk-0123456789abcdefghijklmnop";
export const WORDS = ["red shoe", "blue shoe", "red hat", "green scarf"];
export const ITEMS = [
  { id: 1, sku: "1", title: "Red shoe", brand: "Acme" },
  { id: "02", sku: "02", title: "Blue shoe", size: 42 },
  { id: "1e5", sku: "1e5", title: "Red hat" },
  { id: "__proto__", sku: "__proto__", title: "Green scarf, =1+1" },
];
export const GRADES = { "red shoe": { "1": 3, "02": 1, "1e5": 1 }, "blue shoe": { "02": 3, "1": 1 } };

let folder = "";
export const file = (name: string): string => join(folder, name);
export const write = (name: string, content: string): string => {
  writeFileSync(file(name), content);
  return file(name);
};
export const label = (...args: string[]) => inProcess("label", ...args, "--labels", file("labels.sqlite"));
export const fine = async (...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await label(...args);
  expect([status, stderr.includes("error:")]).toEqual([0, false]);
  return stdout;
};

/** A folder of its own with queries and items, for each test. */
export function useFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "label-"));
    write("queries.txt", `${WORDS.join("\n")}\n`);
    write("items.jsonl", ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""));
    vi.stubEnv("RANKPROOF_CONFIG", write("none.yaml", "{}\n"));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
}

export const configure = (config: object): void => {
  vi.stubEnv("RANKPROOF_CONFIG", write("rankproof.config.json", JSON.stringify(config)));
};
export const DATASETS = { shop: { queries: "queries.txt", corpus: "items.jsonl", labeler: "gpt" } };
