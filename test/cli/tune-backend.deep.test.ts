import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BackendTuning } from "../../src/records/index.js";
import { backendTuningSchema } from "../../src/records/schema/index.js";
import {
  childrenOf,
  endSearch,
  ORIGINAL,
  runningSearch,
  tunableProject,
} from "../support/live-search/index.js";
import { bin, Workplace, type Ended, type Given } from "./spawned.js";

let place: Workplace;
beforeEach(async () => {
  place = new Workplace();
  await tunableProject(place.folder);
});
afterEach(() => endSearch(place.folder));

/** In a process of its own where it gets a Ctrl-C: what becomes of its guard is looked at. */
const tune = (args: readonly string[], given?: Given): Promise<Ended> => {
  const words = ["tune", "backend", "shop", "--score-metric", "nDCG@10", ...args];
  return given?.interrupted === undefined ? place.run(words, given) : place.spawn(words, given);
};
const BEGIN = ["--experiments-file", "experiments.json", "--annotate"];

/** Changes what the configuration says of tuning. */
function settings(change: object): void {
  const config = JSON.parse(place.read("rankproof.config.json")) as { tuning: { engine: object } };
  config.tuning.engine = { ...config.tuning.engine, ...change };
  place.write({ "rankproof.config.json": JSON.stringify(config) });
}

const experiments = (space: object): void => place.write({ "experiments.json": JSON.stringify({ space }) });

/** The report that was written last. */
function report(): BackendTuning {
  const last = runs().at(-1) as string;
  return JSON.parse(place.read(join(".rankproof/tuning_runs", last, "report.json"))) as BackendTuning;
}
const runs = (): string[] => readdirSync(place.path(".rankproof/tuning_runs")).sort();
const errorOf = (name: string): string | null | undefined =>
  report().experiments.find((each) => each.name === name)?.error;

async function isRestored(): Promise<void> {
  expect(place.read("search.json")).toBe(ORIGINAL);
  expect(existsSync(place.path(".rankproof/restore"))).toBe(false);
  expect(readdirSync(place.folder).filter((name) => name.endsWith("rankproof-original"))).toEqual([]);
  expect(await runningSearch(place.folder)).toMatchObject({ boost: 0.5 });
}

describe("tune backend", () => {
  it("measures every experiment, says which is better, and leaves the search as it was", async () => {
    const { status, stdout, stderr } = await tune([
      ...BEGIN,
      "--html",
      "t.html",
      "--md",
      "t.md",
      "--pool",
      "pool.jsonl",
    ]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("boost=2: measured")]);
    expect(stdout).toContain(
      "as they are: better than the current setting: on held-out queries nDCG@10 changes by +0.58",
    );
    await isRestored();
    const found = report();
    expect(backendTuningSchema.parse(found)).toEqual(found);
    expect(found.chosen).toMatchObject({ name: "boost=2", parameters: { boost: 2 }, mean: 1 });
    expect(found.experiments.map(({ name, mean }) => [name, mean])).toEqual([
      ["current", 0.4189],
      ["boost=0.25", 0.4189],
      ["boost=2", 1],
      ["boost=3", 1],
    ]);
    expect(found.warnings.map(({ code }) => code)).toEqual(["CONFIGURATION_WITHOUT_EFFECT"]);
    const folder = join(".rankproof/tuning_runs", found.tuning_id);
    expect(place.read(join(folder, "02-boost-2/configuration/search.json"))).toBe(
      `{ "boost": 2, "ours": "keep" }\n`,
    );
    for (const name of ["report.json", "report.html", "score.json", "config.json", "queries.jsonl"])
      expect(existsSync(place.path(join(folder, "02-boost-2", name)))).toBe(true);
    expect(place.read("t.html")).toContain("Experiments, the best first");
    expect(place.read("t.md")).toMatch(/^# Experiments on engine/);
    expect(place.read("pool.jsonl")).toBe("");
  });

  it("writes the best only if it holds, or by force, and then for good", async () => {
    experiments({ boost: [0.25, 0.3] });
    const nothing = await tune([...BEGIN, "--apply-best", "--force"]);
    expect([nothing.status, nothing.stderr]).toEqual([
      3,
      expect.stringContaining("there is nothing to apply"),
    ]);
    await isRestored();
    experiments({ boost: [2] });
    const refused = await tune([...BEGIN, "--apply-best", "--margin", "0.9"]);
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining("not applied: Not better")]);
    await isRestored();
    const forced = await tune(["--resume", "--apply-best", "--margin", "0.9", "--force"]);
    expect([forced.status, forced.stderr]).toEqual([
      0,
      expect.stringContaining("by force: 12 queries do not show"),
    ]);
    expect(place.read("search.json")).toContain('"boost": 2');
    expect(await runningSearch(place.folder)).toMatchObject({ boost: 2 });
    expect(report().applied).toBe("boost=2");
    const told = await tune(["--resume"]);
    expect([told.status, told.stdout]).toEqual([0, expect.stringContaining("boost=2 was written into")]);
    expect(report().applied).toBe("boost=2");
    // A second time there is another original, nothing is written, and nothing has to be restored.
    const again = await tune(["--resume", "--apply-best", "--margin", "0.9", "--force"]);
    expect([again.status, again.stderr]).toEqual([
      2,
      expect.stringContaining("has changed since it was tuned"),
    ]);
    expect(report().applied).toBe("boost=2");
    expect(existsSync(place.path(".rankproof/restore"))).toBe(false);
    // The next tuning begins from there.
    const next = await tune([...BEGIN, "--json"]);
    expect((JSON.parse(next.stdout) as BackendTuning).experiments[0]?.mean).toBe(1);
    expect(place.read("search.json")).toContain('"boost": 2');
  });

  it("goes on when an experiment is no configuration, or never healthy", async () => {
    // Longer than the search takes to start on a busy machine.
    settings({ health: { ...health(), timeoutMs: 4000 } });
    experiments({ boost: [200, 2] });
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr]).toEqual([0, expect.stringContaining("boost=200 was not measured")]);
    expect(errorOf("boost=200")).toMatch(/was not healthy within 4 s: /);
    expect(place.read("search.log")).toContain("boost must be a number up to 100, got 200");
    expect(report().chosen.name).toBe("boost=2");
    await isRestored();
  });

  it("says what a restart printed that failed, and tries it again on demand", async () => {
    place.write({
      "restart.sh":
        `grep -q '"boost": 3' search.json && [ ! -e fixed ] && echo "no boost of 3" && exit 3\n` +
        `exec ${restart().join(" ")}\n`,
    });
    settings({ restart: ["sh", "restart.sh"] });
    expect((await tune(BEGIN)).status).toBe(0);
    expect(errorOf("boost=3")).toMatch(/`sh restart\.sh` ended with code 3:\nno boost of 3/);
    await isRestored();
    place.write({ fixed: "" });
    const { status, stderr } = await tune(["--resume", "--retry-failed"]);
    expect([status, errorOf("boost=3")]).toEqual([0, null]);
    expect(stderr).not.toContain("boost=2: nDCG");
    await isRestored();
  });

  it("changes nothing where even the original configuration cannot be restarted", async () => {
    settings({ restart: { shell: "echo out of order; exit 7" } });
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr]).toEqual([5, expect.stringContaining("out of order")]);
    expect(place.read("search.json")).toBe(ORIGINAL);
  });

  it("does not take a search that was not restarted for a restored one", async () => {
    settings({
      restart: { shell: `[ $RANKPROOF_EXPERIMENT = original ] && exit 0; ${ownRestart()}` },
      health: { ...health(), timeoutMs: 500 },
    });
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr]).toEqual([5, expect.stringContaining('has still `"boost":3`')]);
    expect(place.read("search.json")).toBe(ORIGINAL);
    expect(await runningSearch(place.folder)).toMatchObject({ boost: 3 });
  });

  it("ends a command that does not stop printing", async () => {
    settings({ restart: { shell: "yes" } });
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr]).toEqual([5, expect.stringMatching(/printed more than \d+ bytes/)]);
    expect(place.read("search.json")).toBe(ORIGINAL);
  });

  it("takes the lock of a process over whose number another one has now", async () => {
    settings({ restart: { shell: `[ $RANKPROOF_EXPERIMENT = original ] && exit 4; ${ownRestart()}` } });
    expect((await place.spawn(["tune", "backend", "shop", ...BEGIN])).status).toBe(5);
    const [point = ""] = readdirSync(place.path(".rankproof/restore"));
    const began = "another boot 1";
    place.write({
      [`.rankproof/restore-${point}.lock`]: JSON.stringify({ pid: process.pid, host: hostname(), began }),
    });
    settings({ restart: { shell: ownRestart() } });
    expect((await place.run(["tune", "restore"])).stderr).toContain("engine is as it was before");
    await isRestored();
  });

  it("tells a search with the old configuration, whose port was not free, from the new one", async () => {
    await place.run(["runs"]);
    // It leaves the old search where it is, so that the new one finds its port taken.
    place.write({ "restart.sh": `[ -e started ] || exec ${restart().join(" ")}\nexit 0\n` });
    settings({ restart: { shell: "sh restart.sh; touch started" }, health: { ...health(), timeoutMs: 900 } });
    expect((await tune(BEGIN)).status).toBe(0);
    expect(errorOf("boost=2")).toMatch(/has no `"boost":2`; does another process answer there\?/);
    settings({ health: { ...health(), expect: undefined } });
    const blind = await tune(BEGIN);
    expect(blind.stdout).toMatch(/boost=0\.25 and 2 more: every query got the same hits/);
  });

  it("takes a hook, which finds the original files each time", async () => {
    place.write({
      "hook.mjs":
        'import { readFileSync, writeFileSync } from "node:fs";\n' +
        'const { parameters, files: [file] } = JSON.parse(readFileSync(0, "utf8"));\n' +
        'const config = JSON.parse(readFileSync(file, "utf8"));\n' +
        "if (config.hooked) process.exit(9);\n" +
        "writeFileSync(file, JSON.stringify({ ...config, ...parameters, hooked: true }));\n",
    });
    settings({ template: undefined, hook: [process.execPath, "hook.mjs"] });
    expect((await tune(BEGIN)).status).toBe(0);
    expect(report().experiments.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(report().chosen.name).toBe("boost=2");
    await isRestored();
  });

  it.each([
    ["a folder", "rm search.json; mkdir search.json; echo kept > search.json/own"],
    ["what nobody may read", "chmod 000 search.json"],
    ["a link into nothing", "rm search.json; ln -s nowhere/at/all search.json"],
  ])("puts the original back where %s is in its place", async (_, shell) => {
    settings({ template: undefined, hook: { shell }, health: { ...health(), timeoutMs: 500 } });
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr.includes("mistake in rankproof")]).toEqual([expect.any(Number), false]);
    await isRestored();
    const aside = readdirSync(place.path(".")).find((name) => name.endsWith(".rankproof-aside"));
    if (shell.includes("mkdir")) expect(place.read(`${aside}/own`)).toBe("kept\n");
    expect((await place.run(["metrics"])).status).toBe(0);
  });

  it("keeps what somebody else writes in the meantime, and ends", async () => {
    place.write({
      "restart.sh":
        `${restart().join(" ")}\n` +
        `grep -q '"boost": 2' search.json && echo '{"boost": 1}' > search.json\nexit 0\n`,
    });
    settings({ restart: ["sh", "restart.sh"], health: { ...health(), timeoutMs: 500 } });
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr]).toEqual([5, expect.stringMatching(/search\.json: another program changed it/)]);
    const kept = join(".rankproof/tuning_runs", runs()[0] as string, "changed-by-others");
    expect(place.read(join(kept, readdirSync(place.path(kept))[0] as string))).toBe('{"boost": 1}\n');
    await isRestored();
  });

  it("ends by Ctrl-C with the original in place, and goes on", async () => {
    const begun = place.path(".rankproof/tuning_runs");
    const isFirst = (): boolean =>
      existsSync(begun) && existsSync(join(begun, runs()[0] as string, "00-current/state.json"));
    const interrupted = (async () => {
      for (let wait = 0; wait < 1000 && !isFirst(); wait++) await pause(10);
    })();
    const { status, stderr } = await tune(BEGIN, { interrupted });
    expect([status, stderr]).toEqual([
      130,
      expect.stringMatching(/the original configuration is back.*--resume/),
    ]);
    await isRestored();
    expect((await tune(["--resume", "--annotate"])).status).toBe(0);
    expect(report().experiments.map(({ mean }) => mean)).toEqual([0.4189, 0.4189, 1, 1]);
    await isRestored();
  });

  it("goes on with the metric that it was begun with, unless another is asked for", async () => {
    experiments({ boost: [2] });
    const tunedFor = async (...args: string[]): Promise<string> => {
      const { stdout } = await place.run(["tune", "backend", "shop", ...args, "--json"]);
      return (JSON.parse(stdout) as BackendTuning).metric;
    };
    expect(await tunedFor(...BEGIN, "--score-metric", "RR@5")).toBe("RR@5");
    expect(await tunedFor("--resume")).toBe("RR@5");
    expect(await tunedFor("--resume", "--score-metric", "nDCG@3")).toBe("nDCG@3");
  });

  it("applies nothing by a model's labels that people have not checked, unless by force", async () => {
    experiments({ boost: [2] });
    const { status, stderr } = await tune([...BEGIN, "--apply-best"]);
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining("not applied: Labels not audited, so that nothing follows."),
    ]);
    expect(report().verdict.kind).toBe("not_better");
    await isRestored();
  });

  it("keeps what somebody wrote after a tuning: the best is not put over it", async () => {
    expect((await tune(BEGIN)).status).toBe(0);
    place.write({ "search.json": '{ "boost": 0.6 }\n' });
    const { status, stderr } = await tune(["--resume", "--apply-best", "--force"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("has changed since it was tuned")]);
    expect(place.read("search.json")).toBe('{ "boost": 0.6 }\n');
  });

  it("does not take it for a gain that the search failed as it was", async () => {
    // The original answers half of the queries; the experiment ranks them all alike.
    const config = JSON.parse(place.read("rankproof.config.json")) as Record<string, unknown>;
    place.write({
      "search.json": '{ "boost": 0.5, "broken": ["alpha1 beta1", "alpha2 beta2"], "ours": "keep" }\n',
      "rankproof.config.json": JSON.stringify({ ...config, maxFailedShare: 0.5 }),
    });
    experiments({ boost: [0.4] });
    const { stdout } = await tune([...BEGIN, "--json"]);
    const found = JSON.parse(stdout) as BackendTuning;
    expect(found.experiments[0]?.failed).toBe(2);
    expect([found.verdict.kind, found.per_query.length]).toEqual(["not_better", 10]);
    expect(found.warnings.map(({ code }) => code)).toContain("CASES_FAILED");
  });

  it("gives permissions back that a hook changed", async () => {
    chmodSync(place.path("search.json"), 0o600);
    place.write({
      "hook.sh": `rm search.json; echo '{ "boost": 2 }' > search.json; chmod 444 search.json\n`,
    });
    settings({ template: undefined, hook: ["sh", "hook.sh"], health: { ...health(), expect: undefined } });
    experiments({ boost: [2] });
    expect((await tune(BEGIN)).status).toBe(0);
    await isRestored();
    expect(statSync(place.path("search.json")).mode & 0o777).toBe(0o600);
  });

  it("holds paraphrases of a golden set out together", async () => {
    const words = place.read("queries.txt").trim().split("\n");
    place.write({
      "golden.yaml": words
        .map((query, at) => `- {id: q${at}, query: ${query}, group: g${at % 3}, expected_doc_ids: []}\n`)
        .join(""),
    });
    const config = place.read("rankproof.config.json").replace("queries.txt", "golden.yaml");
    place.write({ "rankproof.config.json": config });
    const found = JSON.parse((await tune([...BEGIN, "--json"])).stdout) as BackendTuning;
    expect([found.held_out?.parts, found.search_test.p]).toEqual([3, 0.125]);
  });

  it("refuses a second tuning, from the same project and from another one", async () => {
    const other = new Workplace();
    // It must go on until both others have tried, on a slow machine, too.
    settings({ restart: { shell: `sleep 4; ${ownRestart()}` } });
    experiments({ boost: [2] });
    const first = place.spawn(["tune", "backend", "shop", ...BEGIN]);
    for (let wait = 0; wait < 500 && !existsSync(place.path(".search.json.rankproof-original")); wait++)
      await pause(10);
    const same = await place.spawn(["tune", "backend", "shop", ...BEGIN]);
    expect([same.status, same.stderr]).toEqual([
      5,
      expect.stringMatching(/`engine` is tuned by process \d+ on/),
    ]);
    expect(same.stderr).toContain("it may answer as an experiment");
    await tunableProject(other.folder, { tuning: { files: [place.path("search.json")] } });
    const elsewhere = await other.spawn(["tune", "backend", "shop", ...BEGIN]);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      5,
      expect.stringMatching(/is tuned from .* since/),
    ]);
    expect((await first).status).toBe(0);
    await isRestored();
  });

  it("restores where somebody deletes what it keeps, in the project or beside the file", async () => {
    for (const file of [".rankproof/restore", ".search.json.rankproof-original"]) {
      settings({ restart: { shell: `rm -rf ${file}; ${ownRestart()}` } });
      const { status } = await tune(BEGIN);
      expect([file, status]).toEqual([file, 0]);
      await isRestored();
    }
  });

  it("restores a link that a hook replaces by a file", async () => {
    place.write({ "real/search.json": ORIGINAL });
    rmSync(place.path("search.json"));
    symlinkSync("real/search.json", place.path("search.json"));
    place.write({
      "hook.sh": `rm search.json; echo '{ "boost": 2 }' > search.json\n`,
    });
    settings({ template: undefined, hook: ["sh", "hook.sh"], health: { ...health(), expect: undefined } });
    expect((await tune(BEGIN)).status).toBe(0);
    await isRestored();
    expect(readlinkSync(place.path("search.json"))).toBe("real/search.json");
    expect(readdirSync(place.path("real"))).toEqual(["search.json"]);
  });

  it.each([
    ["alone", false],
    ["with its guard", true],
  ])("restores after a kill %s, though a hook still runs and writes", async (_, withGuard) => {
    place.write({ "hook.sh": `touch hooking; sleep 2; echo '{ "boost": 2 }' > search.json\n` });
    settings({ template: undefined, hook: ["sh", "hook.sh"], health: { ...health(), expect: undefined } });
    const child = spawn(process.execPath, [bin, "tune", "backend", "shop", ...BEGIN], { cwd: place.folder });
    for (let wait = 0; wait < 1000 && !existsSync(place.path("hooking")); wait++) await pause(10);
    const [guard = 0] = childrenOf(child.pid ?? 0);
    if (withGuard) process.kill(guard, "SIGKILL");
    child.kill("SIGKILL");
    await once(child, "exit");
    if (withGuard) {
      const { stderr } = await place.run(["runs"]);
      expect(stderr).toContain("engine is as it was before");
      await pause(2200);
    } else
      for (let wait = 0; wait < 1000 && existsSync(place.path(".rankproof/restore")); wait++) await pause(10);
    await isRestored();
  });

  it("does not say that all is well where Ctrl-C came and the search cannot be restarted", async () => {
    settings({
      restart: {
        shell: `[ $RANKPROOF_EXPERIMENT = original ] && echo no licence && exit 4; ${ownRestart()}`,
      },
    });
    const begun = place.path(".rankproof/tuning_runs");
    const isChanged = (): boolean =>
      existsSync(begun) && existsSync(join(begun, runs()[0] as string, "01-boost-0.25/commands.log"));
    const interrupted = (async () => {
      for (let wait = 0; wait < 1000 && !isChanged(); wait++) await pause(10);
    })();
    const { status, stderr } = await tune(BEGIN, { interrupted });
    expect([status, stderr]).toEqual([
      5,
      expect.stringMatching(/the original configuration is back, but.*no licence/s),
    ]);
    expect(place.read("search.json")).toBe(ORIGINAL);
    // It tries once more by itself, and then only on demand.
    expect((await place.run(["runs"])).stderr).toContain("no licence");
    expect((await place.run(["runs"])).stderr).not.toContain("no licence");
    settings({ restart: { shell: ownRestart() } });
    expect((await place.run(["tune", "restore"])).stderr).toContain("engine is as it was before");
    await isRestored();
  });

  it(
    "finds by hand what is left where everything was killed and " + "the project's own files deleted",
    async () => {
      place.write({ "hook.sh": `echo '{ "boost": 2 }' > search.json; touch hooking; sleep 9\n` });
      settings({ template: undefined, hook: ["sh", "hook.sh"], health: { ...health(), expect: undefined } });
      const child = spawn(process.execPath, [bin, "tune", "backend", "shop", ...BEGIN], {
        cwd: place.folder,
      });
      for (let wait = 0; wait < 1000 && !existsSync(place.path("hooking")); wait++) await pause(10);
      process.kill(childrenOf(child.pid ?? 0)[0] ?? 0, "SIGKILL");
      child.kill("SIGKILL");
      await once(child, "exit");
      rmSync(place.path(".rankproof/restore"), { recursive: true });
      expect((await tune(BEGIN)).stderr).toContain("call `rankproof tune restore` there");
      expect((await place.run(["tune", "restore"])).stderr).toContain("engine is as it was before");
      await isRestored();
    },
  );

  it("does not go on with other experiments, queries or templates", async () => {
    expect((await tune(BEGIN)).status).toBe(0);
    experiments({ boost: [1] });
    const changed = await tune(["--resume", "--experiments-file", "experiments.json"]);
    expect([changed.status, changed.stderr]).toEqual([
      2,
      expect.stringContaining("the experiments are others"),
    ]);
    place.write({ "queries.txt": "alpha1 beta1\n" });
    expect((await tune(["--resume"])).stderr).toContain("the queries of the dataset have changed");
  });

  it("is not moved by a restore point that came with a download", async () => {
    place.write({ "search.json": '{"boost": 9}\n' });
    const planted = {
      backend: "engine",
      tuning: "t",
      folder: place.path("t"),
      files: [place.path("search.json")],
      owner: { pid: 1, host: "", began: "" },
      since: "",
      inode: "1",
    };
    place.write({ ".rankproof/restore/x.json": JSON.stringify(planted) });
    settings({ restart: { shell: "touch moved" } });
    const { stderr } = await place.run(["runs"]);
    expect(stderr).toContain("but is a copy");
    expect(existsSync(place.path("moved"))).toBe(false);
    expect(place.read("search.json")).toBe('{"boost": 9}\n');
  });

  it.each([
    [{ template: undefined }, /tuning\.engine must have a template or a hook/],
    [{ files: ["nowhere.json"] }, /nowhere\.json: no such file/],
    [{ files: ["search.json", "items.json"] }, /for one file, and 2 files; use a hook/],
    [{ restart: "systemctl restart search" }, /must be a list of a program and its arguments/],
  ])("refuses %o before anything is begun", async (change, message) => {
    settings(change);
    const { status, stderr } = await tune(BEGIN);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

/** What the configuration says now. */
function tuningNow(): { restart: string[]; health: object } {
  return (
    JSON.parse(place.read("rankproof.config.json")) as { tuning: { engine: ReturnType<typeof tuningNow> } }
  ).tuning.engine;
}
const restart = (): string[] => tuningNow().restart;
/** The restart of the support search, as a line for the shell. */
const ownRestart = (): string =>
  `${process.execPath} ${join(import.meta.dirname, "../support/live-search/restart.mjs")} ${place.folder}`;
const health = (): object => tuningNow().health;
