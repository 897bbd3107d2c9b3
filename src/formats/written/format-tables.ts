import { InputError, quote } from "../../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../../foundation/ids/index.js";
import type { Qrel, ScoredRun } from "../../records/index.js";
import { writtenFormats } from "../catalog.js";
import type { WrittenFormatCard } from "./written-format.js";

/**
 * The format of a name.
 *
 * @throws InputError `ARGUMENT` with the nearest names.
 */
export function findWrittenFormat(
  name: string,
  catalog: readonly WrittenFormatCard[] = writtenFormats,
): WrittenFormatCard {
  const found = catalog.find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = catalog.map((format) => format.name);
  const hint = didYouMean(nearestIds(name, names, 1)) ?? `there are ${names.map(quote).join(", ")}`;
  throw new InputError("ARGUMENT", `there is no format ${quote(name)} to write; ${hint}`);
}

/** The format that files of a name are written in; undefined for an extension that says nothing. */
export function findWrittenFormatOfFile(
  name: string,
  catalog: readonly WrittenFormatCard[] = writtenFormats,
): WrittenFormatCard | undefined {
  const extension = /\.([^.]+)(?:\.gz)?$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return catalog.find(({ extensions }) => extensions.includes(extension));
}

/**
 * A run as text, best hits first. Reading it back gives the same run. For a text above 512 MiB see
 * {@link runParts}.
 *
 * @param format a name, or a format of one's own.
 * @param name what the run is called, where the format says so.
 * @throws InputError `ARGUMENT` for an id that the format cannot hold.
 */
export function formatRun(run: ScoredRun, format: string | WrittenFormatCard, name = "run"): string {
  return [...runParts(run, format, name)].join("");
}

/**
 * As {@link formatRun}, part by part, because a long run has no room in one string. All ids have been checked
 * before the first part.
 *
 * @param docs the document of each id that is a chunk's; any other id is its own document.
 * @throws InputError `ARGUMENT` for an id that the format cannot hold.
 */
export function runParts(
  run: ScoredRun,
  format: string | WrittenFormatCard,
  name = "run",
  docs: ReadonlyMap<string, string> = new Map(),
): Iterable<string> {
  return cardOf(format).run(run, name, docs);
}

/**
 * Judgments as text. Reading it back gives the same judgments. `tsv` is BEIR's form, `rankproof` a golden set
 * in JSONL.
 *
 * @param format a name, or a format of one's own.
 * @param texts of queries by id, for the golden set; a query without one is called by its id.
 * @throws InputError `ARGUMENT` for an id that the format cannot hold.
 */
export function formatQrels(
  judgments: readonly Qrel[],
  format: string | WrittenFormatCard,
  texts: ReadonlyMap<string, string> = new Map(),
): string {
  const card = cardOf(format);
  if (!card.hasSubtopics && judgments.some(({ subtopic }) => subtopic !== undefined)) {
    const others = writtenFormats.filter(({ hasSubtopics }) => hasSubtopics).map((each) => each.name);
    throw new InputError(
      "ARGUMENT",
      `${card.name} cannot hold judgments by subtopic; write ${others.slice(0, -1).join(", ")} or ` +
        `${others.at(-1) ?? ""}`,
    );
  }
  return [...card.qrels(judgments, { texts })].join("");
}

function cardOf(format: string | WrittenFormatCard): WrittenFormatCard {
  return typeof format === "string" ? findWrittenFormat(format) : format;
}
