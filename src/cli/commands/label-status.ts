import { countOf, formatAmount } from "../../foundation/numbers/index.js";
import type { Command } from "commander";
import { projectConfig } from "../../node/index.js";
import { InputError } from "../../index.js";
import {
  itemHash,
  itemTitle,
  labelGrades,
  labelsOf,
  type Label,
  normalizeQuery,
  raterId,
  standingAssessments,
  type Assessment,
  type Rater,
} from "../../label/index.js";
import type { Dataset } from "../../node/index.js";
import { renderTable } from "../../report/index.js";
import { findByQuery, type LabelStore } from "../../storage/index.js";
import {
  datasetFrom,
  datasetOptionsOf,
  requireLabels,
  tenantOf,
  type DatasetFlags,
} from "../dataset-flags.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { isStaleLabel } from "../../records/index.js";

/** Places of an amount of money; prices are of a million tokens. */
const PLACES = 12;

interface Flags extends DatasetFlags {
  json?: true;
}

/** What one rater says now, and what all that it ever said has cost. */
interface RaterStatus {
  readonly rater: Rater;
  readonly queries: number;
  /** Those that stand: not replaced by a later one of the rater, and not taken back. */
  readonly assessments: number;
  /** Graded ones by grade, from 0. */
  readonly grades: readonly number[];
  readonly without_grade: number;
  readonly stale: number;
  readonly tokens: number;
  /** By currency. */
  readonly paid: Map<string, number>;
}

/** `label status`. */
export function defineStatus(label: Command, terminal: Terminal): void {
  datasetOptionsOf(
    label
      .command("status")
      .description("who has labelled how much: by rater and grade, what is stale, what it cost")
      .argument("[dataset]", "of the configuration; without one all labels of the store"),
  )
    .option("--json", "print JSON")
    .addHelpText("after", examples("label status", "label status shop --json"))
    .action(async (given: string | undefined, flags: Flags) => {
      const config = await projectConfig(terminal);
      const isAll = given === undefined && flags.queries === undefined;
      const dataset = isAll ? undefined : await datasetFrom(config, given, flags, terminal);
      const store = await requireLabels(flags.labels, terminal, config);
      const raters = await statusOf(store, dataset, tenantOf(flags, terminal));
      const forgotten = await store.forgotten();
      await store.close();
      const queries = dataset?.queries.length;
      if (flags.json === true)
        return terminal.out(
          formatJson({
            queries,
            raters: raters.map(({ paid, ...each }) => ({ ...each, paid: Object.fromEntries(paid) })),
            forgotten,
          }),
        );
      if (raters.length === 0) return terminal.talk("no labels yet; `rankproof label build` makes them");
      terminal.out(
        renderTable(
          ["rater", "queries", "3", "2", "1", "0", "none", "stale", "tokens", "paid"],
          raters.map((each) => [
            raterName(each.rater),
            queries === undefined ? String(each.queries) : `${each.queries} of ${queries}`,
            ...[3, 2, 1, 0].map((grade) => String(each.grades[grade])),
            String(each.without_grade),
            String(each.stale),
            each.tokens === 0 ? "" : String(Math.round(each.tokens)),
            [...each.paid].map(([currency, amount]) => `${formatAmount(amount)} ${currency}`).join(", "),
          ]),
        ),
      );
      const gone = forgotten.reduce((sum, { assessments }) => sum + assessments, 0);
      if (forgotten.length > 0) terminal.out(`forgotten: ${countOf(gone, "assessment")}\n`);
    });
}

/** `label show`. */
export function defineShow(label: Command, terminal: Terminal): void {
  datasetOptionsOf(
    label
      .command("show")
      .description("the labels of one query, and who said what")
      .argument("<query>", "its text")
      .argument("[dataset]", "for what the items say"),
  )
    .option("--json", "print JSON: every assessment")
    .addHelpText("after", examples('label show "red shoe"', 'label show "red shoe" shop --json'))
    .action(async (text: string, given: string | undefined, flags: Flags) => {
      const config = await projectConfig(terminal);
      const isNamed = given !== undefined || flags.queries !== undefined;
      const dataset = isNamed ? await datasetFrom(config, given, flags, terminal) : undefined;
      const store = await requireLabels(flags.labels, terminal, config);
      const query = normalizeQuery(text);
      const said = await store.find({ query, tenant: tenantOf(flags, terminal) ?? dataset?.tenant });
      await store.close();
      if (said.length === 0)
        throw new InputError(
          "ARGUMENT",
          `there are no labels for \`${plainLine(query)}\`; is it as the dataset has it?`,
        );
      if (flags.json === true) return terminal.out(formatJson(said));
      terminal.out(renderTable(["item", "label", "by", "grades", "says"], rowsOf(said, dataset)));
    });
}

/** One row for each item, the best label first. */
function rowsOf(said: readonly Assessment[], dataset: Dataset | undefined): string[][] {
  const raters = [
    ...new Set(said.filter(({ rater }) => rater.kind === "model").map(({ rater }) => raterId(rater))),
  ];
  const currentHash = (id: string): string | undefined => {
    const item = dataset?.items.get(id);
    return item && itemHash(item);
  };
  const found = labelsOf(said, { labeler: raters.at(-1), currentHash });
  const labels = new Map(found.map((label) => [label.item, label]));
  const items = [...new Set(said.map(({ item }) => item))];
  const rank = (item: string): number => labels.get(item)?.grade ?? -1;
  return items
    .sort((a, b) => rank(b) - rank(a))
    .map((item) => {
      const label = labels.get(item);
      const all = said.filter((each) => each.item === item);
      const known = dataset?.items.get(item);
      return [
        item,
        label === undefined ? "none" : gradeText(label),
        label?.by ?? "",
        all.map(({ rater, grade, outcome }) => `${rater.name} ${grade ?? outcome}`).join(", "),
        (known && itemTitle(known)?.slice(0, 60)) ?? "",
      ];
    });
}

function gradeText({ grade, isStale }: Label): string {
  return `${grade} ${labelGrades[grade as 0 | 1 | 2 | 3].name}${isStale ? ", stale" : ""}`;
}

async function statusOf(
  store: LabelStore,
  dataset: Dataset | undefined,
  tenant: string | undefined,
): Promise<RaterStatus[]> {
  const wanted = dataset && new Set(dataset.queries.map(({ query }) => normalizeQuery(query)));
  const asked = (await store.queries()).filter(
    (each) =>
      (dataset === undefined || (each.tenant === dataset.tenant && wanted?.has(each.query) === true)) &&
      (tenant === undefined || each.tenant === tenant),
  );
  const hashes = new Map([...(dataset?.items ?? [])].map(([id, item]) => [id, itemHash(item)]));
  const byRater = new Map<
    string,
    { -readonly [Key in keyof RaterStatus]: RaterStatus[Key] } & { grades: number[] }
  >();
  const statusFor = ({ rater: { answered_model: _, ...rater } }: Assessment) => {
    const id = raterId(rater);
    const status = byRater.get(id) ?? {
      rater,
      queries: 0,
      assessments: 0,
      grades: [0, 0, 0, 0],
      without_grade: 0,
      stale: 0,
      tokens: 0,
      paid: new Map<string, number>(),
    };
    byRater.set(id, status);
    return status;
  };
  for await (const { said } of findByQuery(store, asked)) {
    for (const assessment of said) {
      const { tokens, price } = assessment;
      const status = statusFor(assessment);
      status.tokens += (tokens?.input ?? 0) + (tokens?.output ?? 0);
      if (price) status.paid.set(price.currency, (status.paid.get(price.currency) ?? 0) + price.amount);
    }
    const standing = standingAssessments(said);
    for (const status of new Set(standing.map(statusFor))) status.queries++;
    for (const assessment of standing) {
      const { item, grade } = assessment;
      const status = statusFor(assessment);
      status.assessments++;
      if (grade === null) status.without_grade++;
      else status.grades[grade] = (status.grades[grade] ?? 0) + 1;
      if (isStaleLabel(assessment, hashes.get(item))) status.stale++;
    }
  }
  // Each assessment has its share of its request; their sums have what doubles leave over.
  for (const status of byRater.values()) {
    status.tokens = Math.round(status.tokens);
    for (const [currency, amount] of status.paid) status.paid.set(currency, Number(amount.toFixed(PLACES)));
  }
  return [...byRater.values()];
}

function raterName({ kind, name, model, prompt, prompt_version }: Rater): string {
  const what = [model, prompt == null ? undefined : `${prompt} ${prompt_version ?? ""}`.trim()].filter(
    (each) => each != null,
  );
  return `${name} (${[kind, ...what].join(", ")})`;
}
