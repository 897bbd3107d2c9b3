import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AdapterError, isRankproofError, type RankproofError } from "../index.js";
import type { Surroundings } from "../files/index.js";

/** The error with the line of the user's own module where it was thrown, where that is known. */
export function withPlace(error: RankproofError, { cwd }: Surroundings): RankproofError {
  const { cause } = error;
  const frames = cause instanceof Error ? (cause.stack ?? "").split("\n") : [];
  const frame = frames.find((line) => /^\s+at /.test(line) && line.includes(pathToFileURL(cwd).href));
  const [place] = /file:\S+:\d+:\d+/.exec(frame ?? "") ?? [];
  if (place === undefined || isRankproofError(cause)) return error;
  const [, url = "", at = ""] = /^(.+?)(:\d+:\d+)$/.exec(place) ?? [];
  const where = `${relative(cwd, fileURLToPath(url.replace(/\?.*$/, "")))}${at}`;
  return new AdapterError(error.code, `${error.message}; it was thrown at ${where}`, error.details, cause);
}
