import { defineConfig } from "vitest/config";

const deep = ["test/**/*.deep.test.ts"];

export default defineConfig({
  test: {
    projects: [
      // A law runs 100 cases here and RANKPROOF_LAW_RUNS cases in the deep project, from the same file.
      { test: { name: "fast", include: ["test/**/*.test.ts"], exclude: deep, testTimeout: 30_000 } },
      {
        test: {
          name: "deep",
          include: [...deep, "test/**/*.prop.test.ts"],
          env: { RANKPROOF_LAW_RUNS: "1000" },
          testTimeout: 600_000,
        },
      },
    ],
  },
});
