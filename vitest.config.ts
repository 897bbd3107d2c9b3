import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { compiledSource } from "./test/support/compiled-source.js";

const deep = ["test/**/*.deep.test.ts"];
// While one watches, and where coverage is asked for, Vite has to know the source itself.
const isSourceKnown =
  !process.argv.includes("run") || process.argv.some((arg) => arg.startsWith("--coverage"));
const plugins = isSourceKnown ? [] : [await compiledSource()];
// No test leaves anything behind in its process; files that share one are loaded in a fifth of the time.
const shared = { isolate: false, setupFiles: "test/support/seeded-laws.ts" };

export default defineConfig({
  test: {
    globalSetup: "test/support/temporary-folder.ts",
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // A law of a *.prop.test.ts runs RANKPROOF_LAW_RUNS cases, and oracle tests hold a sample of the
      // collections against other programs here; all of them in the deep project.
      {
        plugins,
        test: {
          ...shared,
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: deep,
          env: { RANKPROOF_LAW_RUNS: "30" },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins,
        test: {
          ...shared,
          name: "deep",
          include: [...deep, "test/**/*.prop.test.ts", "test/oracles/*.test.ts"],
          env: { RANKPROOF_LAW_RUNS: "500", RANKPROOF_ALL_COLLECTIONS: "1" },
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
