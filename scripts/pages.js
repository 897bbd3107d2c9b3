// Prints the pages that are made from the code and from the packages in it: `node scripts/pages.js` writes
// them, a test compares them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCodes } from "../dist/foundation/errors/codes.js";
import { warningCodes } from "../dist/records/warning-codes.js";
import { metricCatalog, parameterCards, trecMeasures } from "rankproof/metrics";
import { comparisonOutputs } from "rankproof/report";
import { corrections, estimateCards, intervalMethods, pairedTests } from "rankproof/stats";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The files that are made from the code: path below the root, and content. */
export function pagesOfCode() {
  return new Map([
    ["docs/metrics.md", metricsPage()],
    ["docs/errors.md", errorsPage()],
    ["docs/estimates.md", estimatesPage()],
    ["THIRD-PARTY-NOTICES", notices()],
    listed("docs/statistics.md", {
      tests: labelled(pairedTests),
      corrections: labelled(corrections),
      intervals: Object.keys(intervalMethods).map((name) => `\`${name}\``),
    }),
    listed("docs/command-line.md", {
      outputs: comparisonOutputs.map(({ name, about }) => `\`--${name} <file>\` (${about})`),
    }),
  ]);
}

/** A page with the members of catalogues between their marks. */
function listed(path, lists) {
  let page = readFileSync(join(root, path), "utf8");
  for (const [name, members] of Object.entries(lists))
    page = page.replace(
      new RegExp(`(<!-- ${name}:begin -->)[^]*?(<!-- ${name}:end -->)`),
      (_, begin, end) => `${begin}${members.join(", ")}${end}`,
    );
  return [path, page];
}

function labelled(catalog) {
  return Object.entries(catalog).map(([name, { label }]) =>
    name === label ? `\`${name}\`` : `\`${name}\` (${label})`,
  );
}

function estimatesPage() {
  const cards = estimateCards.map(
    ({ name, question, formula, assumptions, edges, source }) =>
      `## \`${name}\`\n\n${question}\n\n| | |\n| --- | --- |\n` +
      [
        ["formula", formula],
        ["holds if", assumptions],
        ["edges", edges],
        ["source", source],
      ]
        .map(([what, text]) => `| ${what} | ${text.replaceAll("|", "\\|")} |\n`)
        .join(""),
  );
  return (
    "# Estimates\n\nThis page is made from the cards of the functions (`npm run docs:pages`). " +
    "[Batches](batches.md) says where they are used.\n\n" +
    "Y is a query's score, or its difference between two runs, by people's labels, F the same " +
    "by a model's; n queries have both, N further ones only F. They are held against exact values to " +
    "nine digits, and their intervals against simulations with the errors of eight real judges.\n\n" +
    cards.join("\n")
  );
}

function metricsPage() {
  const cards = metricCatalog.map((factory) => {
    const {
      name,
      aliases = [],
      question,
      formula,
      edges,
      agreesWith,
      paper,
      cutoff,
      range,
      higherIsBetter,
      aggregate,
      exempt = {},
    } = factory.definition;
    const trec = trecMeasures
      .filter((measure) => measure.factory === factory)
      .map((measure) => (measure.cutoffs === undefined ? measure.name : `${measure.name}_k`));
    const others = [...new Set([...aliases, ...trec])].filter((other) => other !== name);
    const written = {
      required: `\`${name}@k\``,
      optional: `\`${name}\` or \`${name}@k\``,
      none: `\`${name}\``,
      "recall level": `\`${name}@x\`, x from 0 to 1`,
    }[cutoff];
    const parameters = Object.entries(parameterCards(factory.definition)).map(
      ([key, { meaning, default: usual, oneOf }]) => {
        const choice = oneOf === undefined ? "" : `, one of ${oneOf.join(", ")}`;
        return `\`${key}\`: ${meaning} (default ${JSON.stringify(usual)}${choice})`;
      },
    );
    const rows = [
      [
        "written",
        written +
          (others.length === 0 ? "" : `; also read: ${others.map((alias) => `\`${alias}\``).join(", ")}`),
      ],
      ["formula", formula],
      ["at the edges", edges],
      [
        "range",
        `${range[0] ?? "no bound"} to ${range[1] ?? "no bound"}, ` +
          `${higherIsBetter ? "higher" : "lower"} is better`,
      ],
      ["over queries", aggregate?.name ?? "mean"],
      ["parameters", parameters.join("; ") || "none"],
      ["agrees with", agreesWith],
      ["source", paper],
      ...Object.entries(exempt).map(([law, reason]) => ["breaks a law", `"${law}": ${reason}`]),
    ];
    return (
      `## ${name}\n\n${question}\n\n| | |\n| --- | --- ` +
      `|\n${rows.map(([key, value]) => `| ${key} | ${value.replaceAll("|", "\\|")} |`).join("\n")}`
    );
  });
  return (
    "# Metrics\n\nThis page is made from the metrics themselves. Ask for them with `-m` on the " +
    "command line, or with the `metrics`\noption and `parseMetric`. How they are computed over a " +
    "run is in [evaluate.md](evaluate.md); the fixed fields of an\naggregate are in " +
    `[aggregate.md](aggregate.md).\n\n${cards.join("\n\n")}\n`
  );
}

function errorsPage() {
  const table = (codes) =>
    `| code | meaning |\n| --- | --- |\n${Object.entries(codes)
      .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
      .join("\n")}\n`;
  return (
    "# Errors\n\nThis page is made from the code. Every error that rankproof throws on purpose is a " +
    "`RankproofError` with one of these\n`code`s. An `InputError` means that something you gave is " +
    "wrong; an `AdapterError` that something outside failed and\ntrying again may help. " +
    "`isRankproofError` recognizes them across copies of the package.\n\n## Codes\n\n" +
    `${table(errorCodes)}\n## Warnings\n\n` +
    "A result has `warnings` for what is no error and can mislead, each with one of these `code`s; " +
    `results of earlier versions\nand systems of your own may have others.\n\n${table(warningCodes)}`
  );
}

/** The licences of what is bundled into the command line and the pages of the workbench. */
function notices() {
  const bundledPackages = JSON.parse(readFileSync(join(root, "scripts/bundled-packages.json"), "utf8"));
  const parts = bundledPackages.map((name) => {
    const folder = join(root, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  return (
    "The command line of rankproof (dist/cli), its server and its pages (dist/web) contain these " +
    `packages.\n\n${parts.join(`\n${"-".repeat(72)}\n\n`)}`
  );
}

const MARKS = /(<!-- demo:begin -->\n)[^]*?(<!-- demo:end -->)/;

/** The tour with what the demo really prints. */
export async function tour() {
  const out = mkdtempSync(join(tmpdir(), "rankproof-pages-"));
  const printed = [];
  const quiet = () => undefined;
  const { runDemo } = await import("../fixtures/demo/demo.js");
  await runDemo(out, {
    out: (text) => printed.push(text),
    talk: quiet,
    warn: quiet,
    progress: quiet,
    paint: (text) => text,
    signal: new AbortController().signal,
  });
  rmSync(out, { recursive: true });
  // When it ran is another time every time.
  const first = (printed[0] ?? "").replace(/ {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC$/gm, "");
  return readFileSync(join(root, "docs/tour.md"), "utf8").replace(
    MARKS,
    (_, begin, end) =>
      `${begin}\n\`\`\`text\n${first.replace(/^\n## .*\n\n/, "").trimEnd()}\n\`\`\`\n\n${end}`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The demo searches the pages, so they are written and packed before it is run.
  for (const [path, content] of pagesOfCode()) writeFileSync(join(root, path), content);
  await import("./pack-fixtures.js");
  writeFileSync(join(root, "docs/tour.md"), await tour());
}
