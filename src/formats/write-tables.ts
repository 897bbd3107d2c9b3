import { InputError, shown } from "../foundation/errors/index.js";
import { groupedBy } from "../foundation/columns/index.js";
import { nearestIds } from "../foundation/ids/index.js";
import type { Qrel } from "../records/index.js";
import type { EvalRun } from "../records/schema/index.js";
import type { ScoredRun } from "../records/index.js";
import { csvField } from "./csv.js";

/** Formats that runs and judgments are written in. */
export const WRITTEN_FORMATS = ["trec", "csv", "tsv", "jsonl", "json", "rank_eval", "rankproof"] as const;
/** A format that runs and judgments are written in. */
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number];

/**
 * The format of a name.
 *
 * @throws InputError `ARGUMENT` with the nearest names.
 */
export function writtenFormat(name: string): WrittenFormat {
  const found = WRITTEN_FORMATS.find((format) => format === name);
  if (found !== undefined) return found;
  const [near] = nearestIds(name, WRITTEN_FORMATS);
  const hint =
    near === undefined
      ? `there are ${WRITTEN_FORMATS.map(shown).join(", ")}`
      : `did you mean ${shown(near)}?`;
  throw new InputError("ARGUMENT", `there is no format ${shown(name)} to write; ${hint}`);
}

/** An id as a field of TREC's format, which has no way to write white space. */
function trecField(id: string, what: string): string {
  // eslint-disable-next-line no-control-regex -- the zero byte is what is looked for
  if (id === "" || /[\s\u0000]/.test(id))
    throw new InputError(
      "ARGUMENT",
      `${what} ${shown(id)} has white space in it, which TREC's format cannot hold; write JSONL instead`,
      { id },
    );
  return id;
}

/** JSON of a mapping of mappings; keys come in the order given, `__proto__` like any other. */
function* nestedJson(
  outer: Iterable<readonly [string, Iterable<readonly [string, number]>]>,
): Iterable<string> {
  const members = function* (): Iterable<string> {
    for (const [key, inner] of outer)
      yield (
        `${JSON.stringify(key)}: ` +
        `{${[...inner].map(([id, number]) => `${JSON.stringify(id)}: ${number}`).join(", ")}}`
      );
  };
  yield* wrapped("{", members(), "\n}\n");
}

/** Members of a mapping, a line each. */
function* wrapped(begin: string, members: Iterable<string>, end: string): Iterable<string> {
  yield begin;
  let comma = "";
  for (const member of members) {
    yield `${comma}\n  ${member}`;
    comma = ",";
  }
  yield end;
}

function* eachLine(all: Iterable<string>): Iterable<string> {
  for (const line of all) yield `${line}\n`;
}

const lines = (all: Iterable<string>): string => [...eachLine(all)].join("");

/**
 * A run as text, best hits first. Reading it back gives the same run. For a text above 512 MiB see
 * {@link runParts}.
 *
 * @param name what the run is called, where the format says so.
 * @throws InputError `ARGUMENT` for an id that the format cannot hold.
 */
export function formatRun(run: ScoredRun, format: WrittenFormat, name = "run"): string {
  return [...runParts(run, format, name)].join("");
}

interface RunRow {
  readonly query: string;
  readonly id: string;
  readonly rank: number;
  readonly score: number;
}

/**
 * As {@link formatRun}, part by part, because a long run has no room in one string. All ids have been checked
 * before the first part.
 *
 * @throws InputError `ARGUMENT` for an id that the format cannot hold.
 */
export function runParts(run: ScoredRun, format: WrittenFormat, name = "run"): Iterable<string> {
  const mapped = function* <T>(of: (row: RunRow) => T): Iterable<T> {
    for (const [query, { ids, scores }] of run)
      for (let i = 0; i < ids.length; i++)
        yield of({ query, id: ids[i] as string, rank: i + 1, score: scores[i] as number });
  };
  const perQuery = function* <T>(
    of: (query: string, hits: readonly (readonly [id: string, score: number])[]) => T,
  ): Iterable<T> {
    for (const [query, { ids, scores }] of run)
      yield of(
        query,
        ids.map((id, index) => [id, scores[index] as number] as const),
      );
  };
  switch (format) {
    case "trec": {
      for (const [query, { ids }] of run)
        for (const id of [trecField(query, "query id"), ...ids]) trecField(id, "item id");
      const tag = name.replace(/\s+/g, "_");
      return eachLine(mapped(({ query, id, rank, score }) => `${query} Q0 ${id} ${rank} ${score} ${tag}`));
    }
    case "csv":
    case "tsv":
      return eachLine(
        tableLines(
          ["query_id", "doc_id", "rank", "score"],
          mapped(({ query, id, rank, score }) => [query, id, rank, score]),
          format,
        ),
      );
    case "jsonl":
      return eachLine(
        mapped(({ query, id, rank, score }) => JSON.stringify({ query_id: query, doc_id: id, rank, score })),
      );
    case "json":
      return nestedJson(perQuery((query, hits) => [query, hits] as const));
    case "rank_eval":
      return wrapped(
        '{"details": {',
        perQuery((query, list) => {
          const hits = list.map(([_id, _score]) => ({ hit: { _id, _score }, rating: null }));
          return `${JSON.stringify(query)}: ${JSON.stringify({ hits })}`;
        }),
        "\n}}\n",
      );
    case "rankproof":
      return eachLine(
        perQuery((query_id, hits) =>
          JSON.stringify({
            query_id,
            hits_top_k: hits.map(([id, score], index) => ({
              rank: index + 1,
              chunk_id: id,
              doc_id: id,
              score,
            })),
          }),
        ),
      );
  }
}

function* tableLines(
  header: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  format: "csv" | "tsv",
): Iterable<string> {
  const separator = format === "csv" ? "," : "\t";
  const line = (row: readonly (string | number)[]): string =>
    row.map((value) => csvField(value, separator)).join(separator);
  yield line(header);
  for (const row of rows) yield line(row);
}

/**
 * Judgments as text. Reading it back gives the same judgments. `tsv` is BEIR's form, `rankproof` a golden set
 * in JSONL.
 *
 * @param texts of queries by id, for the golden set; a query without one is called by its id.
 * @throws InputError `ARGUMENT` for an id that the format cannot hold.
 */
export function formatQrels(
  judgments: readonly Qrel[],
  format: WrittenFormat,
  texts: ReadonlyMap<string, string> = new Map(),
): string {
  const hasSubtopics = judgments.some(({ subtopic }) => subtopic !== undefined);
  const byQuery = groupedBy(judgments, ({ query_id }) => query_id);
  if (hasSubtopics && !["trec", "csv", "jsonl"].includes(format))
    throw new InputError("ARGUMENT", `${format} cannot hold judgments by subtopic; write trec, csv or jsonl`);
  switch (format) {
    case "trec":
      return lines(
        judgments.map(
          ({ query_id, doc_id, grade, subtopic = "0" }) =>
            `${trecField(query_id, "query id")} ${trecField(subtopic, "subtopic")} ` +
            `${trecField(doc_id, "item id")} ${grade}`,
        ),
      );
    case "csv":
      return lines(
        tableLines(
          ["query_id", ...(hasSubtopics ? ["subtopic"] : []), "doc_id", "grade"],
          judgments.map(({ query_id, doc_id, grade, subtopic = "" }) => [
            query_id,
            ...(hasSubtopics ? [subtopic] : []),
            doc_id,
            grade,
          ]),
          "csv",
        ),
      );
    case "tsv":
      return lines(
        tableLines(
          ["query-id", "corpus-id", "score"],
          judgments.map(({ query_id, doc_id, grade }) => [query_id, doc_id, grade]),
          "tsv",
        ),
      );
    case "jsonl":
      return lines(
        judgments.map(({ query_id, doc_id, grade, subtopic }) =>
          JSON.stringify({ query_id, ...(subtopic !== undefined && { subtopic }), doc_id, grade }),
        ),
      );
    case "json":
      return [
        ...nestedJson(
          [...byQuery].map(
            ([query, list]) => [query, list.map(({ doc_id, grade }) => [doc_id, grade] as const)] as const,
          ),
        ),
      ].join("");
    case "rank_eval": {
      const requests = [...byQuery].map(([id, list]) => ({
        id,
        request: {},
        ratings: list.map(({ doc_id, grade }) => ({ _index: "", _id: doc_id, rating: grade })),
      }));
      const metric = { dcg: { k: 10, normalize: true } };
      return `${JSON.stringify({ requests, metric }, null, 2)}\n`;
    }
    case "rankproof":
      return lines(
        [...byQuery].map(([id, list]) =>
          JSON.stringify({
            id,
            query: texts.get(id) ?? id,
            judgments: list.map(({ doc_id, grade }) => ({ doc_id, grade })),
          }),
        ),
      );
  }
}

/**
 * Hits with `features` as LETOR (SVMlight) lines, `grade qid:query 1:value … # item`, for training a ranker.
 * Features are numbered by name; the first line names them. Hits that nobody judged are left out.
 */
export function formatLetor(run: EvalRun, judgments: readonly Qrel[]): string {
  const grades = new Map(
    judgments.map(({ query_id, doc_id, grade }) => [JSON.stringify([query_id, doc_id]), grade]),
  );
  const names = [
    ...new Set(
      run.results.flatMap(({ hits_top_k }) =>
        hits_top_k.flatMap(({ features }) => Object.keys(features ?? {})),
      ),
    ),
  ].sort();
  const numbered = names.map((name, index) => `${index + 1}=${name.replace(/[\r\n]/g, " ")}`);
  const header = `# features: ${numbered.join(" ")}`;
  const rows = run.results.flatMap(({ query_id, hits_top_k }) =>
    hits_top_k.flatMap(({ doc_id, features }) => {
      const grade = grades.get(JSON.stringify([query_id, doc_id]));
      if (grade === undefined || features === undefined || features === null) return [];
      const values = new Map(Object.entries(features));
      const pairs = names.flatMap((name, index) => {
        const value = values.get(name);
        return value === undefined ? [] : [`${index + 1}:${value}`];
      });
      const comment = `# ${doc_id.replace(/[\r\n]/g, " ")}`;
      return [[grade, `qid:${trecField(query_id, "query id")}`, pairs.join(" "), comment].join(" ")];
    }),
  );
  if (rows.length === 0)
    throw new InputError(
      "ARGUMENT",
      "no judged hit has `features`; LETOR lines are made from hits with features and judgments",
    );
  return lines([header, ...rows]);
}
