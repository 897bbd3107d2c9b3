/** Refuses a package that has grown beyond its limit, or that has source maps in it. */
import { execFileSync } from "node:child_process";

const LIMIT_BYTES = 6_110_000;

const [{ unpackedSize, files }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { encoding: "utf8" }),
);
const maps = files.filter(({ path }) => path.endsWith(".map")).map(({ path }) => path);
if (maps.length > 0) throw new Error(`the package has source maps, such as ${maps[0]}`);
if (unpackedSize > LIMIT_BYTES)
  throw new Error(`the package is ${unpackedSize} bytes unpacked, more than ${LIMIT_BYTES}`);
process.stdout.write(`package: ${unpackedSize} bytes unpacked, at most ${LIMIT_BYTES}\n`);
