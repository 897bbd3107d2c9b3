import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Where Debian has the programs of PostgreSQL, of the newest version. */
const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort() : [];
const bin = versions.length === 0 ? null : `/usr/lib/postgresql/${versions.at(-1)}/bin`;

/** Whether this machine has PostgreSQL. */
export const hasPostgresql = bin !== null;
/** What the name of a suite says where it has not. */
export const skippedPostgresql = hasPostgresql ? "" : " (skipped: install postgresql)";
/** Of the role `rankproof`, which owns the server. */
export const PASSWORD = "pg-0123456789abcdefghij";

/** A server of PostgreSQL with a folder of its own. */
export interface PostgresqlServer {
  /** Of the database `postgres`, for the role that owns the server. */
  readonly url: string;
  readonly start: () => void;
  /** @param mode `fast` ends connections, `immediate` is a crash. */
  readonly stop: (mode: "fast" | "immediate") => void;
  /** Stops it for good. */
  readonly end: () => void;
}

/** PostgreSQL does not run as root. */
function run(command: string, args: readonly string[]): void {
  const isRoot = userInfo().uid === 0;
  const { status, stderr } = isRoot
    ? spawnSync("runuser", ["-u", "postgres", "--", command, ...args], { encoding: "utf8" })
    : spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Makes a server and starts it. */
export async function startPostgresql({ fsync = false } = {}): Promise<PostgresqlServer> {
  const folder = mkdtempSync(join(tmpdir(), "rankproof-pg-"));
  if (userInfo().uid === 0)
    chownSync(folder, Number(spawnSync("id", ["-u", "postgres"], { encoding: "utf8" }).stdout), 0);
  const data = join(folder, "data");
  const port = await freePort();
  const secret = join(folder, "password");
  writeFileSync(secret, `${PASSWORD}\n`);
  const auth = ["-A", "scram-sha-256", "--pwfile", secret];
  run(`${bin}/initdb`, ["-D", data, "-U", "rankproof", ...auth, "-E", "UTF8", "--locale", "C", "--no-sync"]);
  const options =
    `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder} ` +
    `-c fsync=${fsync ? "on" : "off"}`;
  const control = (...args: readonly string[]): void => run(`${bin}/pg_ctl`, ["-D", data, "-w", ...args]);
  const server: PostgresqlServer = {
    url: `postgresql://rankproof:${PASSWORD}@127.0.0.1:${port}/postgres`,
    start: () => control("-l", join(folder, "log"), "-o", options, "start"),
    stop: (mode) => control("-m", mode, "stop"),
    end: () => {
      try {
        server.stop("immediate");
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  server.start();
  return server;
}
