import { countOf, formatCount } from "../foundation/numbers/index.js";
import { checkGoldenQueries, type EvalRun, type GivenWarning } from "../records/index.js";
import { configDiff } from "../compare/index.js";
import { AdapterError, InputError, messageOf, quote } from "../foundation/errors/index.js";
import { parseJson, REDACTED, redactSecrets, type RedactedConfig } from "../foundation/text/index.js";
import { LONGEST_WAIT_MS } from "../foundation/async/index.js";
import { kindOfObject, checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { checkRun } from "../storage/index.js";
import { findChangedSearch } from "./changed-search.js";
import type { RecordOptions } from "./record-options.js";
import { CHECKPOINT_EVERY, CONCURRENCY, Recording, STOP_AFTER_FAILURES } from "./recording.js";
import { findStaleIds, staleIdsError } from "./stale-ids.js";

const OPTIONS: readonly (keyof RecordOptions)[] = [
  "golden",
  "runId",
  "retrieve",
  "answer",
  "config",
  "store",
  "suite",
  "mode",
  "commitHash",
  ...([
    "concurrency",
    "timeoutMs",
    "stopAfterFailures",
    "resume",
    "retryFailed",
    "replace",
    "awaitsGate",
  ] as const),
  "staleIds",
  "checkpointEvery",
  "onWarning",
  "onProgress",
  "signal",
  "now",
];

/**
 * Runs your system over a golden set and records what it returns: hits, answers, times, and errors as part of
 * the results.
 *
 * An interrupted recording (by `signal`, by an error of the store or of `onProgress`, or a killed process) is
 * saved as far as it came, marked `incomplete`, and goes on with `resume`.
 *
 * @throws InputError `GOLDEN_STALE_IDS`, `STORE_RUN_EXISTS`, `RUN_RESUME`, `ARGUMENT` before the first query
 * @throws AdapterError `RUN_INCOMPLETE` when it was aborted; `details.run` has what there is. `RUN_FAILING`
 * when the first queries all fail alike; nothing is saved of them
 */
export async function recordRun(given: RecordOptions): Promise<EvalRun> {
  checkGiven(given);
  checkKnownOptions(given, OPTIONS);
  checkOptions(given);
  // As it is now: whoever records several settings may change one object from call to call.
  const { config, paths } = redactConfig(given.config);
  warnOfSecrets(paths, given.onWarning);
  const options = { ...given, config };
  const { golden, store, signal } = options;
  const queries = checkGoldenQueries(golden);
  const earlier = await earlierRun(options);
  const recording = new Recording(queries, earlier, options);
  warnOfCommits(earlier, recording, options);
  // What no store takes is said before anything is asked.
  checkRun(recording.run());
  if (earlier !== null && recording.waiting.length === 0 && earlier.incomplete !== true) return earlier;
  if (store !== undefined && options.staleIds !== "ignore") {
    const stale = await findStaleIds(store, golden);
    if (stale.length > 0) throw staleIdsError(stale);
  }
  const changed = await findChangedSearch(recording, options);
  if (changed !== null) (options.onWarning ?? tellConsole)(changed);
  try {
    await recording.work();
  } catch (error) {
    // Best effort: when the store itself failed, the first error is the one to tell.
    if (!recording.isFailing) await recording.save({ isPatient: false }).catch(() => undefined);
    throw error;
  }
  await recording.save();
  const run = recording.run();
  if (run.incomplete === true) {
    throw new AdapterError(
      "RUN_INCOMPLETE",
      `run ${quote(run.run_id)} was interrupted after ${formatCount(recording.done)} of ` +
        `${countOf(queries.length, "query")}; record it again with \`resume\` (--resume) to go on`,
      { run },
      signal?.reason,
    );
  }
  return run;
}

/**
 * The configuration as it will be read back: without functions and secrets, dates as text.
 *
 * @throws InputError `ARGUMENT` for what JSON cannot hold.
 */
function redactConfig(config: RecordOptions["config"]): RedactedConfig {
  try {
    return redactSecrets(parseJson(JSON.stringify(config, asPlain)) as Record<string, unknown>);
  } catch (cause) {
    throw new InputError("ARGUMENT", `config cannot be written as JSON: ${messageOf(cause)}`, {}, cause);
  }
}

/** JSON has `{}` for any map or set, so that two configurations would seem to be one. */
function asPlain(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${quote(key)} is ${value}`);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return [...(value as Uint8Array)];
  const kind = typeof value === "object" && value !== null ? kindOfObject(value) : "";
  if (kind === "Map") return Object.fromEntries(value as ReadonlyMap<string, unknown>);
  // Of these, too, it has nothing.
  if (kind === "RegExp" || kind === "URLSearchParams") return String(value);
  return kind === "Set" ? [...(value as ReadonlySet<unknown>)] : value;
}

// eslint-disable-next-line no-console -- a recording must not silently differ from what was asked
const tellConsole = ({ message }: GivenWarning): void => console.warn(`rankproof: ${message}`);

function warnOfSecrets(
  paths: RedactedConfig["paths"],
  onWarning: RecordOptions["onWarning"] = tellConsole,
): void {
  if (paths.length === 0) return;
  const what = paths.length === 1 ? "looks like a secret and is" : "look like secrets and are";
  onWarning({
    code: "SECRETS_REDACTED",
    message:
      `config: ${paths.map(quote).join(", ")} ${what} recorded as \`${REDACTED}\`; leave secrets out ` +
      "of `config`, it is for what a change is made of",
    count: paths.length,
  });
}

/** One run is of one state of the code, but for what went on elsewhere. */
function warnOfCommits(
  earlier: EvalRun | null,
  { waiting, kept }: Recording,
  { runId, commitHash, onWarning = tellConsole }: RecordOptions,
): void {
  const before = earlier?.commit_hash;
  if (before == null || commitHash === undefined || before === commitHash || kept === 0) return;
  const rest =
    waiting.length === 0
      ? "nothing is asked again"
      : `${countOf(waiting.length, "query")} ${waiting.length === 1 ? "is" : "are"} asked at ${commitHash}`;
  onWarning({
    code: "RUN_OF_TWO_COMMITS",
    message:
      `${quote(runId)} goes on with ${countOf(kept, "result")} of commit ${before}; ${rest}. What this one ` +
      "finds is measured by a run of its own (`replace`, --replace, or another id)",
    count: kept,
  });
}

/** What nothing works without, for code without types. @throws InputError `ARGUMENT` */
function checkGiven(options: unknown): void {
  const given = (typeof options === "object" ? options : null) as Readonly<Record<string, unknown>> | null;
  const needed: readonly (readonly [name: string, isRight: boolean, what: string])[] = [
    ["golden", typeof given?.["golden"] === "object", "a golden set, as `readGolden` reads it"],
    ["runId", typeof given?.["runId"] === "string" && given["runId"] !== "", "the id of the run"],
    ["retrieve", typeof given?.["retrieve"] === "function", "a function that returns the hits of a query"],
    [
      "store",
      given?.["store"] === undefined ||
        typeof (given["store"] as RecordOptions["store"] | null)?.loadRun === "function",
      "a store, as `openStore` opens one, or nothing",
    ],
    [
      "config",
      typeof given?.["config"] === "object" && given["config"] !== null && !Array.isArray(given["config"]),
      "what a change is made of, or `{}`",
    ],
  ];
  const missing = needed.find(([, isRight]) => !isRight);
  if (missing === undefined) return;
  const [name, , what] = missing;
  throw new InputError("ARGUMENT", `recordRun needs \`${name}\`: ${what}; got ${quote(given?.[name])}`);
}

function checkOptions({
  concurrency = CONCURRENCY,
  checkpointEvery = CHECKPOINT_EVERY,
  stopAfterFailures = STOP_AFTER_FAILURES,
  timeoutMs,
  staleIds = "error",
  ...texts
}: RecordOptions): void {
  for (const name of ["suite", "mode", "commitHash"] as const)
    if (texts[name] !== undefined && typeof texts[name] !== "string")
      throw new InputError("ARGUMENT", `${name} must be a text, got ${quote(texts[name])}`);
  if (!["error", "ignore"].includes(staleIds))
    throw new InputError("ARGUMENT", `staleIds must be \`error\` or \`ignore\`, got ${quote(staleIds)}`);
  wholeNumber("checkpointEvery", checkpointEvery);
  wholeNumber("concurrency", concurrency);
  if (stopAfterFailures !== Infinity) wholeNumber("stopAfterFailures", stopAfterFailures);
  if (
    timeoutMs !== undefined &&
    !(typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs <= LONGEST_WAIT_MS)
  ) {
    throw new InputError(
      "ARGUMENT",
      `timeoutMs must be a number above 0 and up to ${LONGEST_WAIT_MS}, got ` +
        `${quote(timeoutMs)}; leave it out for no limit`,
    );
  }
}

async function earlierRun({
  store,
  runId,
  resume = false,
  replace = false,
  config,
}: RecordOptions): Promise<EvalRun | null> {
  const earlier = replace ? null : ((await store?.loadRun(runId)) ?? null);
  if (earlier === null) return null;
  if (!resume)
    throw new InputError(
      "STORE_RUN_EXISTS",
      `run ${quote(runId)} is in the store already; choose another id, or say \`resume\` or ` +
        "`replace` (--resume, --replace)",
      { runId },
    );
  const differences = configDiff(redactSecrets(earlier.config_snapshot).config, config);
  if (differences.length > 0) {
    throw new InputError(
      "RUN_RESUME",
      `run ${quote(runId)} was recorded with another configuration ` +
        `(${differences.map(({ path }) => path).join(", ")}), so it cannot go on with this one; ` +
        "choose another id",
      { runId, differences },
    );
  }
  return earlier;
}
