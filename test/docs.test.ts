import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../src/foundation/errors/codes.js";
import { fusionCatalog, normalizerCatalog, trainedFusionCatalog } from "../src/fusion/index.js";
import { readGolden } from "../src/node/index.js";
import { warningCodes } from "../src/records/warning-codes.js";
import { commandCatalog } from "../src/cli/commands/catalog.js";
import { inProcess } from "./cli/in-process.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** JavaScript examples whose results are written beside them: `expression; // => value`. */
const examples = pages
  .flatMap((page) =>
    [...text(page).matchAll(/```js\n([^]*?)```/g)].map(([, code]) => ({ page, code: code ?? "" })),
  )
  .filter(({ code }) => code.includes("// =>"));

describe("the documentation", () => {
  it("has pages that are what the code says today (else: npm run docs:pages)", async () => {
    const { pagesOfCode } = (await import(new URL("../scripts/pages.js", import.meta.url).href)) as {
      pagesOfCode: () => Map<string, string>;
    };
    for (const [path, content] of pagesOfCode()) expect(text(path)).toBe(content);
  });

  it("has every command in the table, and every option in its part of the page or of all", async () => {
    const parts = text("docs/command-line.md").split(/^## /m).slice(1);
    const isNamed = (part: string, name: string): boolean =>
      part
        .slice(0, part.indexOf("\n"))
        .split(/[\s,]+/)
        .includes(name);
    const ofAll = parts.filter((part) => !commandCatalog.some(({ name }) => isNamed(part, name)));
    const table = parts.find((part) => part.startsWith("Commands at a glance")) ?? "";
    const helped = async (...path: string[]): Promise<string> => (await inProcess(...path, "--help")).stdout;
    const unsaid: string[] = [];
    for (const { name } of commandCatalog) {
      const own = parts.filter((part) => isNamed(part, name));
      if (own.length === 0) unsaid.push(`## ${name}`);
      if (!table.includes(`\`${name}`)) unsaid.push(`${name} in the table`);
      // As in "what `compare` takes for statistics".
      const mentioned = commandCatalog.filter(({ name: other }) => own.join().includes(`\`${other}\``));
      const theirs = parts.filter((part) => mentioned.some(({ name: other }) => isNamed(part, other)));
      const page = [...own, ...theirs, ...ofAll].join("\n");
      const help = await helped(name);
      const words = [...(help.split("\nCommands:\n")[1] ?? "").matchAll(/^ {2}([a-z]+)[ |]/gm)]
        .map(([, part]) => part ?? "")
        .filter((part) => part !== "help");
      for (const path of [[name], ...words.map((word) => [name, word])])
        for (const [, option = ""] of (await helped(...path)).matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm))
          if (option !== "--help" && !new RegExp(`${option}(?![\\w-])`).test(page))
            unsaid.push(`${path.join(" ")} ${option}`);
    }
    expect(unsaid).toEqual([]);
  });

  it("names every package that is installed with rankproof, with its licence", () => {
    const { dependencies, peerDependencies } = JSON.parse(text("package.json")) as Record<string, object>;
    const installed = [...Object.keys(dependencies ?? {}), ...Object.keys(peerDependencies ?? {})];
    const known = installed
      .filter((name) => name !== "vitest")
      .map((name) => {
        const { license } = JSON.parse(text(`node_modules/${name}/package.json`)) as { license: string };
        return `${name} ${license}`;
      });
    const rows = text("docs/security.md").matchAll(
      /^\| `([^`]+)`(?: \(optional peer\))? +\| (MIT|ISC|Apache-2\.0) /gm,
    );
    expect([...rows].map(([, name, licence]) => `${name} ${licence}`).sort()).toEqual(known.sort());
  });

  it("has examples that give the results beside them, in a project that has the package installed", () => {
    const project = mkdtempSync(join(tmpdir(), "rankproof-examples-"));
    try {
      mkdirSync(join(project, "node_modules"));
      symlinkSync(root, join(project, "node_modules/rankproof"));
      const files = examples.map(({ page, code }, index) => {
        const checked = code.replace(/^(.*?);? \/\/ => (.*)$/gm, "assert.deepEqual($1, $2);");
        const name = `${index}.mjs`;
        writeFileSync(join(project, name), `import assert from "node:assert/strict";\n${checked}`);
        return [page, name] as const;
      });
      // One process for all of them, in the folder that the examples' own files are in.
      const { stderr } = spawnSync(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `for (const [page, name] of ${JSON.stringify(files)})
             await import(${JSON.stringify(`${project}/`)} + name)
               .catch((error) => console.error(page, error));`,
        ],
        { cwd: root, encoding: "utf8" },
      );
      expect(stderr).toBe("");
    } finally {
      rmSync(project, { recursive: true });
    }
  });
  it("has examples", () => expect(examples.length).toBeGreaterThan(0));

  it.each(pages)("%s links to pages and headings that are there", (page) => {
    const slug = (heading: string): string =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-");
    for (const [, target = ""] of text(page)
      .replace(/```[^]*?```/g, "")
      .matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file, anchor] = target.split("#");
      const path = file === "" || file === undefined ? page : join(dirname(page), file);
      expect(existsSync(join(root, path)), `${page} links to ${target}`).toBe(true);
      if (anchor !== undefined)
        expect(
          [...text(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading ?? "")),
          `${page} links to ${target}`,
        ).toContain(anchor);
    }
  });

  it("has every fusion method with its parameters, and every normalizer", () => {
    const page = text("docs/fusion.md");
    const methods = [...fusionCatalog, ...trainedFusionCatalog].map(({ definition }) => definition);
    for (const { name, parameters = {} } of methods) {
      const rows = page.split("\n").filter((line) => line.startsWith("|") && line.includes(`\`${name}\``));
      expect(rows, name).not.toEqual([]);
      for (const [key, card] of Object.entries(parameters))
        expect(rows[0]).toContain("default" in card ? `\`${key}\` (${card.default})` : `\`${key}\``);
    }
    for (const { name } of normalizerCatalog) expect(page).toContain(`| \`${name}\` `);
  });

  it("explains every code of an error or a warning, and none that is not given", () => {
    const code = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && name !== "error-codes.ts")
      .map((name) => text(join("src", name)))
      .join("\n");
    const codes = [...Object.keys(errorCodes), ...Object.keys(warningCodes)];
    expect(codes.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
  });
});

describe("the demo's golden set", async () => {
  const golden = await readGolden(join(root, "fixtures/demo/golden.yaml"));
  it("has at least 60 queries, some of which should be refused", () => {
    expect(golden.queries.length).toBeGreaterThanOrEqual(60);
    expect(
      golden.queries.filter(({ expected_doc_ids }) => expected_doc_ids?.length === 0).length,
    ).toBeGreaterThanOrEqual(10);
  });
});
