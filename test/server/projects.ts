import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  Config,
  DatasetConfig,
  WorkbenchHistory,
  WorkbenchJob,
  WorkbenchMark,
} from "../../src/records/index.js";
import type { WorkbenchOptions } from "../../src/server/index.js";
import { workbench, type Workbench } from "../../src/server/index.js";

export const PORT = 6010;

/** A project in a folder of its own: three queries over a dozen items, or whatever files are given. */
export interface MadeProject {
  readonly folder: string;
  readonly config: Config;
  path(name: string): string;
  write(files: Readonly<Record<string, string>>): void;
  /** What the workbench is made or served with. */
  options(more?: Partial<WorkbenchOptions>): Omit<WorkbenchOptions, "port">;
  /** The workbench as a function of requests, asked as its page asks. */
  open(more?: Partial<WorkbenchOptions>): OpenWorkbench;
  remove(): void;
}

const COLOURS = ["red", "blue", "green"];
const THINGS = ["shoe", "hat", "scarf", "lamp"];
export const ITEMS = COLOURS.flatMap((colour) =>
  THINGS.map((thing) => ({ id: `${colour}-${thing}`, title: `${colour} ${thing}`, material: "wool" })),
);
export const QUERIES = [
  ["q1", "red shoe"],
  ["q2", "blue hat"],
  ["q3", "green scarf"],
] as const;

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
export const queryTable = (queries: readonly (readonly [string, string])[]): string =>
  queries.map(([id, text]) => `${id}\t${text}\n`).join("");

/** A grade of 2 as the page sends it: each number is a mark of its own, later than those of lower numbers. */
export function markOf(
  query_id: string,
  item: string,
  number: number,
  more: Partial<WorkbenchMark> = {},
): WorkbenchMark {
  return {
    mark: `mark-${String(number).padStart(8, "0")}`,
    query_id,
    item,
    outcome: "graded",
    grade: 2,
    reason: null,
    is_repeat: false,
    item_hash: null,
    at: new Date(Date.UTC(2026, 0, 1) + number).toISOString(),
    ...more,
  };
}

/** Makes a project of one dataset, `shop`. */
export function aProject(
  files: Readonly<Record<string, string>> = {},
  dataset: Partial<DatasetConfig> = {},
  more: Partial<Config> = {},
): MadeProject {
  const folder = mkdtempSync(join(tmpdir(), "rankproof-workbench-"));
  const path = (name: string): string => join(folder, name);
  const write = (written: Readonly<Record<string, string>>): void => {
    for (const [name, content] of Object.entries(written)) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
    }
  };
  write({ "queries.tsv": queryTable(QUERIES), "items.jsonl": jsonLines(ITEMS), ...files });
  const config = {
    labels: path("labels.sqlite"),
    artifacts: path("out"),
    datasets: { shop: { queries: path("queries.tsv"), corpus: path("items.jsonl"), ...dataset } },
    ...more,
  } as Config;
  const options = (given: Partial<WorkbenchOptions> = {}): Omit<WorkbenchOptions, "port"> => ({
    config,
    store: path("store.sqlite"),
    golden: path("golden.yaml"),
    version: "0.0.0",
    ...given,
  });
  return {
    folder,
    config,
    path,
    write,
    options,
    open: (given) => new OpenWorkbench(workbench({ ...options(given), port: () => PORT })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The project of the made-up shop, with its 60 queries and 320 products. */
export function shopProject(): MadeProject {
  const made = aProject({});
  cpSync(join(import.meta.dirname, "../../fixtures/shop"), made.path("shop"), { recursive: true });
  return {
    ...made,
    config: made.config,
    options: (given) => made.options({ config: shopConfig(made), ...given }),
    open: (given) => made.open({ config: shopConfig(made), ...given }),
  };
}

function shopConfig({ config, path }: MadeProject): Config {
  return {
    ...config,
    datasets: { shop: { queries: path("shop/queries.tsv"), corpus: path("shop/products.jsonl") } },
  } as Config;
}

/** What a request came to. */
export interface Answered<T = unknown> {
  readonly status: number;
  readonly body: T;
  readonly text: string;
}

/** A workbench without a socket, asked with the headers of its own page. */
export class OpenWorkbench {
  readonly made: Workbench;

  constructor(made: Workbench) {
    this.made = made;
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    return this.made.fetch(
      new Request(`http://localhost:${PORT}${path}`, {
        ...init,
        headers: {
          host: `localhost:${PORT}`,
          "x-rankproof-token": this.made.token,
          "sec-fetch-site": "same-origin",
          ...(init.body != null && { "content-type": "application/json" }),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    );
  }

  async ask<T = Record<string, unknown>>(path: string, init: RequestInit = {}): Promise<Answered<T>> {
    const response = await this.request(path, init);
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as T, text };
  }

  /** What a request answers that must succeed. */
  async get<T>(path: string): Promise<T> {
    const { status, body, text } = await this.ask<T>(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return body;
  }

  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answered<T>> {
    return this.ask<T>(path, { method: "POST", body: JSON.stringify(body) });
  }

  /** The states of the jobs as they are told, until none is running. */
  async watch(collection = "shop"): Promise<WorkbenchJob[][]> {
    const text = await (await this.request(`/api/c/${collection}/jobs`)).text();
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as WorkbenchJob[]);
  }

  /** Runs a batch to its end; its id. */
  async batch(body: object = {}, collection = "shop"): Promise<string> {
    const { status, text } = await this.post(`/api/c/${collection}/batch`, body);
    if (status !== 200) throw new Error(`the batch was not started: ${text}`);
    const [job] = (await this.watch(collection)).at(-1) ?? [];
    if (job?.state !== "done") throw new Error(`the batch ended as ${JSON.stringify(job)}`);
    return job.result ?? "";
  }

  async history(collection = "shop"): Promise<WorkbenchHistory> {
    return this.get(`/api/c/${collection}/batches`);
  }
}
