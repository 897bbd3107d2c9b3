import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  embeddingServer,
  sendError,
  sendVectors,
  type EmbeddingServer,
  type ReceivedRequest,
  type ServerBehaviour,
} from "../support/embedding-server.js";
import { wordEmbedder } from "../support/word-embedder.js";
import { benchFiles, DOCUMENTS, reportIn } from "./bench-files.js";
import { QUERIES, Workplace } from "./spawned.js";
import { pattern } from "../support/pattern.js";
import { KEY, TRACES } from "../support/secret-key.js";

const servers: EmbeddingServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

/** Vectors that count words: texts that share some are near each other. */
const sendEmbeddings: ServerBehaviour = ({ body }, response) =>
  void wordEmbedder()
    .embed(body.input)
    .then((vectors) =>
      sendVectors(
        response,
        vectors.map((vector) => [...vector]),
      ),
    );

async function started(behaviour = sendEmbeddings): Promise<EmbeddingServer> {
  const server = await embeddingServer(behaviour);
  servers.push(server);
  return server;
}

/** Whoever runs the tests may have keys of their own, which must reach nobody. */
const NO_ENDPOINT = {
  RANKPROOF_EMBEDDING_API_KEY: "",
  RANKPROOF_EMBEDDING_BASE_URL: "",
  RANKPROOF_EMBEDDING_MODEL: "",
  OPENAI_API_KEY: "",
  OPENAI_BASE_URL: "",
  OPENAI_EMBEDDING_MODEL: "",
};
const QUICK = [
  "--repeats",
  "1",
  "--warm-up",
  "1",
  "--embedding-provider",
  "openai",
  "--embedding-retries",
  "0",
];

function aPlace(): Workplace {
  const place = new Workplace();
  place.write(benchFiles());
  return place;
}

/** What was sent to be embedded, all requests together. */
function textsOf({ requests }: EmbeddingServer): string[] {
  return requests.flatMap(({ body }) => body.input);
}

/** Documents begin with their title; a question is none of them. */
function documentsOf(server: EmbeddingServer): string[] {
  const documents = new Set(
    DOCUMENTS.map((document) =>
      "title" in document ? `${document.title}\n${document.text}` : document.text,
    ),
  );
  return textsOf(server).filter((text) => documents.has(text));
}

describe.concurrent("the live tier of bench", () => {
  it("stands beside the hash baseline in one report, and is what decides", async () => {
    const server = await started();
    const { status, stdout, stderr } = await aPlace().run(
      ["bench", "folder", ...QUICK, "--no-store", "--json"],
      {
        env: {
          ...NO_ENDPOINT,
          RANKPROOF_EMBEDDING_BASE_URL: server.baseUrl,
          RANKPROOF_EMBEDDING_MODEL: "my-model",
        },
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { modes, decision } = reportIn(stdout);
    expect(modes.map(({ mode, tier, embedding_model }) => [mode, tier, embedding_model])).toEqual([
      ["fts_only", "offline", null],
      ["embedding_only", "offline", "hash-128"],
      ["hybrid", "offline", "hash-128"],
      ["embedding_only@live", "live_shadow", "my-model"],
      ["hybrid@live", "live_shadow", "my-model"],
    ]);
    expect(decision).toMatchObject({
      tier: "live_shadow",
      evidence: [{ mode: "hybrid@live" }, { mode: "embedding_only@live" }],
    });
    expect(
      server.requests.every(({ path, body }) => path === "/v1/embeddings" && body.model === "my-model"),
    ).toBe(true);
  });
  it(
    "asks for each document once, also in a second benchmark and a search, and for the questions " +
      "each time",
    async () => {
      const [server, place] = [await started(), aPlace()];
      const env = { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_BASE_URL: server.baseUrl };
      for (let time = 0; time < 2; time++)
        expect((await place.run(["bench", "folder", ...QUICK, "--no-store"], { env })).status).toBe(0);
      expect(
        (
          await place.run(
            ["search", "folder/corpus.jsonl", "birds", "--mode", "hybrid", "--embedding-provider", "openai"],
            { env },
          )
        ).status,
      ).toBe(0);
      expect(documentsOf(server)).toHaveLength(DOCUMENTS.length);
      // Two modes ask for each question and once more for the warm-up, in either benchmark.
      expect(textsOf(server)).toHaveLength(DOCUMENTS.length + 2 * 2 * (QUERIES.length + 1) + 1);
      expect(
        (await place.run(["bench", "folder", ...QUICK, "--no-store", "--no-embedding-cache"], { env }))
          .status,
      ).toBe(0);
      expect(documentsOf(server)).toHaveLength(2 * DOCUMENTS.length);
    },
  );
  it("sends as many texts at once as it is told", async () => {
    const server = await started();
    await aPlace().run(["bench", "folder", ...QUICK, "--no-store", "--embedding-batch-size", "10"], {
      env: { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_BASE_URL: server.baseUrl },
    });
    expect(Math.max(...server.requests.map(({ body }) => body.input.length))).toBe(10);
  });
});

describe.concurrent("keys and hosts are pairs", () => {
  const [OWN, OPENAI] = ["sk-own-key-0123456789", "sk-openai-key-0123456789"];
  const asked = async (
    env: (own: string, openai: string) => Record<string, string>,
  ): Promise<{ status: number | null; own: Set<unknown>; openai: Set<unknown> }> => {
    const [own, openai] = [await started(), await started()];
    const { status } = await aPlace().run(
      ["bench", "folder", ...QUICK, "--no-store", "--modes", "fts_only,embedding_only"],
      { env: { ...NO_ENDPOINT, ...env(own.baseUrl, openai.baseUrl) } },
    );
    const keysOf = ({ requests }: EmbeddingServer): Set<unknown> =>
      new Set(requests.map(({ headers }) => headers.authorization ?? "none"));
    return { status, own: keysOf(own), openai: keysOf(openai) };
  };
  it("with both pairs its own is taken, whole", async () => {
    expect(
      await asked((own, openai) => ({
        RANKPROOF_EMBEDDING_API_KEY: OWN,
        RANKPROOF_EMBEDDING_BASE_URL: own,
        OPENAI_API_KEY: OPENAI,
        OPENAI_BASE_URL: openai,
      })),
    ).toEqual({ status: 0, own: new Set([`Bearer ${OWN}`]), openai: new Set() });
  });
  it("with OpenAI's pair alone that is taken", async () => {
    expect(await asked((_, openai) => ({ OPENAI_API_KEY: OPENAI, OPENAI_BASE_URL: openai }))).toEqual({
      status: 0,
      own: new Set(),
      openai: new Set([`Bearer ${OPENAI}`]),
    });
  });
  it("OpenAI's key does not reach an address of its own that has none", async () => {
    expect(
      await asked((own, openai) => ({
        RANKPROOF_EMBEDDING_BASE_URL: own,
        OPENAI_API_KEY: OPENAI,
        OPENAI_BASE_URL: openai,
      })),
    ).toEqual({ status: 0, own: new Set(["none"]), openai: new Set() });
  });
  it("without any of them the variables to set are named", async () => {
    expect(await aPlace().run(["bench", "folder", ...QUICK, "--no-store"], { env: NO_ENDPOINT })).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "error: no embedding endpoint is set up; set `RANKPROOF_EMBEDDING_API_KEY` for OpenAI's, " +
        "and `RANKPROOF_EMBEDDING_BASE_URL` too for any other (or `OPENAI_API_KEY` and " +
        "`OPENAI_BASE_URL`)\n",
    });
  });
});

describe.concurrent("an endpoint that fails", () => {
  it.each<[string, number, RegExp, ServerBehaviour]>([
    [
      "a wrong key",
      2,
      /answered 401 \(`no`\), no key was sent; set `RANKPROOF_EMBEDDING_API_KEY`/,
      (_, response) => sendError(response, 401, "no"),
    ],
    [
      "no /embeddings",
      2,
      /answered 404 .* set `RANKPROOF_EMBEDDING_BASE_URL`/,
      (_, response) => sendError(response, 404, "not found"),
    ],
    [
      "too many requests",
      5,
      /still answered 429 after one try/,
      (_, response) => sendError(response, 429, "slow down"),
    ],
    [
      "a mistake of its own",
      5,
      /still answered 500 after one try \(`oh`\); try again later/,
      (_, response) => sendError(response, 500, "oh"),
    ],
    [
      "no answer",
      5,
      pattern(
        /no answer after one try: `nothing came within 150 ms`; check that the address in /,
        /`RANKPROOF_EMBEDDING_BASE_URL`/,
      ),
      () => undefined,
    ],
    [
      "a page",
      5,
      /answered with an HTML page, not with embeddings/,
      (_, response) => response.writeHead(200).end("<html></html>"),
    ],
    ["too few vectors", 5, /^error: http/, (_, response) => sendVectors(response, [[1, 2]])],
  ])("with %s is exit code %d, and says what to do", async (_, code, message, behaviour) => {
    const { baseUrl } = await started(behaviour);
    const timeout = message.source.includes("150 ms") ? ["--embedding-timeout", "150"] : [];
    const { status, stdout, stderr } = await aPlace().run(["bench", "folder", ...QUICK, ...timeout], {
      env: { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_BASE_URL: baseUrl },
    });
    expect({ status, stdout }).toEqual({ status: code, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
  it("by not being there at all is exit code 5", async () => {
    const server = await started();
    await server.close();
    const { status, stderr } = await aPlace().run(
      [
        "search",
        "folder/corpus.jsonl",
        "birds",
        "--mode",
        "embedding_only",
        "--embedding-provider",
        "openai",
        "--embedding-retries",
        "0",
      ],
      { env: { ...NO_ENDPOINT, OPENAI_BASE_URL: server.baseUrl } },
    );
    expect(status).toBe(5);
    expect(stderr).toMatch(
      /no answer after one try: `ECONNREFUSED`; check that the address in `OPENAI_BASE_URL`/,
    );
  });
  it("when it is asked its first question ends the benchmark before anything is measured", async () => {
    const server = await started((request, response) =>
      request.body.input.length > 1
        ? sendEmbeddings(request, response, 0)
        : sendError(response, 503, "asleep"),
    );
    const { status, stdout, stderr } = await aPlace().run(["bench", "folder", ...QUICK], {
      env: { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_BASE_URL: server.baseUrl },
    });
    expect({ status, stdout }).toEqual({ status: 5, stdout: "" });
    expect(stderr).toContain("still answered 503 after one try");
    expect(textsOf(server)).toHaveLength(DOCUMENTS.length + 1);
  });
  it("for some questions is a warning, and the other cases count", async () => {
    const server = await started((request, response) =>
      request.body.input.some((text) => /the kind q7$/.test(text))
        ? sendError(response, 503, "asleep")
        : sendEmbeddings(request, response, 0),
    );
    const { status, stderr } = await aPlace().run(["bench", "folder", ...QUICK, "--no-store"], {
      env: { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_BASE_URL: server.baseUrl },
    });
    expect(status).toBe(0);
    expect(stderr).toMatch(
      pattern(
        /^warning: embedding_only@live failed for 1 of 12 cases, which count as nothing found; `q7`: /,
        /http.* still answered 503/m,
      ),
    );
  });
});

describe.concurrent("Ctrl-C", () => {
  it("in the middle of embedding is exit code 130, and the next benchmark goes on from there", async () => {
    const place = aPlace();
    let stuck: () => void = () => undefined;
    const interrupted = new Promise<void>((resolve) => (stuck = resolve));
    let awake = 8;
    const server = await started((request, response) =>
      awake-- > 0 ? sendEmbeddings(request, response, 0) : stuck(),
    );
    const env = { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_BASE_URL: server.baseUrl };
    const args = ["bench", "folder", ...QUICK, "--embedding-batch-size", "2", "--json"];
    const first = await place.spawn(args, { env, interrupted });
    expect(first).toEqual({
      status: 130,
      stdout: "",
      stderr:
        "error: the benchmark was interrupted; vectors that the provider has made are kept, so the " +
        "next one begins where this one stopped\n",
    });
    // Eight requests with two documents each were answered.
    const answered = server.requests.slice(0, 8).flatMap(({ body }) => body.input);
    expect(readdirSync(place.path(".rankproof"))).toEqual(["embeddings"]);

    // The same server: another port would be another provider.
    const before = server.requests.length;
    awake = Infinity;
    expect((await place.run(args, { env })).status).toBe(0);
    // As a set: requests of the first that were on their way when it ended can come in after `before`.
    const asked = new Set(documentsOf({ ...server, requests: server.requests.slice(before) }));
    expect(asked.size).toBe(DOCUMENTS.length - answered.length);
    expect(answered.filter((text) => asked.has(text))).toEqual([]);
  });
  it("in the middle of a search is exit code 130, too", async () => {
    let stuck: () => void = () => undefined;
    const interrupted = new Promise<void>((resolve) => (stuck = resolve));
    const server = await started(() => stuck());
    expect(
      await aPlace().spawn(
        ["search", "folder/corpus.jsonl", "birds", "--mode", "hybrid", "--embedding-provider", "openai"],
        { env: { ...NO_ENDPOINT, OPENAI_BASE_URL: server.baseUrl }, interrupted },
      ),
    ).toEqual({ status: 130, stdout: "", stderr: "error: the search was interrupted\n" });
  });
});

describe("the key", () => {
  /** Names and bytes of everything in a folder. */
  const bytesIn = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map(
        (entry) =>
          entry.name + (entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "latin1") : ""),
      )
      .join("\n");
  const echo = ({ headers }: ReceivedRequest): string =>
    `you sent ${JSON.stringify(headers)} and ${headers.authorization ?? ""}`;

  it(
    "is in no output, no report, no store, no golden set and no cache, whether the endpoint " +
      "answers or tells all it knows",
    async () => {
      const place = aPlace();
      const server = await started();
      const angry = await started((request, response) => sendError(response, 401, echo(request)));
      const fickle = await started((request, response) =>
        request.body.input.length > 1
          ? sendEmbeddings(request, response, 0)
          : sendError(response, 500, echo(request)),
      );
      const forms = [
        "-o",
        "report.json",
        "--md",
        "report.md",
        "--html",
        "report.html",
        "--store",
        "runs.sqlite",
      ];
      const streams: string[] = [];
      for (const [baseUrl, code] of [
        [server.baseUrl, 0],
        [angry.baseUrl, 2],
        [fickle.baseUrl, 5],
      ] as const) {
        const { status, stdout, stderr } = await place.run(
          ["bench", "folder", ...QUICK, ...forms, "--json", "--warm-up", "0"],
          {
            env: { ...NO_ENDPOINT, RANKPROOF_EMBEDDING_API_KEY: KEY, RANKPROOF_EMBEDDING_BASE_URL: baseUrl },
          },
        );
        expect({ baseUrl, status }).toEqual({ baseUrl, status: code });
        streams.push(stdout, stderr);
      }
      for (const { requests } of [server, angry, fickle])
        expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(streams.join("")).toContain("you sent");
      const everything = streams.join("\n") + bytesIn(place.folder);
      expect(everything).toContain("report.html");
      for (const trace of TRACES) expect(everything.includes(trace)).toBe(false);
    },
  );
});
