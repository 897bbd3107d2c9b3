import { readFileSync } from "node:fs";
import { groupBy } from "../src/foundation/columns/index.js";

/** A room of the house: a folder of `src`, or a file at its top. */
export interface Room {
  /** Runs anywhere and gives the same result every time: no clock, no chance, no timers, nothing of Node. */
  readonly isSealed?: true;
  /** Parts, by path below the room, that stay unsealed. */
  readonly openParts?: readonly string[];
}

/** Rooms that never see each other, and why they stand where they stand. */
export interface Floor {
  readonly reason: string;
  readonly rooms: Readonly<Record<string, Room>>;
}

/**
 * The house, from the ground up. A room imports only rooms on lower floors, through their doors; a sealed
 * room imports sealed rooms only. The rules of the linter and CONTRIBUTING.md are checked against this list;
 * which rooms the package shows is said by its `exports`, and the pages of the API follow.
 */
export const FLOORS: readonly Floor[] = [
  {
    reason: "errors, ids, numbers and checks know nothing of search",
    rooms: { foundation: { isSealed: true, openParts: ["async"] } },
  },
  {
    reason: "statistics are about numbers; files are about bytes",
    rooms: { stats: { isSealed: true }, files: {} },
  },
  {
    reason: "what a golden set, a run or a result is, is decided once, before anything computes with it",
    rooms: { records: { isSealed: true } },
  },
  {
    reason: "each turns one kind of record into another and knows nothing of its neighbours",
    rooms: {
      metrics: { isSealed: true },
      fusion: { isSealed: true },
      chunk: { isSealed: true },
      matching: { isSealed: true },
      formats: { isSealed: true },
      report: { isSealed: true, openParts: ["html/page"] },
      analysis: {},
      services: {},
      storage: {},
    },
  },
  {
    reason:
      "scores come from matching and metrics together, rankings from chunks and fusion, labels " +
      "from what is stored",
    rooms: {
      golden: { isSealed: true },
      evaluate: { isSealed: true },
      retrieve: {},
      label: {},
    },
  },
  {
    reason:
      "a comparison is made of two evaluations; a gate is rules about results, whoever made them; a search " +
      "for the best fusion scores what it fuses",
    rooms: {
      compare: { isSealed: true },
      gate: { isSealed: true },
      "fusion-tuning": { isSealed: true },
    },
  },
  {
    reason: "a recording puts a system, a golden set and a store together",
    rooms: { runs: {} },
  },
  {
    reason: "drivers put retrievers, recordings and comparisons together; audits look at what labels say",
    rooms: {
      audit: {},
      batch: {},
      bench: {},
    },
  },
  {
    reason:
      "what only tests or only Node have is kept away from everything that runs anywhere; what screens " +
      "are told is the same with a server and without",
    rooms: {
      "index.ts": { isSealed: true },
      node: {},
      testing: {},
      workbench: {},
      vitest: {},
    },
  },
  {
    reason: "the workbench shows what the rooms below make: a server of requests, and the page that asks it",
    rooms: { server: {}, web: {} },
  },
  {
    reason: "the command line may use whatever a user may, and the texts and paths of the workbench",
    rooms: { cli: {} },
  },
];

/** Every room by its name. */
export const ROOMS: Readonly<Record<string, Room>> = Object.assign({}, ...FLOORS.map(({ rooms }) => rooms));

/** The paths of the package, each with the folder of `src` whose index it shows, as package.json has them. */
export const ENTRIES: Readonly<Record<string, string>> = entriesIn(
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Package,
);

interface Package {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

function entriesIn({ exports }: Package): Record<string, string> {
  const entries = Object.entries(exports).flatMap(([path, shown]) =>
    typeof shown === "string"
      ? []
      : [[path, shown.default.replace(/^\.\/dist\/|\/?index\.js$/g, "")] as const],
  );
  return Object.fromEntries(entries);
}

/** An import of one file by another: paths below `src`, types included. */
export interface Import {
  readonly file: string;
  readonly target: string;
}

export const roomOf = (file: string): string => file.split("/")[0] ?? file;
const floorOf = (room: string): number => FLOORS.findIndex(({ rooms }) => Object.hasOwn(rooms, room));

/** Imports of a room on the same or a higher floor, one line each. */
export function upwardImports(imports: readonly Import[]): string[] {
  return lines(
    imports.filter(
      ({ file, target }) =>
        roomOf(file) !== roomOf(target) && !(floorOf(roomOf(target)) < floorOf(roomOf(file))),
    ),
  );
}

/**
 * Imports that go round the doors of another room, or of another part of the foundation: `index.ts`, which is
 * what users get where the room is an entry, and `internal.ts`, which is what only other rooms need.
 */
export function sideDoors(imports: readonly Import[]): string[] {
  return lines(
    imports.filter(
      ({ file, target }) =>
        partOf(file) !== partOf(target) && target.includes("/") && !/\/(?:index|internal)\.ts$/.test(target),
    ),
  );
}

/** Files that import each other, directly or through others, one line for each circle. */
export function circles(imports: readonly Import[]): string[] {
  const targets = groupBy(imports, ({ file }) => file);
  const reached = new Map<string, ReadonlySet<string>>();
  for (const file of targets.keys()) reached.set(file, reachedFrom(file, targets));
  const found = [...reached].flatMap(([file, others]) => {
    const circle = [...others].filter((other) => reached.get(other)?.has(file) === true);
    return circle.length === 0 ? [] : [circle.sort().join(", ")];
  });
  return [...new Set(found)];
}

function reachedFrom(file: string, targets: ReadonlyMap<string, readonly Import[]>): Set<string> {
  const reached = new Set<string>();
  const pending = [file];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const { target } of targets.get(next) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        pending.push(target);
      }
  return reached;
}

/** Imports of rooms that are not sealed by rooms that are. */
export function leaks(imports: readonly Import[]): string[] {
  return lines(imports.filter(({ file, target }) => isSealed(file) && !isSealed(target)));
}

function isSealed(file: string): boolean {
  const room = ROOMS[roomOf(file)];
  const below = file.slice(roomOf(file).length + 1);
  return room?.isSealed === true && !room.openParts?.some((part) => below.startsWith(`${part}/`));
}

/** The files of sealed rooms, as patterns of the linter, and what they leave out. */
export function sealedPatterns(): { readonly files: string[]; readonly ignores: string[] } {
  const sealed = Object.entries(ROOMS).filter(([, room]) => room.isSealed === true);
  return {
    files: sealed.map(([name]) => (name.endsWith(".ts") ? `src/${name}` : `src/${name}/**/*.ts`)),
    ignores: sealed.flatMap(([name, { openParts = [] }]) =>
      openParts.map((part) => `src/${name}/${part}/**`),
    ),
  };
}

function partOf(file: string): string {
  return roomOf(file) === "foundation" ? file.split("/").slice(0, 2).join("/") : roomOf(file);
}

function lines(imports: readonly Import[]): string[] {
  return imports.map(({ file, target }) => `${file} imports ${target}`);
}
