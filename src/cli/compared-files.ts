import { readFileSync } from "node:fs";
import { parseBeirQueries, parseGolden, type AnyRun } from "../formats/index.js";
import { compareSystems, goldenQuestions, InputError, isRankproofError, type ComparedSystem, type KnownQuery, type ProfileName, type RunInput, type ScoreComparison, type StatisticsOptions } from "../index.js";
import { loadQrels, readAnyRun } from "../node/evaluate/index.js";
import { metricsToEvaluate } from "./metric-names.js";
import { plainLine, type Terminal } from "./terminal.js";

/** What is compared, and against what. */
export interface ComparedFilesFlags {
  readonly metrics: string | undefined;
  readonly profile: ProfileName | undefined;
  readonly channel: readonly string[] | undefined;
  readonly unit: "chunk" | "doc";
  readonly queries: string | undefined;
  readonly statistics: StatisticsOptions;
}

/** What is compared when nothing else is asked for. */
const USUAL = "nDCG@10,AP,RR,P@10,R@100";

/** Compares run files of any format by judgments of any format. */
export async function comparedFiles(paths: readonly string[], { qrels: qrelsPath, metrics, profile, channel = [], unit, queries, statistics }: ComparedFilesFlags & { readonly qrels: string }, terminal: Terminal): Promise<ScoreComparison> {
  const settled = metricsToEvaluate(metrics ?? USUAL, false, profile ?? "default", undefined);
  const qrels = await loadQrels(qrelsPath, { unit });
  const runs: { name: string; run: AnyRun["run"] }[] = [];
  for (const path of paths) {
    terminal.progress(`reading ${path}`);
    runs.push(await readAnyRun(path));
  }
  const names = runs.map(({ name }) => name);
  const isClash = new Set(names).size < names.length;
  const systems = runs.map(({ run }, index): ComparedSystem => ({ name: isClash ? (paths[index] as string) : (names[index] as string), run }));
  const withChannels = await channelled(systems, channel, terminal);
  terminal.progress(`comparing ${systems.length} runs`);
  return compareSystems(withChannels, qrels.qrels(), settled, { ...statistics, unit, ...(profile && { profile }), known: queries === undefined ? knownFrom(qrelsPath) : readQueries(queries) });
}

async function channelled(systems: readonly ComparedSystem[], channel: readonly string[], terminal: Terminal): Promise<ComparedSystem[]> {
  const byRun = new Map<string, [string, RunInput][]>(systems.map(({ name }) => [name, []]));
  for (const given of channel) {
    const [, run, name, path] = /^(.+?):([^:=]+)=(.+)$/.exec(given) ?? [];
    const channels = byRun.get(run ?? "");
    if (channels === undefined || name === undefined || path === undefined) throw new InputError("ARGUMENT", `--channel must be RUN:NAME=FILE with one of the runs ${systems.map((system) => `\`${plainLine(system.name)}\``).join(", ")}, got \`${given}\``);
    terminal.progress(`reading ${path}`);
    channels.push([name, (await readAnyRun(path)).run]);
  }
  return systems.map((system) => ({ ...system, channels: Object.fromEntries(byRun.get(system.name) ?? []) }));
}

/** Words and labels of queries: a golden set, or BEIR's queries. */
function readQueries(path: string): ReadonlyMap<string, KnownQuery> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new InputError("FILE_NOT_FOUND", `${path}: cannot be read; check the path`);
  }
  if (/^\s*\{\s*"_id"/.test(new TextDecoder().decode(bytes.subarray(0, 1000)))) return new Map([...parseBeirQueries(bytes, path)].map(([id, query]) => [id, { query }]));
  return goldenQuestions(parseGolden(bytes, path));
}

/** Judgments that are a golden set bring words and labels with them. */
function knownFrom(qrelsPath: string): ReadonlyMap<string, KnownQuery> | undefined {
  if (!/\.(?:ya?ml|json|jsonl)$/i.test(qrelsPath)) return undefined;
  try {
    return readQueries(qrelsPath);
  } catch (error) {
    // They were read as judgments already; what else they are does not matter.
    if (isRankproofError(error)) return undefined;
    throw error;
  }
}
