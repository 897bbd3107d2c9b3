// Queries labelled in a second by 1, 2 and 4 processes of `rankproof work`, against a model server that
// answers after 200 ms. RANKPROOF_BENCH_DATABASE is the address of a PostgreSQL database; schemas are made
// in it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { postgresLabelStore } from "rankproof/storage/postgres";

const scriptAt = (path) => fileURLToPath(new URL(path, import.meta.url));
const database = process.env.RANKPROOF_BENCH_DATABASE;
if (database === undefined) throw new Error("RANKPROOF_BENCH_DATABASE must be the address of a database");

const DELAY_MS = 200;
/** Three requests a query; as many queries for each worker, so that all runs should take as long. */
const [QUERIES, ITEMS, OF_A_REQUEST, CONCURRENCY] = [100, 60, 20, 4];
const ROUNDS = 2;
const WORKERS = [1, 2, 4];

const folder = mkdtempSync(join(tmpdir(), "rankproof-bench-"));
const settings = join(folder, "settings.json");
writeFileSync(settings, JSON.stringify({ grades: {}, delayMs: DELAY_MS }));
const model = spawn(process.execPath, [scriptAt("../test/support/model-server-process.js"), settings]);
const [port] = await once(model.stdout, "data");

/** The seconds from the first answer to the last one, for so many queries. */
async function secondsOf(workers, round) {
  const url = new URL(database);
  url.searchParams.set("schema", `bench_${process.pid}_${workers}_${round}`);
  const write = (name, text) => writeFileSync(join(folder, name), text);
  const lines = (count, line) => Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
  write(
    "queries.tsv",
    lines(QUERIES * workers, (at) => `q${at}\tthing${at} common`),
  );
  write(
    "items.jsonl",
    lines(ITEMS, (at) => JSON.stringify({ id: `i${at}`, sku: `i${at}`, title: "common" })),
  );
  const labeler = { kind: "openai", baseUrl: `http://127.0.0.1:${String(port).trim()}`, model: "m" };
  write(
    "rankproof.config.json",
    JSON.stringify({
      store: url.href,
      labelers: { gpt: { ...labeler, batchSize: OF_A_REQUEST } },
      datasets: { shop: { queries: "queries.tsv", corpus: "items.jsonl", labeler: "gpt" } },
    }),
  );
  const begin = (...args) =>
    spawn(process.execPath, [scriptAt("../bin/rankproof.js"), ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, RANKPROOF_CHAT_API_KEY: "none" },
    });
  const working = Array.from({ length: workers }, () => begin("work", "--concurrency", String(CONCURRENCY)));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const [status] = await once(begin("label", "build", "shop", "--workers", "queue"), "close");
  if (status !== 0) throw new Error(`the build ended with ${status}`);
  for (const worker of working) worker.kill("SIGINT");
  await Promise.all(working.map((worker) => once(worker, "close")));
  const store = await postgresLabelStore({ url: url.href });
  const times = (await store.find()).map(({ at }) => Date.parse(at));
  await store.close();
  if (times.length !== QUERIES * workers * ITEMS) throw new Error(`${times.length} assessments`);
  return times.reduce((most, at) => Math.max(most, at), 0) / 1000 - Math.min(...times.slice(0, 1000)) / 1000;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
try {
  const seconds = new Map(WORKERS.map((workers) => [workers, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const workers of WORKERS) seconds.get(workers).push(await secondsOf(workers, round));
  const alone = QUERIES / median(seconds.get(1));
  const most = (CONCURRENCY * 1000) / (DELAY_MS * (ITEMS / OF_A_REQUEST));
  console.log(`queries a second; ${most.toFixed(2)} for each worker if nothing but the model took time`);
  for (const workers of WORKERS) {
    const rate = (QUERIES * workers) / median(seconds.get(workers));
    console.log(`  ${workers}: ${rate.toFixed(2)}, ${(rate / (workers * alone)).toFixed(3)} of linear`);
  }
} finally {
  model.kill();
  rmSync(folder, { recursive: true });
}
