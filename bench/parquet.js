// A run as TREC text, plain and packed, and as Parquet: bytes, and processor time and memory of the command
// that scores it or converts it.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { nodeScript } from "./commands.js";
import { writeTrecInput } from "./trec-input.js";

const bin = fileURLToPath(new URL("../bin/rankproof.js", import.meta.url));
const CASES = [
  { name: "short ids, 6 decimals", ids: "numbers", scores: "decimals" },
  { name: "UUIDs, 17 digits", ids: "uuids", scores: "dense" },
];
const [QUERIES, HITS] = [1_000, 1_000];

/** Processor time in seconds, and memory in MiB. */
function measure(command) {
  const { cpu, memory } = command();
  return `${cpu.toFixed(1)} s, ${memory.toFixed(0)} MiB`;
}

const folder = mkdtempSync(join(tmpdir(), "rankproof-bench-"));
try {
  for (const { name, ids, scores } of CASES) {
    writeTrecInput(folder, { queries: QUERIES, hits: HITS, ids, scores });
    const back = join(folder, "back.trec");
    const names = ["qrels.txt", "run.txt", "run.txt.gz", "run.parquet"];
    const [qrels, text, packed, parquet] = names.map((each) => join(folder, each));
    writeFileSync(packed, gzipSync(readFileSync(text)));
    console.log(`${name}, ${(QUERIES * HITS).toLocaleString("en")} lines`);
    console.log(`  convert run.txt run.parquet: ${measure(nodeScript(bin, "convert", text, parquet))}`);
    console.log(`  convert run.parquet to text: ${measure(nodeScript(bin, "convert", parquet, back))}`);
    for (const run of [text, packed, parquet]) {
      const took = measure(nodeScript(bin, "evaluate", qrels, run, "-m", "nDCG@10,AP,R@100"));
      const bytes = statSync(run).size;
      console.log(`  ${run.slice(folder.length + 1)}: ${(bytes / 1e6).toFixed(1)} MB, evaluate ${took}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
