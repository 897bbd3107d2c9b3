import { describe, expect, it } from "vitest";
import { embeddingSettingsFrom } from "../../src/retrieve/index.js";

const OWN = "sk-own-0123456789";
const OPENAI = "sk-openai-0123456789";

/** The settings with the key laid open. */
function settingsOf(env: Readonly<Record<string, string | undefined>>) {
  const { apiKey, ...settings } = embeddingSettingsFrom(env);
  return { ...settings, key: apiKey?.() };
}

const atOpenai = { baseUrl: "https://api.openai.com/v1", model: "text-embedding-3-small" };

describe("embeddingSettingsFrom", () => {
  it.each<[string, Record<string, string | undefined>, object]>([
    [
      "its own key",
      { RANKPROOF_EMBEDDING_API_KEY: OWN },
      { source: "RANKPROOF_EMBEDDING", key: OWN, ...atOpenai },
    ],
    [
      "its own pair",
      { RANKPROOF_EMBEDDING_API_KEY: OWN, RANKPROOF_EMBEDDING_BASE_URL: "https://own.example/v1" },
      { source: "RANKPROOF_EMBEDDING", key: OWN, baseUrl: "https://own.example/v1" },
    ],
    [
      "its own base URL without a key: OpenAI's key is not sent there",
      { RANKPROOF_EMBEDDING_BASE_URL: "http://192.168.0.2:8000/v1", OPENAI_API_KEY: OPENAI },
      { source: "RANKPROOF_EMBEDDING", key: undefined, baseUrl: "http://192.168.0.2:8000/v1" },
    ],
    [
      "its own key without a base URL: it is not sent to OPENAI_BASE_URL",
      {
        RANKPROOF_EMBEDDING_API_KEY: OWN,
        OPENAI_API_KEY: OPENAI,
        OPENAI_BASE_URL: "https://relay.example/v1",
      },
      { source: "RANKPROOF_EMBEDDING", key: OWN, ...atOpenai },
    ],
    ["OpenAI's key", { OPENAI_API_KEY: OPENAI }, { source: "OPENAI", key: OPENAI, ...atOpenai }],
    [
      "OpenAI's pair",
      { OPENAI_API_KEY: OPENAI, OPENAI_BASE_URL: "https://relay.example/v1" },
      { source: "OPENAI", key: OPENAI, baseUrl: "https://relay.example/v1" },
    ],
    [
      "OpenAI's base URL without a key",
      { OPENAI_BASE_URL: "http://localhost:11434/v1" },
      { source: "OPENAI", key: undefined, baseUrl: "http://localhost:11434/v1" },
    ],
    [
      "blank variables as not set",
      {
        RANKPROOF_EMBEDDING_API_KEY: "",
        RANKPROOF_EMBEDDING_BASE_URL: "  ",
        RANKPROOF_EMBEDDING_MODEL: " ",
        OPENAI_API_KEY: ` ${OPENAI}\n`,
        OPENAI_BASE_URL: "",
      },
      { source: "OPENAI", key: OPENAI, ...atOpenai },
    ],
    [
      "its own model, whichever pair is used",
      { OPENAI_API_KEY: OPENAI, RANKPROOF_EMBEDDING_MODEL: "own", OPENAI_EMBEDDING_MODEL: "theirs" },
      { source: "OPENAI", model: "own" },
    ],
    [
      "OpenAI's model where none is named, whichever pair is used",
      { RANKPROOF_EMBEDDING_API_KEY: OWN, OPENAI_EMBEDDING_MODEL: "theirs" },
      { source: "RANKPROOF_EMBEDDING", model: "theirs" },
    ],
    [
      "a slash at the end of an address",
      { OPENAI_BASE_URL: "https://relay.example/v1//" },
      { baseUrl: "https://relay.example/v1" },
    ],
    [
      "a key over plain HTTP to this machine",
      { OPENAI_API_KEY: OPENAI, OPENAI_BASE_URL: "http://127.0.0.1:8000/v1" },
      { key: OPENAI },
    ],
    [
      "a key over plain HTTP to this machine's other address",
      { OPENAI_API_KEY: OPENAI, OPENAI_BASE_URL: "http://[::1]:8000/v1" },
      { key: OPENAI },
    ],
  ])("takes %s", (_, env, expected) => {
    expect(settingsOf(Object.freeze(env))).toMatchObject(expected);
  });
  it.each<[string, Record<string, string>]>([
    ["nothing is set", {}],
    ["only a model is named", { RANKPROOF_EMBEDDING_MODEL: "m" }],
  ])("names the variables to set when %s", (_, env) => {
    expect(() => embeddingSettingsFrom(env)).toThrow(
      expect.objectContaining({
        name: "InputError",
        code: "EMBEDDING_CONFIG",
        message:
          "no embedding endpoint is set up; set `RANKPROOF_EMBEDDING_API_KEY` for OpenAI's, and " +
          "`RANKPROOF_EMBEDDING_BASE_URL` too for any other (or `OPENAI_API_KEY` and " +
          "`OPENAI_BASE_URL`)",
      }),
    );
  });
  it.each([
    ["relay.example/v1", "must be an address such as"],
    ["localhost:8000/v1", "must begin with `https://` or `http://`, got `localhost:`"],
    ["file:///etc/passwd", "must begin with `https://` or `http://`, got `file:`"],
    [`https://user:${OWN}@relay.example/v1`, "must not have a user or password in it"],
    [`https://${OWN}@relay.example/v1`, "must not have a user or password in it"],
    [`https://relay.example/v1?key=${OWN}`, "must not have `?` or `#` in it"],
    [`https://relay.example/${OWN}/v1`, "must not have the key in it"],
    [OWN, "must be an address such as"],
    ["http://relay.example/v1", "would send the key unencrypted to `relay.example`; use `https://`"],
    ["http://127.0.0.1.relay.example/v1", "would send the key unencrypted to `127.0.0.1.relay.example`"],
    ["http://127.evil.example/v1", "would send the key unencrypted"],
    ["http://localhost.evil.example/v1", "would send the key unencrypted"],
  ])("refuses the base URL %s, without printing what may be a key", (baseUrl, message) => {
    let error: unknown;
    try {
      embeddingSettingsFrom({ RANKPROOF_EMBEDDING_API_KEY: OWN, RANKPROOF_EMBEDDING_BASE_URL: baseUrl });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: "EMBEDDING_CONFIG",
      message: expect.stringContaining(`RANKPROOF_EMBEDDING_BASE_URL: ${message}`),
    });
    expect(String(error)).not.toContain(OWN);
  });
  it.each(["two words", "a\nb", "schlüssel", "“sk-quoted”"])(
    "refuses the key %j, which no header can have, without printing it",
    (key) => {
      expect(() => embeddingSettingsFrom({ OPENAI_API_KEY: key })).toThrow(
        expect.objectContaining({
          code: "EMBEDDING_CONFIG",
          message:
            "OPENAI_API_KEY: must be one word of plain characters, got something with others in " +
            "it; copy the key again",
        }),
      );
    },
  );
});
