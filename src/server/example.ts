import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { InputError } from "../foundation/errors/index.js";

/** A file of the package. */
const readPackaged = (name: string): Buffer => readFileSync(new URL(`../../${name}`, import.meta.url));

const CONFIG = `# An example: products of a made-up shop, and queries of its customers.
datasets:
  shop:
    queries: queries.tsv
    corpus: products.jsonl
    labeler: overlap
`;

/**
 * Puts an example into the working folder: a configuration, its queries and its products.
 *
 * @throws InputError `ARGUMENT` where a file of that name is there; then nothing is written.
 */
export function beginExample(): void {
  const files = [
    ["products.jsonl", gunzipSync(readPackaged("dist/examples/products.jsonl.gz"))],
    ["queries.tsv", readPackaged("fixtures/shop/queries.tsv")],
    ["rankproof.config.yaml", CONFIG],
  ] as const;
  const taken = files.find(([name]) => existsSync(name));
  if (taken !== undefined)
    throw new InputError(
      "ARGUMENT",
      `there is a ${taken[0]} in this folder already; begin the example in an empty one`,
    );
  for (const [name, content] of files) writeFileSync(name, content, { flag: "wx" });
}
