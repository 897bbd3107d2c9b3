import { InputError } from "../../foundation/errors/index.js";
import { has, type SqlConnection } from "../sqlite/connection.js";

/** A database that one label store works on. */
export interface LabelDatabase {
  /** As messages name it: a file's path. */
  readonly name: string;
  /** Runs `look` on the newest state. */
  read<T>(look: (db: SqlConnection) => T): Promise<T>;
  /** Runs `change` in one transaction; when anything fails, nothing has changed. It may run again. */
  write<T>(change: (db: SqlConnection) => T): Promise<T>;
  /** Rewrites all of it without what was removed: pages keep pieces of rows that moved between them. */
  compact(): Promise<void>;
  /**
   * Keeps a copy of all of it where the database is as `isWanted` says, at the same moment.
   *
   * @param suffix of the copy's name: `.v1.bak`.
   */
  backUp(suffix: string, isWanted: (db: SqlConnection) => boolean): Promise<void>;
  /** Removes the copies that {@link backUp} has kept. */
  removeBackUps(): Promise<void>;
  /** As that of {@link LabelStore}. */
  claim(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Further calls fail with `STORE_CLOSED`. */
  close(): void;
}

/** `RKLB`: what tells a label store from every other database. */
const APPLICATION_ID = 0x524b4c42;

/**
 * What each version added to the one before; a new file is made by all of them. Queries, raters, items and
 * rerankers stand once each: of a million assessments there are a few hundred.
 */
const VERSIONS = [
  `
CREATE TABLE queries(
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  query TEXT NOT NULL,
  UNIQUE(tenant, query)
);
CREATE TABLE raters(
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL,
  rater_json TEXT NOT NULL UNIQUE,
  latest INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE assessments(
  id INTEGER PRIMARY KEY,
  query_id INTEGER NOT NULL REFERENCES queries(id),
  item TEXT NOT NULL,
  rater_id INTEGER NOT NULL REFERENCES raters(id),
  said_json TEXT NOT NULL
);
CREATE INDEX assessments_by_query ON assessments(query_id, item);
CREATE TABLE profiles(
  tenant TEXT NOT NULL,
  query TEXT NOT NULL,
  identity TEXT NOT NULL,
  profile_json TEXT NOT NULL,
  PRIMARY KEY(tenant, query, identity)
);
CREATE TABLE forgotten(id INTEGER PRIMARY KEY, note_json TEXT NOT NULL);`,
  `
CREATE TABLE items(id INTEGER PRIMARY KEY, item TEXT NOT NULL UNIQUE);
CREATE TABLE rerankers(id INTEGER PRIMARY KEY, reranker TEXT NOT NULL UNIQUE);
CREATE TABLE rerank_scores(
  query_id INTEGER NOT NULL REFERENCES queries(id),
  reranker_id INTEGER NOT NULL REFERENCES rerankers(id),
  item_id INTEGER NOT NULL REFERENCES items(id),
  score REAL NOT NULL,
  text_hash INTEGER NOT NULL,
  PRIMARY KEY(query_id, reranker_id, item_id)
) WITHOUT ROWID;
CREATE TABLE builds(
  tenant TEXT NOT NULL,
  dataset TEXT NOT NULL,
  labeler TEXT NOT NULL,
  build_json TEXT NOT NULL,
  PRIMARY KEY(tenant, dataset, labeler)
);
CREATE TABLE corpora(
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  source TEXT NOT NULL,
  about_json TEXT NOT NULL,
  UNIQUE(tenant, source)
);
CREATE TABLE documents(
  corpus_id INTEGER NOT NULL REFERENCES corpora(id),
  place INTEGER NOT NULL,
  item TEXT NOT NULL,
  fields_json TEXT NOT NULL,
  PRIMARY KEY(corpus_id, place)
) WITHOUT ROWID;`,
];

/** The version of a file that is written now. */
export const LABEL_SCHEMA = VERSIONS.length;

/** The suffix of the copy that a migration keeps. */
export const backUpSuffix = (version: number): string => `.v${version}.bak`;

/** What bringing a file up to date takes. */
export interface LabelMigration {
  /** The version that it has; 0 for an empty one. */
  readonly from: number;
  readonly to: number;
}

/**
 * Brings a label store up to date, as the first call that writes to it does, and keeps a copy as it was.
 *
 * @param isDryRun only says what it would do.
 */
export async function migrateLabels(database: LabelDatabase, isDryRun: boolean): Promise<LabelMigration> {
  const versionIn = (db: SqlConnection): number => labelSchemaOf(db, database.name);
  const from = await database.read(versionIn);
  if (!isDryRun && from > 0 && from < LABEL_SCHEMA) {
    await backUpOf(database, from);
    await database.write((db) => bringUpToDate(db, versionIn(db)));
  }
  return { from, to: LABEL_SCHEMA };
}

/** A copy of the file before it is brought up to date, unless another process has just done so. */
export function backUpOf(database: LabelDatabase, version: number): Promise<void> {
  return database.backUp(backUpSuffix(version), (db) => labelSchemaOf(db, database.name) === version);
}

/** Makes the tables of a new file, and adds to an older one what later versions have. */
export function bringUpToDate(db: SqlConnection, version: number): void {
  if (version === LABEL_SCHEMA) return;
  for (const added of VERSIONS.slice(version)) db.exec(added);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${LABEL_SCHEMA};`);
}

/**
 * The version of a label store; 0 for an empty database.
 *
 * @throws InputError `STORE_SCHEMA`
 */
export function labelSchemaOf(db: SqlConnection, name: string): number {
  const number = (pragma: string): number =>
    Number(Object.values(db.rows(`PRAGMA ${pragma}`)[0] ?? {})[0] ?? 0);
  const [id, version] = [number("application_id"), number("user_version")];
  if (id === 0 && version === 0 && !has(db, "SELECT 1 FROM sqlite_master")) return 0;
  if (id !== APPLICATION_ID)
    throw new InputError("STORE_SCHEMA", `${name}: is a database of another kind, not a label store`);
  if (version > LABEL_SCHEMA)
    throw new InputError(
      "STORE_SCHEMA",
      `${name}: is a label store of schema ${version}, and this version knows ${LABEL_SCHEMA}; ` +
        "use a newer rankproof",
      { version },
    );
  return version;
}
