/** Text by its bytes, the same on every server. */
const TEXT = 'text COLLATE "C" NOT NULL';
const ID = "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";

/**
 * What each version added to the one before; a new schema is made by all of them. `@` stands for the schema.
 *
 * Keys are digests, because an index takes no text of 10 MB. `changes` counts transactions, in several rows
 * so that few wait for each other; `tokens` has one row for each, by which it is known after a lost
 * connection. `parts` has what became of each part of work that a queue spreads, which its key keeps from
 * being done twice.
 */
const VERSIONS: readonly string[] = [
  `
CREATE TABLE @changes(kind text, slot smallint, n bigint NOT NULL, PRIMARY KEY(kind, slot));
INSERT INTO @changes SELECT kind, slot, 0
  FROM unnest(ARRAY['runs', 'labels']) AS kind, generate_series(0, 31) AS slot;
CREATE TABLE @tokens(token uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX ON @tokens(at);
CREATE TABLE @runs(key uuid PRIMARY KEY, run_id ${TEXT}, suite ${TEXT}, created_at ${TEXT}, commit_hash text,
  total int NOT NULL, failed int NOT NULL, about_json ${TEXT}, aggregate_json text);
CREATE TABLE @results(run_key uuid REFERENCES @runs ON DELETE CASCADE, place int, query_id ${TEXT},
  result_json ${TEXT}, PRIMARY KEY(run_key, place));
CREATE TABLE @chunks(key uuid PRIMARY KEY, doc_key uuid NOT NULL, path_key uuid NOT NULL, place_json ${TEXT});
CREATE INDEX ON @chunks(doc_key);
CREATE INDEX ON @chunks(path_key);
CREATE TABLE @archive(key uuid PRIMARY KEY, chunk_key uuid NOT NULL, place_json ${TEXT});
CREATE INDEX ON @archive(chunk_key);
CREATE TABLE @queries(${ID}, key uuid NOT NULL UNIQUE, tenant ${TEXT}, query ${TEXT});
CREATE INDEX ON @queries USING hash (query);
CREATE TABLE @raters(${ID}, key uuid NOT NULL UNIQUE, identity ${TEXT}, rater_json ${TEXT});
CREATE TABLE @assessments(${ID}, query_id bigint NOT NULL REFERENCES @queries,
  rater_id bigint NOT NULL REFERENCES @raters, item ${TEXT}, said_json ${TEXT});
CREATE INDEX ON @assessments(query_id, id);
CREATE INDEX ON @assessments(rater_id, id);
CREATE TABLE @profiles(key uuid PRIMARY KEY, tenant ${TEXT}, query ${TEXT}, identity ${TEXT}, json ${TEXT});
CREATE TABLE @builds(key uuid PRIMARY KEY, tenant ${TEXT}, dataset ${TEXT}, labeler ${TEXT}, json ${TEXT});
CREATE TABLE @scores(query_id bigint REFERENCES @queries, reranker uuid, item_key uuid, item ${TEXT},
  score float8 NOT NULL, text_hash bigint NOT NULL, PRIMARY KEY(query_id, reranker, item_key));
CREATE TABLE @corpora(${ID}, key uuid NOT NULL UNIQUE, tenant ${TEXT}, source ${TEXT}, about_json ${TEXT});
CREATE TABLE @documents(corpus_id bigint REFERENCES @corpora ON DELETE CASCADE, place int, item ${TEXT},
  fields_json ${TEXT}, PRIMARY KEY(corpus_id, place));
CREATE TABLE @forgotten(${ID}, note_json ${TEXT});`,
  `
CREATE TABLE @work(key uuid PRIMARY KEY, total int NOT NULL, begun_at timestamptz NOT NULL DEFAULT now(),
  ended boolean NOT NULL DEFAULT false, json ${TEXT});
CREATE TABLE @parts(work_key uuid REFERENCES @work ON DELETE CASCADE, part int, failed text,
  calls int NOT NULL, input float8 NOT NULL, output float8 NOT NULL, amount float8 NOT NULL, json ${TEXT},
  PRIMARY KEY(work_key, part));`,
];

/** The version of a schema that is written now. */
export const POSTGRES_SCHEMA = VERSIONS.length;

/** The tables of a schema of a version that this one knows. */
export function tablesOf(version: number): string[] {
  const made = VERSIONS.slice(0, version)
    .join("")
    .matchAll(/CREATE TABLE @(\w+)/g);
  return ["schema_version", ...Array.from(made, ([, name]) => name as string)];
}

/** The statements that bring a schema from a version, 0 for none, to the newest. */
export function migrationFrom(version: number): string {
  const meta =
    version === 0
      ? "CREATE TABLE @schema_version(version int NOT NULL); INSERT INTO @schema_version VALUES (0);"
      : "";
  return `${meta}${VERSIONS.slice(version).join("")}UPDATE @schema_version SET version = ${POSTGRES_SCHEMA};`;
}
