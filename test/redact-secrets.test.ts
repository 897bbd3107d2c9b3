import { describe, expect, it } from "vitest";
import { isSecretKey, isSecretText, redactSecrets } from "../src/redact-secrets.js";

/** Random, and nobody's. */
const RANDOM = "q7ZpL2vXk9RtB4mWs8Yd";
const HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

describe("keys of secrets", () => {
  it.each([
    "password", "passwd", "PGPASSWORD", "db_password", "pwd", "pass", "smtpPass", "passphrase", "passcode", "secret", "client_secret", "clientsecret", "credentials", "authorization", "Authorization-Header", "cookie", "session", "session_id", "sessionToken", "signature", "sig", "bearer", "jwt", "dsn",
    "auth", "api_key", "apiKey", "API-KEY", "APIKEY", "APIKEY2", "api_key_2", "openaikey", "openai_api_key_prod", "key", "accessKey", "private_key_pem", "signing-key", "encryptionKey", "ssh_key", "account_key", "token", "tokens", "auth_token", "openai-token-value", "hf_token", "refresh_token", "webhook_url", "connection_string",
    "clé", "CLÉ_API", "mot_de_passe", "contraseña", "Passwort", "schlüssel", "senha", "пароль", "密码", "api密钥".replace("api", "api_"), "パスワード", "비밀번호", "salt", "otp",
  ])("%s", (key) => expect(isSecretKey(key)).toBe(true));
  it.each(["max_tokens", "num_tokens", "tokenizer", "sort_key", "primary_key", "pad_token", "stop_tokens", "keywords", "monkey", "keyboard", "passage", "passages", "bypass_cache", "compass", "author", "design", "signal", "sessions_per_day", "model", "chunk_size"])("%s is none", (key) => expect(isSecretKey(key)).toBe(false));
});

describe("texts that are secret under any key", () => {
  it.each([
    "sk-proj-abcdefgh12345678", "sk-ant-api03-abcdefgh", "sk_live_abcdefgh1234", "rk_test_abcdefgh1234", "ghp_abcdefghij0123456789", "gho_abcdefghij0123", "github_pat_11ABCDEFG0abcdef", "glpat-abcdefgh1234", "hf_abcdefghijklmnop", "npm_abcdefghijklmnop", "pypi-AgEIcHlwaS5vcmcCJDU2", "xoxb-123456789012-abcdef", "xapp-1-A0000-1234567", "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE", "AIzaSyA-abcdefghij", "ya29.a0AfH6SMBabcdef", "SG.abcdefghij.klmnop", "hvs.CAESIabcdefghij", `dapi${HEX}`, `AC${HEX}`, `key-${HEX}`, "dop_v1_abcdefghijkl", "shpat_abcdefghijkl", "lin_api_abcdefghijkl", "gsk_abcdefghijkl", "xai-abcdefghijkl", "r8_abcdefghijklmn", "pcsk_abcdefghijkl", "ntn_abcdefghijkl",
    "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", "Bearer abcdefgh1234", "Basic dXNlcjpwYXNzd29yZA==", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "-----BEGIN PRIVATE KEY-----", "https://user:pw@host/x", "postgres://me:pw@db/x", "https://host/x?api_key=abc", "https://hooks.slack.com/services/T0/B0/x", "https://discord.com/api/webhooks/1/x", "Server=x;Password=abc;",
    RANDOM, `https://host/${RANDOM}/x`, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  ])("%s", (text) => expect(isSecretText(text, "note")).toBe(true));
  it.each([
    ["note", "text-embedding-3-small"], ["base_url", "https://api.example.com/v1/embeddings"], ["base_url", "http://localhost:11434/api/embed"], ["prompt", "Answer only from the passages below, and cite each of them."], ["chunker", "windows(size=900, overlap=120)"], ["revision", "9fceb02d0ae598e95dc970b74767f19372d61af8"],
    ["commit", RANDOM], ["prompt_hash", RANDOM], ["chunker_version", RANDOM], ["image_digest", RANDOM], ["file_sha", RANDOM], ["sha256", RANDOM], ["uuid", RANDOM], ["run_id", RANDOM], ["model", RANDOM], ["model_name", RANDOM], ["commitHash", RANDOM],
  ])("%s: %s is none", (key, text) => expect(isSecretText(text, key)).toBe(false));
  it("a known make is secret under a name that may be random, too", () => expect(isSecretText("sk-proj-abcdefgh12345678", "model")).toBe(true));
});

it("a configuration is copied without its secrets, which are named by their paths", () => {
  const config = { embedding: { model: "e5", headers: [{ Authorization: "x" }, { "x-key": 7 }] }, note: RANDOM, "__proto__x": null, pass: null, again: "[redacted]" };
  expect(redactSecrets(config)).toEqual({
    config: { embedding: { model: "e5", headers: [{ Authorization: "[redacted]" }, { "x-key": "[redacted]" }] }, note: "[redacted]", "__proto__x": null, pass: null, again: "[redacted]" },
    paths: ["embedding.headers[0].Authorization", "embedding.headers[1].x-key", "note"],
  });
});
