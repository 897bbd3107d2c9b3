import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const deep = ["test/**/*.deep.test.ts"];
// No test leaves anything behind in its process; files that share one are loaded in a fifth of the time.
const shared = { isolate: false };

export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // A law of a *.prop.test.ts runs RANKPROOF_LAW_RUNS cases, and oracle tests hold a sample of the
      // collections against other programs here; all of them in the deep project.
      {
        test: {
          ...shared,
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: deep,
          env: { RANKPROOF_LAW_RUNS: "30" },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...shared,
          name: "deep",
          include: [...deep, "test/**/*.prop.test.ts", "test/oracles/*.test.ts"],
          env: { RANKPROOF_LAW_RUNS: "1000", RANKPROOF_ALL_COLLECTIONS: "1" },
          testTimeout: 600_000,
        },
      },
    ],
  },
});
