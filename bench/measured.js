// Runs one of the contestants in a process of its own and says what it took: `node bench/measured.js ours|naive QRELS RUN`.
import { METRICS } from "./metrics.js";

const [contestant, qrels, run] = process.argv.slice(2);
if (contestant === "ours") {
  const { main } = await import("../dist/cli/index.js");
  const quiet = () => undefined;
  await main(["evaluate", qrels, run, "-m", METRICS], { out: quiet, talk: quiet, progress: quiet, paint: (text) => text, signal: new AbortController().signal });
} else {
  const { naiveEvaluate } = await import("./naive-evaluate.js");
  naiveEvaluate(qrels, run);
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 }));
