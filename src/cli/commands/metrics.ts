import { InputError } from "../../index.js";
import {
  metricCatalog,
  parameterCards,
  parseMetric,
  trecMeasures,
  type MetricDefinition,
  type MetricFactory,
  type ParameterCard,
} from "../../metrics/index.js";
import { renderTable } from "../../report/index.js";
import type { Terminal } from "../terminal.js";
import { examples, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

const formatUsage = ({ name, cutoff }: MetricDefinition): string =>
  ({ required: `${name}@k`, optional: `${name}[@k]`, none: name, "recall level": `${name}@x` })[cutoff];

/** The metrics of a name, an alias or a whole metric: `P` is one with a cutoff and one without. */
function factoriesOf(name: string): readonly MetricFactory[] {
  const base = name.replace(/[(@].*$/, "");
  const named = metricCatalog.filter(
    ({ definition }) => definition.name === base || definition.aliases?.includes(base) === true,
  );
  const cut = name.includes("@") ? named.filter(({ definition }) => definition.cutoff !== "none") : named;
  if (cut.length > 0) return cut;
  const measure = trecMeasures.find((each) => each.name === base)?.factory;
  if (measure !== undefined) return [measure];
  const { definition } = parseMetric(name);
  return metricCatalog.filter((factory) => factory.definition.name === definition.name);
}

function possibleValues({ default: usual, minimum, maximum, oneOf }: ParameterCard): string {
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_VALUE;
  return [
    `default ${JSON.stringify(usual)}`,
    ...(oneOf === undefined ? [] : [`one of ${oneOf.join(", ")}`]),
    ...(isBounded ? [`from ${minimum} to ${maximum}`] : []),
  ].join(", ");
}

function card(factory: MetricFactory, { paint }: Terminal): string {
  const { definition } = factory;
  const trec = trecMeasures
    .filter((measure) => measure.factory === factory)
    .map((measure) => (measure.cutoffs === undefined ? measure.name : `${measure.name}_k`));
  const otherNames = [...new Set([...(definition.aliases ?? []), ...trec])].filter(
    (name) => name !== definition.name,
  );
  const [low, high] = definition.range;
  const rows: readonly (readonly [string, string])[] = [
    ["formula", definition.formula],
    ["at the edges", definition.edges],
    [
      "range",
      `${low ?? "no bound"} to ${high ?? "no bound"}, ` +
        `${definition.higherIsBetter ? "higher" : "lower"} is better`,
    ],
    ["over queries", definition.aggregate?.name ?? "mean"],
    ["also read as", otherNames.join(", ") || "—"],
    ["agrees with", definition.agreesWith],
    ["paper", definition.paper],
    ...Object.entries(parameterCards(definition)).map(
      ([name, card]) => [`parameter ${name}`, `${card.meaning} (${possibleValues(card)})`] as const,
    ),
    ...Object.entries(definition.exempt ?? {}).map(
      ([law, reason]) => ["breaks a law", `"${law}": ${reason}`] as const,
    ),
  ];
  const width = Math.max(...rows.map(([key]) => key.length));
  return [
    paint(formatUsage(definition), "strong"),
    definition.question,
    "",
    ...rows.map(([key, value]) => `${paint(key.padEnd(width), "quiet")}  ${value}`),
    "",
  ].join("\n");
}

export const metricsCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument("[name]", "one metric, by any of its names")
      .option("--json", "print the cards as JSON")
      .addHelpText("after", examples("metrics", "metrics nDCG", "metrics ndcg_cut_10"))
      .action((name: string | undefined, { json }: { json?: true }) => {
        if (name === "") throw new InputError("ARGUMENT", "name a metric, or leave the name out for all");
        const chosen = name === undefined ? metricCatalog : factoriesOf(name);
        if (json === true)
          terminal.out(
            formatJson(
              chosen.map(({ definition }) => ({ ...definition, parameters: parameterCards(definition) })),
            ),
          );
        else if (name === undefined)
          terminal.out(
            renderTable(
              ["metric", "answers"],
              chosen.map(({ definition }) => [formatUsage(definition), definition.question]),
            ),
          );
        else terminal.out(chosen.map((factory) => card(factory, terminal)).join("\n"));
      });
  },
};
