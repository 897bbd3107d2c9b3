import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresLabelStore } from "../../src/storage/postgres/index.js";
import type { WorkbenchQueue } from "../../src/records/index.js";
import {
  hasPostgresql,
  skippedPostgresql,
  startPostgresql,
  type PostgresqlServer,
} from "../support/postgresql.js";
import { aProject, markOf, type MadeProject, type OpenWorkbench } from "./projects.js";

const PEOPLE = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"];

describe.skipIf(!hasPostgresql)(`a workbench on PostgreSQL${skippedPostgresql}`, () => {
  let server: PostgresqlServer;
  let project: MadeProject;
  /** Two machines with the same database. */
  let machines: readonly OpenWorkbench[];
  beforeAll(async () => {
    server = await startPostgresql();
    project = aProject({}, {}, { labels: server.url });
    machines = [1, 2].map(() => project.open({ store: server.url }));
  });
  afterAll(async () => {
    await Promise.all((machines ?? []).map(({ made }) => made.close()));
    project?.remove();
    server?.end();
  });

  const queueOf = async (at: OpenWorkbench, rater: string): Promise<WorkbenchQueue> =>
    at.get(`/api/c/shop/label?rater=${rater}`);

  it("lets eight people label at once: every mark is stored once, and each sees what it said", async () => {
    let count = 0;
    const sent = await Promise.all(
      PEOPLE.map(async (rater, person) => {
        const machine = machines[person % machines.length] as OpenWorkbench;
        const marks: string[] = [];
        for (;;) {
          const { pairs, done, left } = await queueOf(machine, rater);
          expect(done).toBe(new Set(marks).size);
          const pair = pairs.find(({ is_repeat }) => !is_repeat);
          if (pair === undefined || marks.length === 10) return { rater, marks, left };
          const mark = markOf(pair.query_id, pair.item.id, ++count, {
            grade: person % 4,
            item_hash: pair.item_hash,
          });
          // A page sends again what it does not know to have arrived.
          for (let time = 0; time < 2; time++)
            expect((await machine.post("/api/c/shop/marks", { rater, marks: [mark] })).status).toBe(200);
          marks.push(mark.mark);
        }
      }),
    );
    const store = await postgresLabelStore({ url: server.url });
    const stored = (await store.find()).map((each) => [each.rater.name, each["mark"]]);
    await store.close();
    expect(stored.length).toBeGreaterThanOrEqual(PEOPLE.length * 3);
    const byName = (list: readonly (readonly unknown[])[]): string[] =>
      list.map((each) => JSON.stringify(each)).sort();
    expect(byName(stored)).toEqual(
      byName(sent.flatMap(({ rater, marks }) => marks.map((mark) => [rater, mark]))),
    );
  });

  it("shows on each machine what was stored on the other", async () => {
    const [first, second] = machines as [OpenWorkbench, OpenWorkbench];
    const batch = { annotate: false };
    const { body } = await first.post<{ id: string }>("/api/c/shop/batch", batch);
    expect(body).toBeDefined();
    const raters = (await second.get<{ raters: string[] }>("/api/session")).raters;
    expect([...raters].sort()).toEqual(PEOPLE);
  });

  it("says that the server is away, and goes on when it is back", async () => {
    const [first] = machines as [OpenWorkbench];
    server.stop("fast");
    const away = await first.ask<{ message: string }>("/api/session");
    expect(away.status).toBeGreaterThanOrEqual(500);
    expect(away.text).toMatch(/is the server up/);
    server.start();
    expect((await first.ask("/api/session")).status).toBe(200);
  });
});
