import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDataset } from "../../src/node/index.js";

const shop = join(import.meta.dirname, "../../fixtures/shop");

it("the made-up shop has graded pairs of its own queries and products, each twice", async () => {
  const { queries, items } = await readDataset("shop", {
    queries: join(shop, "queries.tsv"),
    corpus: join(shop, "products.jsonl"),
  });
  expect([queries.length, items.size]).toEqual([60, 320]);
  const languages = [...items.values()].map(({ fields }) => fields["language"]);
  expect([...new Set(languages)].sort()).toEqual(["de", "en"]);
  const [head, ...lines] = readFileSync(join(shop, "grades.csv"), "utf8").trimEnd().split("\n");
  expect(head).toBe("query_id,item,first,second");
  const pairs = lines.map((line) => line.split(",") as [string, string, string, string]);
  const known = new Set(queries.map(({ id }) => id));
  expect(pairs.filter(([id, item]) => !known.has(id) || !items.has(item))).toEqual([]);
  expect(new Set(pairs.map(([id, item]) => `${id} ${item}`)).size).toBe(pairs.length);
  expect(new Set(pairs.map(([id]) => id)).size).toBe(queries.length);
  expect(pairs.filter(([, , ...grades]) => !grades.every((grade) => /^[0-3]$/.test(grade)))).toEqual([]);
});
