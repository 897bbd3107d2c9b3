// Ends the search of a folder, and starts it again in the background; `search.pid` has its number.
import { spawn } from "node:child_process";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
const file = join(folder, "search.pid");
const port = Number(process.env.SEARCH_PORT ?? readFileSync(join(folder, "port.json"), "utf8"));
/** A process that has ended keeps its number until somebody asks for it; its port is free at once. */
const isListening = () =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => (socket.destroy(), resolve(true)));
    socket.on("error", () => resolve(false));
  });

let pid = 0;
try {
  pid = Number(readFileSync(file, "utf8"));
} catch {
  // It was never started.
}
if (pid > 0) {
  try {
    process.kill(pid, "SIGKILL");
    while (await isListening()) await new Promise((resolve) => setTimeout(resolve, 2));
  } catch {
    // It has ended.
  }
}
const log = openSync(join(folder, "search.log"), "a");
const server = spawn(process.execPath, [fileURLToPath(new URL("./server.mjs", import.meta.url)), folder], {
  detached: true,
  stdio: ["ignore", log, log],
});
writeFileSync(file, String(server.pid));
server.unref();
