// A chat endpoint that answers from known grades, with seeded noise and seeded trouble: `node
// model-server-process.js SETTINGS.json`. It prints its port, and tells at /stats what it was asked.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/**
 * @typedef {object} Settings
 * @property {Record<string, Record<string, number>>} grades by query and item (its field `sku`); 0 for others
 * @property {number} [noise] share of pairs whose grade is another one, always the same
 * @property {string[]} [trouble] kinds that happen, one after the other
 * @property {number} [troubleEvery] to each so-manieth request
 * @property {string[]} [refuses] parts of requests that end in status 400
 * @property {string} [key] that requests must have
 * @property {number} [delayMs] before each answer
 */

const settings = /** @type {Settings} */ (JSON.parse(readFileSync(process.argv[2], "utf8")));
const { grades, noise = 0, trouble = [], troubleEvery = 3, refuses = [], key, delayMs = 0 } = settings;
const stats = { requests: 0, answers: 0, pairs: {}, last: {}, profiles: 0, troubles: 0 };

/** The grade that this model gives: wrong for a share of pairs, by their digest. */
function gradeOf(query, item) {
  const truth = grades[query]?.[item] ?? 0;
  const digest = createHash("sha256").update(`${query}\n${item}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32 < noise ? (truth + 1 + (digest[4] % 3)) % 4 : truth;
}

function fences(text) {
  return [...text.matchAll(/^<<([0-9a-f]+) ([^>]*)>>\n([\s\S]*?)\n<<\1 end of \2>>$/gm)].map((found) => ({
    what: found[2],
    text: found[3],
  }));
}

function answerTo({ messages: [system, user] }) {
  const parts = fences(user.content);
  const query = parts.find(({ what }) => what === "query").text;
  if (system.content.includes('"intent"')) {
    stats.profiles++;
    return { intent: `wants ${query}`, type: "thing", required: [query], optional: [] };
  }
  const items = parts.filter(({ what }) => what.startsWith("item "));
  return {
    query,
    grades: items.map(({ what, text }) => {
      const item = /^sku: (.*)$/m.exec(text)?.[1] ?? "";
      return { item: Number(what.slice(5)), grade: gradeOf(query, item), sku: item };
    }),
  };
}

/** What goes wrong with an answer that has status 200. */
const WRONG = {
  malformed: () => '{"grades": [{"item": 1, "grade',
  words: () => "I would say that all of them are quite relevant: 3",
  missing: ({ grades: all }) => JSON.stringify({ grades: all.slice(1) }),
  repeated: ({ grades: all }) => JSON.stringify({ grades: [...all, all[0]] }),
  unknown: ({ grades: all }) => JSON.stringify({ grades: [...all, { item: 999, grade: 3 }] }),
  five: ({ grades: [first, ...rest] }) => JSON.stringify({ grades: [{ ...first, grade: 5 }, ...rest] }),
  ten: ({ grades: [first, ...rest] }) => JSON.stringify({ grades: [{ ...first, grade: 10 }, ...rest] }),
  three: ({ grades: [first, ...rest] }) =>
    JSON.stringify({ grades: [{ ...first, grade: "three" }, ...rest] }),
};

function send(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function complete(request, response, kind, came) {
  const answer = answerTo(request);
  const wrong = answer.grades === undefined ? undefined : WRONG[kind];
  const message =
    kind === "refusal" && answer.grades?.length > 1
      ? { content: null, refusal: "I cannot help with that." }
      : { content: wrong?.(answer) ?? JSON.stringify(answer.grades ? { grades: answer.grades } : answer) };
  if (refuses.includes("response_format") && message.content && wrong === undefined)
    message.content = `\`\`\`json\n${message.content}\n\`\`\``;
  if (wrong === undefined && message.content && answer.grades !== undefined) {
    stats.answers++;
    for (const { sku } of answer.grades) {
      const name = `${answer.query}\n${sku}`;
      stats.pairs[name] = (stats.pairs[name] ?? 0) + 1;
      stats.last[name] = Math.max(stats.last[name] ?? 0, came);
    }
  }
  const body = JSON.stringify({
    model: `${request.model}-2026`,
    choices: [{ message, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  });
  if (kind === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, body.length / 2));
    return void setTimeout(() => response.destroy(), 5);
  }
  send(response, 200, body);
}

function handle(request, response, came) {
  const number = ++stats.requests;
  for (const part of refuses) {
    const isSent =
      part === "json_schema" || part === "json_object"
        ? request.response_format?.type === part
        : part in request;
    if (isSent)
      return send(response, 400, {
        error: { message: `Unsupported: '${part}' is not supported with this model.`, param: null },
      });
  }
  const isTrouble = trouble.length > 0 && number % troubleEvery === 0;
  const kind = isTrouble ? trouble[(number / troubleEvery) % trouble.length] : undefined;
  if (isTrouble) stats.troubles++;
  if (kind === "429") return send(response, 429, { error: { message: "slow down" } });
  if (kind === "429 later") return send(response, 429, "{}", { "retry-after": "1" });
  if (kind === "500") return send(response, 500, "<html>oops</html>");
  if (kind === "hang") return;
  complete(request, response, kind, came);
}

const server = createServer((incoming, response) => {
  if (incoming.url === "/stats") return send(response, 200, stats);
  let text = "";
  incoming.on("data", (part) => (text += part));
  incoming.on("end", () => {
    const authorization = incoming.headers.authorization;
    if (key !== undefined && authorization !== `Bearer ${key}`)
      // As careless servers do, with what was sent.
      return send(response, 401, { error: { message: `wrong key in ${authorization}` } });
    const request = JSON.parse(text);
    const came = Date.now();
    if (delayMs > 0) setTimeout(() => handle(request, response, came), delayMs);
    else handle(request, response, came);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
