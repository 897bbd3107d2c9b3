CREATE SCHEMA second_version;
CREATE TABLE second_version.archive (
    key uuid NOT NULL,
    chunk_key uuid NOT NULL,
    place_json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.assessments (
    id bigint NOT NULL,
    query_id bigint NOT NULL,
    rater_id bigint NOT NULL,
    item text NOT NULL COLLATE pg_catalog."C",
    said_json text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE second_version.assessments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME second_version.assessments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE second_version.builds (
    key uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    dataset text NOT NULL COLLATE pg_catalog."C",
    labeler text NOT NULL COLLATE pg_catalog."C",
    json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.changes (
    kind text NOT NULL,
    slot smallint NOT NULL,
    n bigint NOT NULL
);
CREATE TABLE second_version.chunks (
    key uuid NOT NULL,
    doc_key uuid NOT NULL,
    path_key uuid NOT NULL,
    place_json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.corpora (
    id bigint NOT NULL,
    key uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    about_json text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE second_version.corpora ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME second_version.corpora_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE second_version.documents (
    corpus_id bigint NOT NULL,
    place integer NOT NULL,
    item text NOT NULL COLLATE pg_catalog."C",
    fields_json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.forgotten (
    id bigint NOT NULL,
    note_json text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE second_version.forgotten ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME second_version.forgotten_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE second_version.parts (
    work_key uuid NOT NULL,
    part integer NOT NULL,
    failed text,
    calls integer NOT NULL,
    input double precision NOT NULL,
    output double precision NOT NULL,
    amount double precision NOT NULL,
    json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.profiles (
    key uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    query text NOT NULL COLLATE pg_catalog."C",
    identity text NOT NULL COLLATE pg_catalog."C",
    json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.queries (
    id bigint NOT NULL,
    key uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    query text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE second_version.queries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME second_version.queries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE second_version.raters (
    id bigint NOT NULL,
    key uuid NOT NULL,
    identity text NOT NULL COLLATE pg_catalog."C",
    rater_json text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE second_version.raters ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME second_version.raters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE second_version.results (
    run_key uuid NOT NULL,
    place integer NOT NULL,
    query_id text NOT NULL COLLATE pg_catalog."C",
    result_json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE second_version.runs (
    key uuid NOT NULL,
    run_id text NOT NULL COLLATE pg_catalog."C",
    suite text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    commit_hash text,
    total integer NOT NULL,
    failed integer NOT NULL,
    about_json text NOT NULL COLLATE pg_catalog."C",
    aggregate_json text
);
CREATE TABLE second_version.schema_version (
    version integer NOT NULL
);
CREATE TABLE second_version.scores (
    query_id bigint NOT NULL,
    reranker uuid NOT NULL,
    item_key uuid NOT NULL,
    item text NOT NULL COLLATE pg_catalog."C",
    score double precision NOT NULL,
    text_hash bigint NOT NULL
);
CREATE TABLE second_version.tokens (
    token uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE second_version.work (
    key uuid NOT NULL,
    total integer NOT NULL,
    begun_at timestamp with time zone DEFAULT now() NOT NULL,
    ended boolean DEFAULT false NOT NULL,
    json text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO second_version.assessments OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 'i1', '{"outcome":"graded","grade":2,"vote":1,"at":"2026-05-01T09:00:00.000Z"}');
INSERT INTO second_version.assessments OVERRIDING SYSTEM VALUE VALUES (2, 1, 1, 'a\0000b', '{"outcome":"graded","grade":1,"vote":1,"at":"2026-05-01T09:00:00.000Z"}');
INSERT INTO second_version.changes VALUES ('runs', 0, 0);
INSERT INTO second_version.changes VALUES ('runs', 1, 0);
INSERT INTO second_version.changes VALUES ('runs', 2, 0);
INSERT INTO second_version.changes VALUES ('runs', 3, 0);
INSERT INTO second_version.changes VALUES ('runs', 4, 0);
INSERT INTO second_version.changes VALUES ('runs', 5, 0);
INSERT INTO second_version.changes VALUES ('runs', 6, 0);
INSERT INTO second_version.changes VALUES ('runs', 7, 0);
INSERT INTO second_version.changes VALUES ('runs', 8, 0);
INSERT INTO second_version.changes VALUES ('runs', 9, 0);
INSERT INTO second_version.changes VALUES ('runs', 11, 0);
INSERT INTO second_version.changes VALUES ('runs', 12, 0);
INSERT INTO second_version.changes VALUES ('runs', 13, 0);
INSERT INTO second_version.changes VALUES ('runs', 14, 0);
INSERT INTO second_version.changes VALUES ('runs', 15, 0);
INSERT INTO second_version.changes VALUES ('runs', 16, 0);
INSERT INTO second_version.changes VALUES ('runs', 17, 0);
INSERT INTO second_version.changes VALUES ('runs', 18, 0);
INSERT INTO second_version.changes VALUES ('runs', 19, 0);
INSERT INTO second_version.changes VALUES ('runs', 20, 0);
INSERT INTO second_version.changes VALUES ('runs', 21, 0);
INSERT INTO second_version.changes VALUES ('runs', 22, 0);
INSERT INTO second_version.changes VALUES ('runs', 23, 0);
INSERT INTO second_version.changes VALUES ('runs', 24, 0);
INSERT INTO second_version.changes VALUES ('runs', 25, 0);
INSERT INTO second_version.changes VALUES ('runs', 26, 0);
INSERT INTO second_version.changes VALUES ('runs', 27, 0);
INSERT INTO second_version.changes VALUES ('runs', 28, 0);
INSERT INTO second_version.changes VALUES ('runs', 29, 0);
INSERT INTO second_version.changes VALUES ('runs', 30, 0);
INSERT INTO second_version.changes VALUES ('runs', 31, 0);
INSERT INTO second_version.changes VALUES ('labels', 0, 0);
INSERT INTO second_version.changes VALUES ('labels', 1, 0);
INSERT INTO second_version.changes VALUES ('labels', 2, 0);
INSERT INTO second_version.changes VALUES ('labels', 3, 0);
INSERT INTO second_version.changes VALUES ('labels', 4, 0);
INSERT INTO second_version.changes VALUES ('labels', 5, 0);
INSERT INTO second_version.changes VALUES ('labels', 6, 0);
INSERT INTO second_version.changes VALUES ('labels', 7, 0);
INSERT INTO second_version.changes VALUES ('labels', 8, 0);
INSERT INTO second_version.changes VALUES ('labels', 9, 0);
INSERT INTO second_version.changes VALUES ('labels', 10, 0);
INSERT INTO second_version.changes VALUES ('labels', 11, 0);
INSERT INTO second_version.changes VALUES ('labels', 12, 0);
INSERT INTO second_version.changes VALUES ('labels', 13, 0);
INSERT INTO second_version.changes VALUES ('labels', 14, 0);
INSERT INTO second_version.changes VALUES ('labels', 15, 0);
INSERT INTO second_version.changes VALUES ('labels', 17, 0);
INSERT INTO second_version.changes VALUES ('labels', 18, 0);
INSERT INTO second_version.changes VALUES ('labels', 19, 0);
INSERT INTO second_version.changes VALUES ('labels', 20, 0);
INSERT INTO second_version.changes VALUES ('labels', 21, 0);
INSERT INTO second_version.changes VALUES ('labels', 22, 0);
INSERT INTO second_version.changes VALUES ('labels', 23, 0);
INSERT INTO second_version.changes VALUES ('labels', 24, 0);
INSERT INTO second_version.changes VALUES ('labels', 25, 0);
INSERT INTO second_version.changes VALUES ('labels', 26, 0);
INSERT INTO second_version.changes VALUES ('labels', 27, 0);
INSERT INTO second_version.changes VALUES ('labels', 28, 0);
INSERT INTO second_version.changes VALUES ('labels', 29, 0);
INSERT INTO second_version.changes VALUES ('labels', 30, 0);
INSERT INTO second_version.changes VALUES ('labels', 31, 0);
INSERT INTO second_version.changes VALUES ('runs', 10, 1);
INSERT INTO second_version.changes VALUES ('labels', 16, 3);
INSERT INTO second_version.parts VALUES ('9a96c1d7-282f-efd3-a14d-c0edccbc1b41', 0, NULL, 1, 2, 3, 0.5, '{"a":1}');
INSERT INTO second_version.parts VALUES ('9a96c1d7-282f-efd3-a14d-c0edccbc1b41', 1, 'no', 0, 0, 0, 0, '{}');
INSERT INTO second_version.queries OVERRIDING SYSTEM VALUE VALUES (1, '80df1753-2916-096e-51a5-b0626c77cf2c', 'default', 'red shoe');
INSERT INTO second_version.raters OVERRIDING SYSTEM VALUE VALUES (1, 'db2e015f-a93d-a979-43f2-525bfa04beb9', '["human","anna",null,null,null,{}]', '{"kind":"human","name":"anna"}');
INSERT INTO second_version.runs VALUES ('9a96c1d7-282f-efd3-a14d-c0edccbc1b41', 'kept', 'golden', '2026-05-01T09:00:00Z', NULL, 0, 0, '{"run_id":"kept","suite":"golden","created_at":"2026-05-01T09:00:00Z","config_snapshot":{}}', NULL);
INSERT INTO second_version.schema_version VALUES (2);
INSERT INTO second_version.scores VALUES (1, 'bfa0ea55-2d18-e057-85c2-462d758a746b', '003cb597-0016-9c59-1f0f-b8e0cfb3495c', 'i1', 0.1, 7);
INSERT INTO second_version.tokens VALUES ('61aacb62-5280-4eaf-b396-43fc9d59eeb8', '2026-11-25 03:52:51.687202+00');
INSERT INTO second_version.tokens VALUES ('37216f0c-394b-4499-bd56-e05d2da32962', '2026-11-25 03:52:52.861615+00');
INSERT INTO second_version.work VALUES ('9a96c1d7-282f-efd3-a14d-c0edccbc1b41', 2, '2026-11-25 03:52:52.861615+00', false, '{"id":"kept","about":{"kind":"label build"}}');
SELECT pg_catalog.setval('second_version.assessments_id_seq', 2, true);
SELECT pg_catalog.setval('second_version.corpora_id_seq', 1, false);
SELECT pg_catalog.setval('second_version.forgotten_id_seq', 1, false);
SELECT pg_catalog.setval('second_version.queries_id_seq', 3, true);
SELECT pg_catalog.setval('second_version.raters_id_seq', 2, true);
ALTER TABLE ONLY second_version.archive
    ADD CONSTRAINT archive_pkey PRIMARY KEY (key);
ALTER TABLE ONLY second_version.assessments
    ADD CONSTRAINT assessments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY second_version.builds
    ADD CONSTRAINT builds_pkey PRIMARY KEY (key);
ALTER TABLE ONLY second_version.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (kind, slot);
ALTER TABLE ONLY second_version.chunks
    ADD CONSTRAINT chunks_pkey PRIMARY KEY (key);
ALTER TABLE ONLY second_version.corpora
    ADD CONSTRAINT corpora_key_key UNIQUE (key);
ALTER TABLE ONLY second_version.corpora
    ADD CONSTRAINT corpora_pkey PRIMARY KEY (id);
ALTER TABLE ONLY second_version.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (corpus_id, place);
ALTER TABLE ONLY second_version.forgotten
    ADD CONSTRAINT forgotten_pkey PRIMARY KEY (id);
ALTER TABLE ONLY second_version.parts
    ADD CONSTRAINT parts_pkey PRIMARY KEY (work_key, part);
ALTER TABLE ONLY second_version.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (key);
ALTER TABLE ONLY second_version.queries
    ADD CONSTRAINT queries_key_key UNIQUE (key);
ALTER TABLE ONLY second_version.queries
    ADD CONSTRAINT queries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY second_version.raters
    ADD CONSTRAINT raters_key_key UNIQUE (key);
ALTER TABLE ONLY second_version.raters
    ADD CONSTRAINT raters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY second_version.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (run_key, place);
ALTER TABLE ONLY second_version.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (key);
ALTER TABLE ONLY second_version.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (query_id, reranker, item_key);
ALTER TABLE ONLY second_version.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (token);
ALTER TABLE ONLY second_version.work
    ADD CONSTRAINT work_pkey PRIMARY KEY (key);
CREATE INDEX archive_chunk_key_idx ON second_version.archive USING btree (chunk_key);
CREATE INDEX assessments_query_id_id_idx ON second_version.assessments USING btree (query_id, id);
CREATE INDEX assessments_rater_id_id_idx ON second_version.assessments USING btree (rater_id, id);
CREATE INDEX chunks_doc_key_idx ON second_version.chunks USING btree (doc_key);
CREATE INDEX chunks_path_key_idx ON second_version.chunks USING btree (path_key);
CREATE INDEX queries_query_idx ON second_version.queries USING hash (query);
CREATE INDEX tokens_at_idx ON second_version.tokens USING btree (at);
ALTER TABLE ONLY second_version.assessments
    ADD CONSTRAINT assessments_query_id_fkey FOREIGN KEY (query_id) REFERENCES second_version.queries(id);
ALTER TABLE ONLY second_version.assessments
    ADD CONSTRAINT assessments_rater_id_fkey FOREIGN KEY (rater_id) REFERENCES second_version.raters(id);
ALTER TABLE ONLY second_version.documents
    ADD CONSTRAINT documents_corpus_id_fkey FOREIGN KEY (corpus_id) REFERENCES second_version.corpora(id) ON DELETE CASCADE;
ALTER TABLE ONLY second_version.parts
    ADD CONSTRAINT parts_work_key_fkey FOREIGN KEY (work_key) REFERENCES second_version.work(key) ON DELETE CASCADE;
ALTER TABLE ONLY second_version.results
    ADD CONSTRAINT results_run_key_fkey FOREIGN KEY (run_key) REFERENCES second_version.runs(key) ON DELETE CASCADE;
ALTER TABLE ONLY second_version.scores
    ADD CONSTRAINT scores_query_id_fkey FOREIGN KEY (query_id) REFERENCES second_version.queries(id);
