import { raterId, type Assessment, type LabelItem, type Rater } from "../../records/index.js";
import { AdapterError } from "../../foundation/errors/index.js";
import { jsonText } from "../eval-store.js";
import type { Row, SqlConnection, SqlValue } from "../sqlite/connection.js";
import { ASSESSED, conditionOf, forgetCorpora, forgetIn } from "./forget-labels.js";
import { backUpOf, bringUpToDate, LABEL_SCHEMA, labelSchemaOf, type LabelDatabase } from "./label-schema.js";
import {
  raterAsked,
  checkAssessments,
  checkScores,
  checkAssessmentSearch,
  FILTER_FIELDS,
  listNamedFields,
  queryGroups,
  type Forgotten,
  type KeptCorpus,
  type LabelStore,
  type ScoresKey,
} from "./label-store.js";
import { parseJson } from "../../foundation/text/index.js";

/** What an assessment is made of. */
const ASSESSMENT = "tenant, query, item, rater_json, said_json";

/**
 * A label store on a database of its own.
 *
 * @throws InputError `STORE_SCHEMA` for a database of another kind, or of a newer version.
 */
// eslint-disable-next-line max-lines-per-function -- its methods share what it closes over
export async function sqliteLabelStore(database: LabelDatabase): Promise<LabelStore> {
  const versionIn = (db: SqlConnection): number => labelSchemaOf(db, database.name);
  /** What a file of an older version, or none, does not have is empty. */
  const read = <T>(look: (db: SqlConnection) => T, empty: T, since = 1): Promise<T> =>
    database.read((db) => (versionIn(db) >= since ? look(db) : empty));
  // A file that is no label store is refused now, not at the first call.
  let version = await database.read(versionIn);
  const write = async <T>(change: (db: SqlConnection) => T): Promise<T> => {
    if (version > 0 && version < LABEL_SCHEMA) await backUpOf(database, version);
    const changed = await database.write((db) => {
      bringUpToDate(db, versionIn(db));
      return change(db);
    });
    version = LABEL_SCHEMA;
    return changed;
  };
  return {
    async add(assessments) {
      checkAssessments(assessments);
      const rows = assessments.map(rowOf);
      await write((db) => insertAssessments(db, rows));
    },
    async find(filter = {}) {
      checkAssessmentSearch(filter);
      const { where, values } = conditionOf(filter, FILTER_FIELDS);
      const { query, queries } = filter;
      const rows: ReadRows = (look) => read(look, []);
      if (queries !== undefined) return assessmentsOf(rows, queries, where, values);
      if (query === undefined) return allAssessments(rows, where, values);
      return (await rows((db) => rowsOfQuery(db, where, values))).map(assessmentReader());
    },
    async queries() {
      const query =
        "SELECT tenant, query FROM queries WHERE id IN (SELECT query_id FROM assessments) ORDER BY " +
        "(SELECT min(assessments.id) FROM assessments WHERE query_id = queries.id)";
      return read(
        (db) =>
          db.rows(query).map(({ tenant, query }) => ({ tenant: tenant as string, query: query as string })),
        [],
      );
    },
    async raters() {
      const query = "SELECT rater_json, max(latest) AS said FROM raters GROUP BY identity ORDER BY said";
      return read(
        (db) => db.rows(query).map((row) => raterAsked(parseJson(row["rater_json"] as string) as Rater)),
        [],
      );
    },
    async profile({ tenant, query, rater }) {
      return read((db) => readKept(db, "profiles", [tenant, query, rater]), undefined);
    },
    async keepProfile({ tenant, query, rater }, profile) {
      const json = jsonText(profile, "a profile");
      await write((db) => keepIn(db, "profiles", [[tenant, query, rater, json]]));
    },
    async scores({ tenant, query, reranker }) {
      return read(
        (db) =>
          db
            .rows(
              "SELECT item, score, text_hash FROM rerank_scores JOIN items ON items.id = item_id WHERE " +
                `${SCORED_QUERY} AND reranker_id = (SELECT id FROM rerankers WHERE reranker = ?)`,
              [tenant, query, reranker],
            )
            .map(({ item, score, text_hash }) => ({
              item: item as string,
              score: score as number,
              textHash: text_hash as number,
            })),
        [],
        2,
      );
    },
    async keepScores(key, scores) {
      checkScores(scores);
      const rows = scores.map(({ item, score, textHash }) => [item, score, textHash] as const);
      await write((db) => insertScores(db, key, rows));
    },
    async build({ tenant, dataset, labeler }) {
      return read((db) => readKept(db, "builds", [tenant, dataset, labeler]), undefined, 2);
    },
    async keepBuild({ tenant, dataset, labeler }, build) {
      const json = jsonText(build, "a build");
      await write((db) => keepIn(db, "builds", [[tenant, dataset, labeler, json]]));
    },
    async corpus({ tenant, source }) {
      return read(
        (db) => {
          const [corpus] = db.rows("SELECT id, about_json FROM corpora WHERE tenant = ? AND source = ?", [
            tenant,
            source,
          ]);
          if (corpus === undefined) return undefined;
          const items = db
            .rows("SELECT item, fields_json FROM documents WHERE corpus_id = ? ORDER BY place", [
              corpus["id"] as number,
            ])
            .map(({ item, fields_json }) => ({
              id: item as string,
              fields: parseJson(fields_json as string) as LabelItem["fields"],
            }));
          return { ...(parseJson(corpus["about_json"] as string) as Omit<KeptCorpus, "items">), items };
        },
        undefined,
        2,
      );
    },
    async keepCorpus({ tenant, source }, { items, ...about }) {
      const json = jsonText(about, "a corpus");
      const rows = items.map(({ id, fields }) => [id, jsonText(fields, "an item")] as const);
      await write((db) => {
        forgetCorpora(db, " WHERE tenant = ? AND source = ?", [tenant, source]);
        db.runEach("INSERT INTO corpora(tenant, source, about_json) VALUES (?, ?, ?)", [
          [tenant, source, json],
        ]);
        db.runEach(
          "INSERT INTO documents VALUES ((SELECT max(id) FROM corpora), ?, ?, ?)",
          rows.map(([item, fields], place) => [place, item, fields]),
        );
      });
    },
    claim: (name) => database.claim(name),
    async forget(filter, at) {
      const by = listNamedFields(filter);
      // Where the file cannot be written anew, as on a full disk, nothing is changed.
      await database.compact();
      // An older file is brought up to date first: the copy of it goes, too, before its labels do. Whoever is
      // killed in between does it again.
      await write(() => undefined);
      await database.removeBackUps();
      const note = await write((db) => {
        // What is removed is overwritten with zeros.
        db.exec("PRAGMA secure_delete = ON");
        const note: Forgotten = { at, by, assessments: forgetIn(db, filter) };
        db.runEach("INSERT INTO forgotten(note_json) VALUES (?)", [[JSON.stringify(note)]]);
        return note;
      });
      try {
        await database.compact();
      } catch (cause) {
        throw new AdapterError(
          "STORE_WRITE",
          `${database.name}: the labels are gone, but the file could not be written anew, and pieces of ` +
            "their texts may be in it; that needs as much free space as it has: make room, and " +
            "run `rankproof label forget --query -`, which does it",
          { path: database.name },
          cause,
        );
      }
      return note;
    },
    async forgotten() {
      return read(
        (db) =>
          db
            .rows("SELECT note_json FROM forgotten ORDER BY id")
            .map((row) => parseJson(row["note_json"] as string) as Forgotten),
        [],
      );
    },
    async close() {
      database.close();
    },
  };
}

/** Tables of JSON under a key of three texts. */
type Shelf = "profiles" | "builds";

const SHELVES = {
  profiles: { key: "tenant = ? AND query = ? AND identity = ?", json: "profile_json" },
  builds: { key: "tenant = ? AND dataset = ? AND labeler = ?", json: "build_json" },
} as const;

function readKept(db: SqlConnection, shelf: Shelf, key: readonly string[]): unknown {
  const { key: where, json } = SHELVES[shelf];
  const [row] = db.rows(`SELECT ${json} FROM ${shelf} WHERE ${where}`, key);
  return row === undefined ? undefined : parseJson(row[json] as string);
}

function keepIn(db: SqlConnection, shelf: Shelf, rows: readonly (readonly string[])[]): void {
  db.runEach(`INSERT OR REPLACE INTO ${shelf} VALUES (?, ?, ?, ?)`, rows);
}

/** What is written of one assessment. */
interface AssessmentRow {
  readonly tenant: string;
  readonly query: string;
  readonly item: string;
  readonly identity: string;
  readonly rater: string;
  readonly said: string;
}

function rowOf({ tenant, query, item, rater, ...said }: Assessment): AssessmentRow {
  const json = (part: unknown): string => jsonText(part, "an assessment");
  return { tenant, query, item, identity: raterId(rater), rater: json(rater), said: json(said) };
}

/** Of one query, in the order in which they were said. */
function rowsOfQuery(db: SqlConnection, where: string, values: readonly SqlValue[]): Row[] {
  return db.rows(`SELECT ${ASSESSMENT} FROM ${ASSESSED}${where} ORDER BY assessments.id`, values);
}

/**
 * Reads rows in a transaction of their own. A million assessments are read in many: those who label get at
 * the file in between, and rows, which are larger than assessments, are few at a time.
 */
type ReadRows = (look: (db: SqlConnection) => Row[]) => Promise<Row[]>;

/** Assessments of several queries, by the index of queries. */
async function assessmentsOf(
  read: ReadRows,
  queries: readonly string[],
  where: string,
  values: readonly SqlValue[],
): Promise<Assessment[]> {
  const assessmentOf = assessmentReader();
  const found: (readonly [id: number, assessment: Assessment])[] = [];
  const and = where === "" ? " WHERE" : `${where} AND`;
  const among = `${and} query_id IN (SELECT id FROM queries WHERE query IN `;
  for (const group of queryGroups(queries)) {
    const places = group.map(() => "?").join(", ");
    const statement = `SELECT assessments.id AS id, ${ASSESSMENT} FROM ${ASSESSED}${among}(${places}))`;
    const rows = await read((db) => db.rows(statement, [...values, ...group]));
    for (const row of rows) found.push([row["id"] as number, assessmentOf(row)]);
  }
  return found.sort(([a], [b]) => a - b).map(([, assessment]) => assessment);
}

const PAGE = 20_000;

/** Assessments of all queries, page by page. What is added meanwhile comes after the rest. */
async function allAssessments(
  read: ReadRows,
  where: string,
  values: readonly SqlValue[],
): Promise<Assessment[]> {
  const assessmentOf = assessmentReader();
  const found: Assessment[] = [];
  const after = `${where === "" ? " WHERE" : `${where} AND`} assessments.id > ?`;
  const statement =
    `SELECT assessments.id AS id, ${ASSESSMENT} FROM ${ASSESSED}${after} ` +
    `ORDER BY assessments.id LIMIT ${PAGE}`;
  for (let last: SqlValue = -1; ;) {
    const from = last;
    const rows = await read((db) => db.rows(statement, [...values, from]));
    for (const row of rows) found.push(assessmentOf(row));
    if (rows.length < PAGE) return found;
    last = rows.at(-1)?.["id"] ?? last;
  }
}

/** Reads rows, of which many have the same query and rater: these are there once. */
function assessmentReader(): (row: Row) => Assessment {
  const raters = new Map<SqlValue | undefined, Rater>();
  const texts = new Map<SqlValue | undefined, string>();
  const shareText = (text: SqlValue | undefined): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text as string);
    return known ?? (text as string);
  };
  return ({ tenant, query, item, rater_json, said_json }) => {
    const rater = raters.get(rater_json) ?? (parseJson(rater_json as string) as Rater);
    raters.set(rater_json, rater);
    return {
      tenant: shareText(tenant),
      query: shareText(query),
      item,
      ...(parseJson(said_json as string) as object),
      rater,
    } as Assessment;
  };
}

function insertAssessments(db: SqlConnection, rows: readonly AssessmentRow[]): void {
  const once = (lists: readonly (readonly SqlValue[])[]): (readonly SqlValue[])[] => [
    ...new Map(lists.map((list) => [JSON.stringify(list), list])).values(),
  ];
  db.runEach(
    "INSERT OR IGNORE INTO queries(tenant, query) VALUES (?, ?)",
    once(rows.map(({ tenant, query }) => [tenant, query])),
  );
  db.runEach(
    "INSERT OR IGNORE INTO raters(identity, rater_json) VALUES (?, ?)",
    once(rows.map(({ identity, rater }) => [identity, rater])),
  );
  db.runEach(
    "INSERT INTO assessments(query_id, item, rater_id, said_json) VALUES (" +
      "(SELECT id FROM queries WHERE tenant = ? AND query = ?), ?, " +
      "(SELECT id FROM raters WHERE rater_json = ?), ?)",
    rows.map(({ tenant, query, item, rater, said }) => [tenant, query, item, rater, said]),
  );
  const newest = new Map(rows.map(({ rater }, at) => [rater, rows.length - 1 - at]));
  db.runEach(
    "UPDATE raters SET latest = (SELECT max(id) FROM assessments) - ? WHERE rater_json = ?",
    [...newest].map(([rater, before]) => [before, rater]),
  );
}

function insertScores(
  db: SqlConnection,
  { tenant, query, reranker }: ScoresKey,
  rows: readonly (readonly [item: string, score: number, textHash: number])[],
): void {
  db.runEach("INSERT OR IGNORE INTO queries(tenant, query) VALUES (?, ?)", [[tenant, query]]);
  db.runEach("INSERT OR IGNORE INTO rerankers(reranker) VALUES (?)", [[reranker]]);
  db.runEach(
    "INSERT OR IGNORE INTO items(item) VALUES (?)",
    rows.map(([item]) => [item]),
  );
  const [ids] = db.rows(
    "SELECT queries.id AS query_id, rerankers.id AS reranker_id FROM queries, rerankers " +
      "WHERE tenant = ? AND query = ? AND reranker = ?",
    [tenant, query, reranker],
  );
  const { query_id, reranker_id } = ids as Readonly<Record<string, number>>;
  db.runEach(
    `INSERT OR REPLACE INTO rerank_scores VALUES (${query_id}, ${reranker_id}, ` +
      "(SELECT id FROM items WHERE item = ?), ?, ?)",
    rows,
  );
}

/** The query of a score; its tenant and text are the first parameters. */
const SCORED_QUERY = "query_id = (SELECT id FROM queries WHERE tenant = ? AND query = ?)";
