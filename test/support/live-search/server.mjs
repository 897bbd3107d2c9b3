// A search over the items of `items.json` beside it, by weights that it reads from `search.json` when it
// starts. It takes
// its port from the environment, and refuses a configuration that it cannot use.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const config = read("search.json");
const items = read("items.json");
if (typeof config.boost !== "number" || config.boost > 100) {
  console.error(`boost must be a number up to 100, got ${JSON.stringify(config.boost)}`);
  process.exit(2);
}

/** How often the words of a query stand in a text. */
const count = (text, words) => words.reduce((sum, word) => sum + (text.includes(word) ? 1 : 0), 0);

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  response.setHeader("content-type", "application/json");
  if (pathname === "/health") {
    // A search that starts and is never ready.
    response.statusCode = config.sick ? 503 : 200;
    response.end(JSON.stringify({ boost: config.boost, pid: process.pid }));
    return;
  }
  if (config.broken?.includes(searchParams.get("q"))) {
    response.statusCode = 500;
    response.end();
    return;
  }
  const words = (searchParams.get("q") ?? "").split(" ");
  const hits = items
    .map(({ id, title, text }) => ({ id, score: count(text, words) + config.boost * count(title, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  response.end(JSON.stringify({ hits: hits.slice(0, Number(searchParams.get("n") ?? 10)) }));
}).listen(Number(process.env.SEARCH_PORT ?? read("port.json")), "127.0.0.1");
