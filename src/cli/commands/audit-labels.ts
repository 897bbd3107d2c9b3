import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import {
  auditLabels,
  labelOutliers,
  withoutRaters,
  withoutTexts,
  type AuditedLabel,
} from "../../audit/index.js";
import { batchId } from "../../batch/index.js";
import { InputError } from "../../index.js";
import {
  itemTitle,
  labelsOf,
  normalizedQuery,
  raterId,
  standingAssessments,
  type Assessment,
} from "../../label/index.js";
import { raterNamed, writeAuditFile } from "../../node/index.js";
import { auditOutputs, renderAuditText } from "../../report/index.js";
import {
  artifactsPath,
  datasetFrom,
  datasetOptionsOf,
  labelerFrom,
  labelerOptionOf,
  projectConfig,
  requiredLabels,
  type DatasetFlags,
} from "../dataset-flags.js";
import { currentHashes, ratersOf } from "../dataset-labels.js";
import { wholeNumber } from "../number-flag.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, printedJson } from "./cli-command.js";

interface Flags extends DatasetFlags {
  against?: string;
  seed: number;
  /** False after `--no-text`. */
  text: boolean;
  /** False after `--no-raters`. */
  raters: boolean;
  json?: true;
}

/** `audit labels`, which is `audit` by itself. */
export function defineLabels(audit: Command, terminal: Terminal): void {
  labelerOptionOf(
    datasetOptionsOf(
      audit
        .command("labels", { isDefault: true })
        .description("how far the labeler's labels agree with people's, or with another labeler's")
        .argument("[dataset]", "of the configuration"),
    ),
  )
    .option("--against <labeler>", "another labeler in place of people")
    .option("--seed <n>", "of the intervals", wholeNumber("seed", 0), 1)
    .option("--no-text", "leave out what queries, items and raters say")
    .option("--no-raters", "leave out who said it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples("audit shop", "audit shop --against gpt --json", "audit shop --no-text --no-raters"),
    )
    .action((given: string | undefined, flags: Flags) => audited(given, flags, terminal));
}

async function audited(given: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  const config = await projectConfig();
  const dataset = await datasetFrom(config, given, flags);
  const store = await requiredLabels(flags.labels, config);
  const texts = new Set(dataset.queries.map(({ query }) => normalizedQuery(query)));
  const said = (await store.find({ tenant: dataset.tenant })).filter(({ query }) => texts.has(query));
  await store.close();
  const hashes = currentHashes(dataset);
  const isStale = ({ item, item_hash }: Assessment): boolean => {
    const now = hashes(item);
    return now !== undefined && item_hash != null && item_hash !== now;
  };
  const standing = standingAssessments(said);
  const fresh = standing.filter((each) => !isStale(each));
  const raters = ratersOf(said);
  const named = async (flag: string | undefined) => {
    const { name, settings } = labelerFrom(config, dataset, flag);
    return { name, rater: (await raterNamed(name, settings, dataset, raters)).rater ?? null };
  };
  const second = await named(flags.labeler);
  if (second.rater === null)
    throw new InputError(
      "ARGUMENT",
      `${plainLine(second.name)} has labelled nothing of dataset ${plainLine(dataset.id)} yet; ` +
        "`rankproof label build` does it",
    );
  const other = flags.against === undefined ? null : await named(flags.against);
  const titleOf = (item: string): string | null => {
    const known = dataset.items.get(item);
    return known === undefined ? null : itemTitle(known);
  };
  const people = fresh.filter(({ rater }) => rater.kind !== "model");
  const audit = auditLabels(
    other === null ? peoplesLabels(people) : labelsBy(fresh, other.rater),
    labelsBy(fresh, second.rater),
    {
      auditId: batchId(Date.now(), randomBytes(2).toString("hex")),
      dataset: dataset.id,
      tenant: dataset.tenant,
      createdAt: new Date().toISOString(),
      first: other === null ? { name: "people", kind: "people", rater: null } : { ...other, kind: "model" },
      second: { ...second, kind: "model" },
      queries: dataset.queries.map(({ id, query }) => ({ id, query: normalizedQuery(query) })),
      seed: flags.seed,
      titleOf,
      stale: standing.length - fresh.length,
      people: people.flatMap(({ rater, query, item, grade }) =>
        grade === null ? [] : [{ rater: raterId(rater), query, item, grade }],
      ),
      outliers: labelOutliers({
        queries: dataset.queries.map(({ id, query }) => ({ id, query: normalizedQuery(query) })),
        labels: labelsOf(fresh, { labeler: second.rater, people: false }),
        titleOf,
        systems: [],
      }),
    },
  );
  const shown = flags.text ? audit : withoutTexts(audit);
  const record = flags.raters ? shown : withoutRaters(shown);
  const artifacts = artifactsPath(config);
  const json = writeAuditFile(artifacts, record, "report.json", printedJson(record));
  for (const output of auditOutputs)
    writeAuditFile(artifacts, record, `report.${output.name}`, output.render(record));
  terminal.out(flags.json === true ? printedJson(record) : renderAuditText(record, terminal));
  terminal.talk(`wrote ${json}, report.md and report.html`);
}

/** What one labeler says of each pair: the median of its votes. */
function labelsBy(said: readonly Assessment[], rater: string | null): AuditedLabel[] {
  const own = said.filter((each) => raterId(each.rater) === rater);
  const graded = new Map(
    labelsOf(own, { ...(rater !== null && { labeler: rater }), people: false }).map((label) => [
      JSON.stringify([label.query, label.item]),
      label,
    ]),
  );
  return own.map(({ query, item, outcome, reason }) => {
    const label = graded.get(JSON.stringify([query, item]));
    return {
      query,
      item,
      outcome: label === undefined ? (outcome as AuditedLabel["outcome"]) : "graded",
      grade: label?.grade ?? null,
      reason,
      ...(label && { votes: label.votes, spread: label.spread }),
    };
  });
}

/** What people say of each pair, an adjudicator before the others. */
function peoplesLabels(said: readonly Assessment[]): AuditedLabel[] {
  const reasons = new Map(said.map(({ query, item, reason }) => [JSON.stringify([query, item]), reason]));
  const graded = labelsOf(said).map(({ query, item, grade }) => ({
    query,
    item,
    outcome: "graded" as const,
    grade,
    reason: reasons.get(JSON.stringify([query, item])),
  }));
  const known = new Set(graded.map(({ query, item }) => JSON.stringify([query, item])));
  const open = said.filter(({ query, item }) => !known.has(JSON.stringify([query, item])));
  return [
    ...graded,
    ...open.map(({ query, item, outcome, reason }) => ({
      query,
      item,
      outcome: outcome as AuditedLabel["outcome"],
      grade: null,
      reason,
    })),
  ];
}
