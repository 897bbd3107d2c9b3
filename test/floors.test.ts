import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));

/**
 * The house, from the ground up. A room imports only rooms on lower floors, through their index;
 * `import type` from `schema` is for everybody. Each floor has its reason, which is what a broken rule is
 * answered with.
 */
const FLOORS: readonly (readonly [rooms: readonly string[], reason: string])[] = [
  [
    [
      "errors.ts",
      "error-codes.ts",
      "ids.ts",
      "repeated-ids.ts",
      "grouped-by.ts",
      "or-aborted.ts",
      "pauses.ts",
      "redact-secrets.ts",
      "own-value.ts",
    ],
    "everything may fail, stop, and have ids; none of it knows what the program is about",
  ],
  [
    ["numbers", "schema", "entries-of.ts", "whole-number.ts", "check-records.ts"],
    "numbers and shapes are the ground that every rule stands on",
  ],
  [
    [
      "ranking.ts",
      "qrels.ts",
      "scored-run.ts",
      "golden-set.ts",
      "run-results.ts",
      "shape-problems.ts",
      "aggregate-fields.ts",
      "bench-names.ts",
      "is-significant.ts",
      "spreadsheet-cell.ts",
    ],
    "what makes a ranking, a golden set or a record a good one is decided once, before anybody " +
      "computes with it",
  ],
  [
    ["metrics", "stats", "fusion", "matching", "formats", "report", "chunk", "storage"],
    "each turns one kind of record into another and knows nothing of its neighbours",
  ],
  [
    ["evaluate", "retrieve"],
    "scores come from matching and metrics together, rankings from chunks and fusion",
  ],
  [
    ["compare", "gate"],
    "a comparison is made of two evaluations; a gate is rules about results, whoever made them",
  ],
  [["runs", "bench"], "drivers put stores, retrievers and computations together"],
  [
    ["testing", "vitest", "node"],
    "what only tests or only Node have is kept away from everything that must run anywhere",
  ],
  [["index.ts"], "the roof shows the pure rooms and adds nothing"],
  [["cli"], "the command line may use whatever a user may"],
];

/** Rooms that must run anywhere and give the same result every time. */
const SEALED = [
  "ids.ts",
  "own-value.ts",
  "check-records.ts",
  "redact-secrets.ts",
  "entries-of.ts",
  "whole-number.ts",
  "qrels.ts",
  "repeated-ids.ts",
  "grouped-by.ts",
  "errors.ts",
  "numbers",
  "schema",
  "ranking.ts",
  "scored-run.ts",
  "golden-set.ts",
  "run-results.ts",
  "shape-problems.ts",
  "aggregate-fields.ts",
  "bench-names.ts",
  "is-significant.ts",
  "spreadsheet-cell.ts",
  "metrics",
  "stats",
  "fusion",
  "matching",
  "formats",
  "report",
  "chunk",
  "evaluate",
  "compare",
  "gate",
];
const NOT_IN_SEALED_ROOMS = new RegExp(
  [
    /\bfrom "node:/,
    /\bMath\.random\b|\bDate\.now\b|\bnew Date\b|\bperformance\./,
    /\bconsole\.|\bprocess\.|\bfetch\(/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const roomOf = (file: string): string => file.split("/")[0] ?? file;
const floorOf = (room: string): number => FLOORS.findIndex(([rooms]) => rooms.includes(room));
const imports: Import[] = files.flatMap((file) =>
  [
    ...readFileSync(join(src, file), "utf8").matchAll(
      /^(?:import|export)\s+(type\s)?[^;]*?from "(\.[^"]+)";/gms,
    ),
  ].map(([, type, path]) => ({
    file,
    target: relative(src, join(dirname(join(src, file)), (path ?? "").replace(/\.js$/, ".ts"))),
    isType: type !== undefined,
  })),
);

/** The files that are loaded with one of them, by imports that are not dynamic. */
function loadedWith(entry: string): string[] {
  const reached = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { file: from, target, isType } of imports) if (from === file && !isType) pending.push(target);
  }
  return [...reached];
}

function packagesOf(loaded: readonly string[]): { readonly file: string; readonly name: string }[] {
  return loaded.flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(/^import (?!type)[^;]*from "([^."][^"]*)"/gm)].map(
      ([, name = ""]) => ({ file, name }),
    ),
  );
}

describe("the house", () => {
  it("has every room on a floor, and no floor for a room that is not there", () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(FLOORS.flatMap(([rooms]) => rooms).sort());
  });
  it("every folder has an index", () => {
    for (const room of new Set(files.map(roomOf)))
      if (!room.endsWith(".ts")) expect(files).toContain(`${room}/index.ts`);
  });
  it.each(FLOORS.map(([rooms, reason], floor) => ({ rooms: rooms.join(", "), reason, floor })))(
    "$rooms: $reason",
    ({ floor }) => {
      const wrong = imports
        .filter(({ file }) => floorOf(roomOf(file)) === floor)
        .filter(
          ({ file, target, isType }) =>
            roomOf(file) !== roomOf(target) &&
            floorOf(roomOf(target)) >= floor &&
            !(isType && roomOf(target) === "schema") &&
            !(file === "errors.ts" && isType),
        );
      expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
    },
  );
  it("rooms are entered by their index, or by that of a public part", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        roomOf(file) !== roomOf(target) && target.includes("/") && !target.endsWith("/index.ts"),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
  it("sealed rooms have no clock, no chance, no console, no process, no network and nothing of Node", () => {
    const open = files.filter(
      (file) =>
        SEALED.includes(roomOf(file)) && NOT_IN_SEALED_ROOMS.test(readFileSync(join(src, file), "utf8")),
    );
    expect(open).toEqual([]);
  });
  it("the pure core loads no zod, no yaml, no WebAssembly and nothing of Node", () => {
    const reached = loadedWith("index.ts");
    expect(packagesOf(reached).map(({ file, name }) => `${file} loads ${name}`)).toEqual([]);
    expect(reached.length).toBeGreaterThan(20);
  });
  it(
    "the help and what is about TREC's files load the parser of arguments, and no readers of JSON, " +
      "YAML and text",
    () => {
      const light = [
        "program",
        "compared-files",
        ...["agree", "compare", "conformance", "evaluate", "init", "metrics", "power"].map(
          (name) => `commands/${name}`,
        ),
      ];
      const packages = light
        .flatMap((name) => packagesOf(loadedWith(`cli/${name}.ts`)))
        .filter(({ name }) => !name.startsWith("node:") && name !== "commander");
      expect(packages.map(({ file, name }) => `${file} loads ${name}`)).toEqual([]);
    },
  );
});

describe("the package", () => {
  /** Rooms that users need by themselves. */
  const PUBLIC = [
    "metrics",
    "stats",
    "fusion",
    "formats",
    "formats/trec",
    "schema",
    "report",
    "storage",
    "storage/sqljs",
    "gate",
    "chunk",
    "retrieve",
    "bench",
    "runs",
    "node",
    "node/evaluate",
    "testing",
    "vitest",
  ];
  const { exports } = JSON.parse(
    readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"),
  ) as { exports: Record<string, { default: string } | string> };

  it("exports the public rooms, and each is there", () => {
    expect(Object.keys(exports).sort()).toEqual(
      [".", "./package.json", ...PUBLIC.map((room) => `./${room}`)].sort(),
    );
    for (const room of PUBLIC) {
      expect(exports[`./${room}`]).toMatchObject({ default: `./dist/${room}/index.js` });
      expect(files).toContain(`${room}/index.ts`);
    }
  });
  it("the command line imports only what a user can import", () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        roomOf(file) === "cli" &&
        roomOf(target) !== "cli" &&
        target !== "index.ts" &&
        !PUBLIC.includes(dirname(target)),
    );
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});
