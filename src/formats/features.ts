import { InputError, quote } from "../foundation/errors/index.js";
import { csvField } from "../foundation/text/index.js";

/** A labelled hit with the numbers that came with it. */
export interface FeatureLine {
  readonly query_id: string;
  readonly item: string;
  readonly rank: number;
  readonly label: number;
  readonly features: Readonly<Record<string, number>>;
}

/** The forms of {@link formatFeatures}. */
export const featureFormats = ["svmlight", "csv", "jsonl"] as const;

/** One of {@link featureFormats}. */
export type FeatureFormat = (typeof featureFormats)[number];

/**
 * Labelled hits for learning to rank. `svmlight` (LETOR) is `3 qid:1 1:0.5 2:7 # query item`, queries and
 * features numbered from 1, with the names of the features in the first lines; a feature that a hit lacks is
 * left out, which its readers take for 0. CSV leaves its cell empty.
 *
 * @throws InputError `ARGUMENT` for another format.
 */
export function formatFeatures(rows: readonly FeatureLine[], format: FeatureFormat): string {
  if (!featureFormats.includes(format))
    throw new InputError("ARGUMENT", `the format must be ${featureFormats.join(", ")}, got ${quote(format)}`);
  const names = [...new Set(rows.flatMap(({ features }) => Object.keys(features)))].sort();
  if (format === "jsonl") return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return format === "csv" ? csvOf(rows, names) : svmlightOf(rows, names);
}

function csvOf(rows: readonly FeatureLine[], names: readonly string[]): string {
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => csvField(cell, ",")).join(",")}\n`;
  return [
    line(["query_id", "item", "rank", "label", ...names]),
    ...rows.map(({ query_id, item, rank, label, features }) =>
      line([
        query_id,
        item,
        String(rank),
        String(label),
        ...names.map((name) => String(valueOf(features, name) ?? "")),
      ]),
    ),
  ].join("");
}

function svmlightOf(rows: readonly FeatureLine[], names: readonly string[]): string {
  const queries = new Map([...new Set(rows.map(({ query_id }) => query_id))].map((id, at) => [id, at + 1]));
  const comment = (text: string): string => text.replace(/\s+/g, " ");
  return [
    ...names.map((name, at) => `# ${at + 1} ${comment(name)}\n`),
    ...rows.map(({ query_id, item, label, features }) => {
      const values = names.flatMap((name, at) => {
        const value = valueOf(features, name);
        return value === undefined ? [] : [`${at + 1}:${value}`];
      });
      const head = `${label} qid:${queries.get(query_id) ?? 0}`;
      return `${[head, ...values].join(" ")} # ${comment(query_id)} ${comment(item)}\n`;
    }),
  ].join("");
}

function valueOf(features: FeatureLine["features"], name: string): number | undefined {
  return Object.hasOwn(features, name) ? features[name] : undefined;
}
