import tseslint from "typescript-eslint";

const BOXED =
  "numbers of an array literal are boxed at each change, which takes three times as long; declare each";
const NODE =
  "a sealed room runs anywhere and gives the same result every time; take what is needed as an argument";
const WORLD = "a command takes its environment and its folder from the terminal that it is given";

export default tseslint.config(
  { ignores: ["dist/", ".compiled/", "docs/", "coverage/", "node_modules/"] },
  ...tseslint.configs.strict.map((config) => ({ ...config, files: ["**/*.ts", "**/*.tsx"] })),
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({
    ...config,
    files: ["src/**/*.ts", "src/**/*.tsx"],
  })),
  {
    files: ["src/**/*.ts", "src/**/*.tsx"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // Adapters that keep everything in memory still answer with promises.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_$" }],
      "no-control-regex": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
    },
  },
  {
    name: "functions of a readable length",
    files: ["src/**/*.ts", "scripts/**/*.js", "bench/**/*.js", "test/support/**/*.ts"],
    // The workbench has rules of its own: a screen is its markup, a server its routes.
    ignores: ["src/web/**", "src/server/**"],
    languageOptions: { parser: tseslint.parser },
    rules: { "max-lines-per-function": ["error", 80] },
  },
  {
    name: "the world of a command",
    files: ["src/cli/**/*.ts"],
    // Makes a terminal of the process.
    ignores: ["src/cli/terminal.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: WORLD },
        { object: "process", property: "cwd", message: WORLD },
      ],
    },
  },
  {
    name: "folders",
    files: ["src/**/*.ts"],
    ignores: ["src/files/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [
            {
              name: "node:fs",
              importNames: ["mkdirSync"],
              message: "Under /proc it never ends: take makeFolders of src/files.",
            },
          ],
        },
      ],
    },
  },
  {
    name: "sealed rooms",
    // Checked against `test/house.ts`.
    files: [
      "src/foundation/**/*.ts",
      "src/stats/**/*.ts",
      "src/records/**/*.ts",
      "src/metrics/**/*.ts",
      "src/fusion/**/*.ts",
      "src/chunk/**/*.ts",
      "src/matching/**/*.ts",
      "src/formats/**/*.ts",
      "src/report/**/*.ts",
      "src/golden/**/*.ts",
      "src/evaluate/**/*.ts",
      "src/compare/**/*.ts",
      "src/gate/**/*.ts",
      "src/fusion-tuning/**/*.ts",
      "src/index.ts",
    ],
    ignores: ["src/foundation/async/**", "src/report/html/page/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^(node:|(fs|path|os|crypto|child_process|url|util)$)", message: NODE }] },
      ],
      "no-restricted-globals": [
        "error",
        ...[
          ...[
            "process",
            "console",
            "fetch",
            "performance",
            "crypto",
            "globalThis",
            "window",
            "document",
            "navigator",
          ],
          ...[
            "setTimeout",
            "setInterval",
            "setImmediate",
            "queueMicrotask",
            "require",
            "XMLHttpRequest",
            "WebSocket",
          ],
        ].map((name) => ({ name, message: NODE })),
      ],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: NODE },
        { object: "Date", property: "now", message: NODE },
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "ImportExpression > Literal[value=/^node:/]", message: NODE },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: NODE },
        {
          selector:
            "VariableDeclaration[kind='let'] > " +
            "VariableDeclarator[id.type='ArrayPattern'][init.type='ArrayExpression']",
          message: BOXED,
        },
      ],
    },
  },
);
