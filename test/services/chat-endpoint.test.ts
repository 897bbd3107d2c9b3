import { expect, it } from "vitest";
import { chatEndpoint } from "../../src/services/index.js";

const answer = { choices: [{ message: { content: "{}" } }] };

it("what this process was refused counts, whatever is recalled of another one", async () => {
  const forms: unknown[] = [];
  const chat = chatEndpoint({
    baseUrl: "http://127.0.0.1:1",
    model: "judge",
    fetch: async (_, init) => {
      const { response_format: format } = JSON.parse(init?.body as string) as {
        response_format?: { type: string };
      };
      forms.push(format?.type);
      return format?.type === "json_schema"
        ? Response.json({ error: { param: "response_format", message: "no" } }, { status: 400 })
        : Response.json(answer);
    },
  });
  const request = { system: "s", user: "u", schema: { name: "n", schema: {} } };
  chat.recall({ format: "json_schema", without: [] });
  await chat.ask(request);
  chat.recall({ format: "json_schema", without: [] });
  expect(chat.accepted.format).toBe("json_object");
  await chat.ask(request);
  expect(forms).toEqual(["json_schema", "json_object", "json_object"]);
});
