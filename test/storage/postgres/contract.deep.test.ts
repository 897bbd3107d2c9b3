import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresLabelStore, postgresStore } from "../../../src/storage/postgres/index.js";
import { labelStoreContract, storeContract } from "../../../src/testing/index.js";
import {
  hasPostgresql,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../../support/postgresql.js";

describe.skipIf(!hasPostgresql)(`PostgreSQL${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgresql();
  });
  afterAll(() => server?.end());
  const fresh = (settings = "") => ({ url: server.url + settings, schema: `s${++schemas}` });

  storeContract({ describe, it, expect }, "postgresStore", () => postgresStore(fresh()));
  labelStoreContract({ describe, it, expect }, "postgresLabelStore", () => postgresLabelStore(fresh()));

  describe("where a database has settings of its own", () => {
    const settings = ["default_transaction_isolation=serializable", "extra_float_digits=0"];
    const own = `?options=${encodeURIComponent(settings.map((setting) => `-c ${setting}`).join(" "))}`;
    storeContract({ describe, it, expect }, "postgresStore", () => postgresStore(fresh(own)));
    labelStoreContract({ describe, it, expect }, "postgresLabelStore", () => postgresLabelStore(fresh(own)));
  });
});
