import type { Assessment, LabelItem, Rater } from "../../records/index.js";
import { jsonText } from "../eval-store.js";
import {
  raterAsked,
  checkAssessments,
  checkScores,
  checkAssessmentSearch,
  FILTER_FIELDS,
  listNamedFields,
  queryGroups,
  type AssessedQuery,
  type AssessmentFilter,
  type AssessmentSearch,
  type Forgotten,
  type KeptCorpus,
  type LabelStore,
} from "../labels/label-store.js";
import { insertAssessments, insertQueries, insertSubjects, rowOf, sortByKey } from "./insert-assessments.js";
import {
  PostgresDatabase,
  type PostgresConnection,
  type PostgresOptions,
  type PostgresRow,
} from "./postgres-database.js";
import { unescapeText, keyOf, escapeText } from "./escape-text.js";
import { parseJson } from "../../foundation/text/index.js";

/** Rows that are in memory at once, beside what is made of them. */
const PAGE = 20_000;

/** More assessments take long enough to commit their queries and raters first. */
const MOST_AT_ONCE = 1000;

/** What {@link LabelStore.forget} removes from. */
const FORGETTING = [
  "assessments",
  "queries",
  "raters",
  "profiles",
  "builds",
  "scores",
  "documents",
  "corpora",
];

/**
 * Opens a label store in a schema of a PostgreSQL database, as {@link postgresStore} opens one of runs; both
 * may be in the same schema. Many people, processes and machines may use it at once.
 *
 * @throws InputError AdapterError as {@link postgresStore}
 */
// eslint-disable-next-line max-lines-per-function -- its methods share what it closes over
export async function postgresLabelStore(options: PostgresOptions): Promise<LabelStore> {
  const database = await PostgresDatabase.open(options, "labels");
  const readKept = async (table: string, key: string): Promise<unknown> => {
    const [row] = await database.read(
      (db) => db.rows(`SELECT json FROM @${table} WHERE key = $1`, [key]),
      [],
    );
    return row && parseJson(String(row["json"]));
  };
  const keep = async (table: string, texts: readonly string[], json: string): Promise<void> => {
    const kept =
      `INSERT INTO @${table} VALUES ($1, $2, $3, $4, $5) ` +
      "ON CONFLICT (key) DO UPDATE SET json = excluded.json";
    await database.write((db) => db.rows(kept, [keyOf(...texts), ...texts.map(escapeText), json]));
  };
  return {
    async add(assessments) {
      checkAssessments(assessments);
      const rows = assessments.map(rowOf);
      // What another one adds of the same query, or by the same rater, would wait for all of these.
      if (rows.length > MOST_AT_ONCE) await database.write((db) => insertSubjects(db, rows));
      await database.write((db) => insertAssessments(db, rows));
    },
    async find(filter = {}) {
      checkAssessmentSearch(filter);
      return database.read((db) => assessmentsIn(db, filter), []);
    },
    async queries() {
      const all =
        "SELECT tenant, query FROM @queries AS q JOIN LATERAL (SELECT min(id) AS first FROM @assessments " +
        "WHERE query_id = q.id) AS a ON first IS NOT NULL ORDER BY first";
      return (await database.read((db) => db.rows(all), [])).map(readAssessedQuery);
    },
    async raters() {
      const all =
        "SELECT rater_json FROM (SELECT DISTINCT ON (identity) rater_json, said FROM @raters AS r " +
        "JOIN LATERAL (SELECT max(id) AS said FROM @assessments WHERE rater_id = r.id) AS a " +
        "ON said IS NOT NULL ORDER BY identity, said DESC) AS latest ORDER BY said";
      const rows = await database.read((db) => db.rows(all), []);
      return rows.map((row) => raterAsked(parseJson(String(row["rater_json"])) as Rater));
    },
    profile: ({ tenant, query, rater }) => readKept("profiles", keyOf(tenant, query, rater)),
    async keepProfile({ tenant, query, rater }, profile) {
      await keep("profiles", [tenant, query, rater], jsonText(profile, "a profile"));
    },
    async scores({ tenant, query, reranker }) {
      const all =
        "SELECT item, score, text_hash FROM @scores WHERE reranker = $2 AND " +
        "query_id = (SELECT id FROM @queries WHERE key = $1)";
      const rows = await database.read((db) => db.rows(all, [keyOf(tenant, query), keyOf(reranker)]), []);
      return rows.map((row) => ({
        item: unescapeText(row["item"]),
        score: Number(row["score"]),
        textHash: Number(row["text_hash"]),
      }));
    },
    async keepScores({ tenant, query, reranker }, scores) {
      checkScores(scores);
      // Of one item that is there twice, the last; in one order, so that no two calls wait for each other.
      const latest = sortByKey(new Map(scores.map((each) => [keyOf(each.item), each])));
      await database.write(async (db) => {
        await insertQueries(db, [[tenant, query]]);
        await db.each(
          "INSERT INTO @scores SELECT q.id, $2, s.* FROM @queries AS q, " +
            "unnest($3::uuid[], $4::text[], $5::float8[], $6::bigint[]) AS s WHERE q.key = $1 " +
            "ON CONFLICT (query_id, reranker, item_key) DO UPDATE SET score = excluded.score, " +
            "text_hash = excluded.text_hash",
          latest,
          ([key, { item, score, textHash }]) => [key, escapeText(item), score, textHash],
          [keyOf(tenant, query), keyOf(reranker)],
        );
      });
    },
    build: ({ tenant, dataset, labeler }) => readKept("builds", keyOf(tenant, dataset, labeler)),
    async keepBuild({ tenant, dataset, labeler }, build) {
      await keep("builds", [tenant, dataset, labeler], jsonText(build, "a build"));
    },
    corpus: ({ tenant, source }) => database.read((db) => corpusIn(db, keyOf(tenant, source)), undefined),
    async keepCorpus({ tenant, source }, { items, ...about }) {
      const json = jsonText(about, "a corpus");
      const fields = items.map((item) => jsonText(item.fields, "an item"));
      const key = keyOf(tenant, source);
      await database.write(async (db) => {
        const [corpus] = await db.rows(
          "INSERT INTO @corpora(key, tenant, source, about_json) VALUES ($1, $2, $3, $4) ON CONFLICT (key) " +
            "DO UPDATE SET about_json = excluded.about_json RETURNING id",
          [key, escapeText(tenant), escapeText(source), json],
        );
        await db.rows("DELETE FROM @documents WHERE corpus_id = $1", [corpus?.["id"]]);
        await db.each(
          "INSERT INTO @documents SELECT $1::bigint, * FROM unnest($2::int[], $3::text[], $4::text[])",
          items,
          ({ id }, place) => [place, escapeText(id), fields[place] ?? ""],
          [corpus?.["id"]],
        );
      });
    },
    claim: (name) => database.claim(name),
    async forget(filter, at) {
      const by = listNamedFields(filter);
      const note = await database.write(async (db) => {
        const note: Forgotten = { at, by, assessments: await forgetIn(db, filter) };
        await db.rows("INSERT INTO @forgotten(note_json) VALUES ($1)", [JSON.stringify(note)]);
        return note;
      }, true);
      await database.compact(FORGETTING);
      return note;
    },
    async forgotten() {
      const rows = await database.read((db) => db.rows("SELECT note_json FROM @forgotten ORDER BY id"), []);
      return rows.map((row) => parseJson(String(row["note_json"])) as Forgotten);
    },
    close: () => database.close(),
  };
}

/** Rows by their ids. */
async function byId(
  db: PostgresConnection,
  statement: string,
  values: readonly unknown[],
): Promise<ReadonlyMap<unknown, PostgresRow>> {
  return new Map((await db.rows(statement, values)).map((row) => [row["id"], row]));
}

/** What fits, in the order in which it was added. Queries and raters come once. */
async function assessmentsIn(
  db: PostgresConnection,
  { queries, ...filter }: AssessmentSearch,
): Promise<Assessment[]> {
  const of = conditionOf(filter, ["tenant", "query"]);
  const raters = conditionOf(filter, ["rater"]);
  const raterOf = await byId(db, `SELECT id, rater_json FROM @raters${raters.where}`, raters.values);
  const rated = {
    raters: new Map([...raterOf].map(([id, row]) => [id, parseJson(String(row["rater_json"])) as Rater])),
    isAll: raters.where === "",
    item: filter.item,
  };
  const all = `SELECT id, tenant, query FROM @queries${of.where}`;
  if (queries === undefined) {
    const texts = await byId(db, all, of.values);
    return (await pagesOf(db, texts, rated, of.where === "", filter.query !== undefined)).map(
      ([, one]) => one,
    );
  }
  const found: Found[] = [];
  for (const group of queryGroups(queries)) {
    const some = `${all}${of.where === "" ? " WHERE" : " AND"} query = ANY($${of.values.length + 1}::text[])`;
    const texts = await byId(db, some, [...of.values, group.map(escapeText)]);
    // As arguments of one call they would be too many.
    for (const each of await pagesOf(db, texts, rated, false, true)) found.push(each);
  }
  return found.sort(([a], [b]) => a - b).map(([, one]) => one);
}

type Found = readonly [id: number, assessment: Assessment];

/** Assessments of queries, page by page where they are many: as rows they are larger than as assessments. */
async function pagesOf(
  db: PostgresConnection,
  queries: ReadonlyMap<unknown, PostgresRow>,
  rated: {
    readonly raters: ReadonlyMap<unknown, Rater>;
    readonly isAll: boolean;
    readonly item: string | undefined;
  },
  isEveryQuery: boolean,
  areFew: boolean,
): Promise<Found[]> {
  if (queries.size === 0 || rated.raters.size === 0) return [];
  const texts = new Map([...queries].map(([id, row]) => [id, readAssessedQuery(row)]));
  const conditions: string[] = [];
  const values: unknown[] = [];
  const among = (condition: string, value: unknown): void => {
    values.push(value);
    conditions.push(condition.replace("$", `$${values.length}`));
  };
  if (!areFew) among("id > $", 0);
  if (!isEveryQuery) among("query_id = ANY($::bigint[])", [...texts.keys()]);
  if (!rated.isAll) among("rater_id = ANY($::bigint[])", [...rated.raters.keys()]);
  if (rated.item !== undefined) among("item = $", escapeText(rated.item));
  // Asked for an order, the server may look through all there are for the few of some queries.
  const page = areFew ? "" : ` ORDER BY id LIMIT ${PAGE}`;
  const statement =
    "SELECT id, query_id, rater_id, item, said_json FROM @assessments WHERE " +
    `${conditions.join(" AND ")}${page}`;
  const found: Found[] = [];
  for (let rows: PostgresRow[] | undefined; rows === undefined || rows.length === PAGE;) {
    rows = await db.rows(statement, values);
    for (const row of rows)
      found.push([
        Number(row["id"]),
        assessmentIn(row, texts.get(row["query_id"]), rated.raters.get(row["rater_id"])),
      ]);
    if (areFew) break;
    values[0] = rows.at(-1)?.["id"];
  }
  return areFew ? found.sort(([a], [b]) => a - b) : found;
}

/** Set into what JSON made, not spread with it: that takes a third of the time. */
function assessmentIn(
  { item, said_json }: PostgresRow,
  query: AssessedQuery | undefined,
  rater: Rater | undefined,
): Assessment {
  const said = parseJson(
    `{"tenant":"","query":"","item":"",${String(said_json).slice(1)}`,
  ) as Mutable<Assessment>;
  said.tenant = query?.tenant ?? "";
  said.query = query?.query ?? "";
  said.item = unescapeText(item);
  said.rater = rater as Rater;
  return said;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function readAssessedQuery(row: PostgresRow): AssessedQuery {
  return { tenant: unescapeText(row["tenant"]), query: unescapeText(row["query"]) };
}

async function corpusIn(db: PostgresConnection, key: string): Promise<KeptCorpus | undefined> {
  const [corpus] = await db.rows("SELECT id, about_json FROM @corpora WHERE key = $1", [key]);
  if (corpus === undefined) return undefined;
  const rows = await db.rows("SELECT item, fields_json FROM @documents WHERE corpus_id = $1 ORDER BY place", [
    corpus["id"],
  ]);
  return {
    ...(parseJson(String(corpus["about_json"])) as Omit<KeptCorpus, "items">),
    items: rows.map(({ item, fields_json }) => ({
      id: unescapeText(item),
      fields: parseJson(String(fields_json)) as LabelItem["fields"],
    })),
  };
}

/** @returns how many assessments it were. */
async function forgetIn(db: PostgresConnection, filter: AssessmentFilter): Promise<number> {
  const isNamed = (field: keyof AssessmentFilter): boolean => filter[field] !== undefined;
  const all = conditionOf(filter, FILTER_FIELDS);
  const [gone] = await db.rows(
    "WITH gone AS (DELETE FROM @assessments WHERE id IN (SELECT a.id FROM @assessments AS a " +
      `JOIN @queries AS q ON q.id = query_id JOIN @raters AS r ON r.id = rater_id${all.where}) ` +
      "RETURNING 1) SELECT count(*) AS count FROM gone",
    all.values,
  );
  if (!isNamed("item")) await db.rows(`DELETE FROM @profiles${all.where}`, all.values);
  const ofTenant = conditionOf(filter, ["tenant"]);
  if (!isNamed("query") && !isNamed("item") && !isNamed("rater"))
    await db.rows(`DELETE FROM @builds${ofTenant.where}`, ofTenant.values);
  const { item } = filter;
  const ofItem = (values: readonly string[]): readonly [and: string, values: readonly string[]] =>
    item === undefined ? ["", values] : [` AND item = $${values.length + 1}`, [...values, escapeText(item)]];
  if (!isNamed("rater")) {
    const queries = conditionOf(filter, ["tenant", "query"]);
    const [and, values] = ofItem(queries.values);
    await db.rows(
      `DELETE FROM @scores WHERE query_id IN (SELECT id FROM @queries${queries.where})${and}`,
      values,
    );
  }
  if (!isNamed("rater") && !isNamed("query")) {
    const [and, values] = ofItem(ofTenant.values);
    await db.rows(
      item === undefined
        ? `DELETE FROM @corpora${ofTenant.where}`
        : `DELETE FROM @documents WHERE corpus_id IN (SELECT id FROM @corpora${ofTenant.where})${and}`,
      values,
    );
  }
  await db.rows(
    "DELETE FROM @queries AS q WHERE NOT EXISTS (SELECT FROM @assessments WHERE query_id = q.id) " +
      "AND NOT EXISTS (SELECT FROM @scores WHERE query_id = q.id)",
  );
  await db.rows("DELETE FROM @raters AS r WHERE NOT EXISTS (SELECT FROM @assessments WHERE rater_id = r.id)");
  return Number(gone?.["count"]);
}

/** The column of each field of a filter. */
const COLUMNS = { tenant: "tenant", query: "query", item: "item", rater: "identity" } as const;

function conditionOf(
  filter: AssessmentFilter,
  among: readonly (keyof AssessmentFilter)[],
): { readonly where: string; readonly values: readonly string[] } {
  const fields = among.filter((field) => filter[field] !== undefined);
  const where = fields.map((field, at) => `${COLUMNS[field]} = $${at + 1}`).join(" AND ");
  return {
    where: where === "" ? "" : ` WHERE ${where}`,
    values: fields.map((field) => escapeText(filter[field] as string)),
  };
}
