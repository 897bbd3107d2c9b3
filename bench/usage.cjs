// Preloaded into a process of Node: says at its end, on stderr, what it took. CommonJS, because a module
// would take longer to load than that is worth.
const { writeSync } = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(2, `\n${(userCPUTime + systemCPUTime) / 1e6} ${maxRSS}\n`);
});
