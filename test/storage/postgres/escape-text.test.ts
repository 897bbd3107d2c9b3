import { describe, expect, it } from "vitest";
import { withoutUrlPasswords } from "../../../src/cli/without-url-passwords.js";
import { storeName } from "../../../src/node/index.js";
import { placeOf, schemaOf, withoutPassword } from "../../../src/storage/postgres/address.js";
import { postgresProblem } from "../../../src/storage/postgres/problem.js";
import { unescapeText, keyOf, escapeText } from "../../../src/storage/postgres/escape-text.js";

const URL_WITH_ALL = "postgresql://anna:p%40ss-word@db:5432/eval?schema=team&password=second-one";

describe("texts in PostgreSQL", () => {
  it.each(["", "plain", "a\0b", "\ud800", "\\0000", "\\", "🙂", "x\udfff\\\0", "line\nbreak"])(
    "keeps %j",
    (text) => {
      expect(escapeText(text)).not.toMatch(/\0/);
      expect(escapeText(text).isWellFormed()).toBe(true);
      expect(unescapeText(escapeText(text))).toBe(text);
    },
  );

  it("leaves usual texts as they are, and tells lists of texts apart", () => {
    expect(escapeText("naïve 文 🙂")).toBe("naïve 文 🙂");
    expect(escapeText("a\0\\")).toBe("a\\0000\\005c");
    expect(keyOf("a", "bc")).not.toBe(keyOf("ab", "c"));
    expect(keyOf("\ud800")).not.toBe(keyOf("\ud801"));
  });
});

describe("addresses of databases", () => {
  it("are named without user and password", () => {
    expect(placeOf(URL_WITH_ALL)).toBe("postgresql://db:5432/eval?schema=team");
    expect(schemaOf(URL_WITH_ALL, undefined)).toBe("team");
    expect(schemaOf("postgres://db/eval", undefined)).toBe("rankproof");
    expect(() => schemaOf("postgres://db/eval?schema=", undefined)).toThrow(/1 to 63 bytes/);
  });

  it("in the forms of other programs are refused, without the password", () => {
    for (const name of [
      "host=db user=me password=geheim1",
      "postgres:admin:geheim1@db",
      " postgresql:geheim1",
    ])
      expect(() => storeName(name)).toThrow(/^a store is a file, or a database at (?!.*geheim)/s);
    expect(storeName("password.sqlite")).toBe("password.sqlite");
  });
  it.each(["hun@ter/secretpart", "p@ss/w#rd", "a/b#secretpart", "w#rd", "12?secret", "s?cret"])(
    "of which a password is misread are refused without it: %s",
    (password) => {
      const url = `postgresql://anna:${password}@localhost:5544/eval`;
      expect(placeOf(url)).toBe("PostgreSQL");
      if (URL.canParse(url))
        expect(() => schemaOf(url, undefined)).toThrow(
          /^PostgreSQL: the address cannot be read as it is; in a password write `\/` as %2F, /,
        );
      expect(withoutUrlPasswords(`kept in ${url}.`)).toBe(
        "kept in postgresql://anna:***@localhost:5544/eval.",
      );
    },
  );
  it.each([
    ["42P05", 'prepared statement "26003cc3" already exists'],
    ["08P01", "transaction blocks not allowed in statement pooling mode"],
  ])("of a pooler that parts sessions lead to another: %s", (code, message) => {
    const problem = postgresProblem(Object.assign(new Error(message), { code }), URL_WITH_ALL) as Error;
    expect(problem.message).toBe(
      `postgresql://db:5432/eval?schema=team: ${message}; name the server itself, or a pooler that is in ` +
        "session mode",
    );
  });
  it.each([
    [
      "password authentication failed",
      "look at user and password, which may also stand in PGPASSWORD or ~/.pgpass",
    ],
    [
      "SASL authentication failed",
      "look at user and password, which may also stand in PGPASSWORD or ~/.pgpass",
    ],
    ["no such database: passwords", "create the database first, with createdb"],
    ['database "nodb" does not exist', "create the database first, with createdb"],
    ["query_wait_timeout", "is the server up?"],
  ])("behind a pooler, which has one code for all, say what to do: %s", (message, hint) => {
    const problem = postgresProblem(Object.assign(new Error(message), { code: "08P01" }), URL_WITH_ALL);
    expect((problem as Error).message).toBe(`postgresql://db:5432/eval?schema=team: ${message}; ${hint}`);
  });
  it("lose their passwords in what is printed, however they are written", () => {
    expect(withoutPassword("p@ss-word p%40ss-word second-one", URL_WITH_ALL)).toBe("*** *** ***");
    expect(withoutUrlPasswords(`kept in ${URL_WITH_ALL} and more: a@b`)).toBe(
      "kept in postgresql://anna:***@db:5432/eval?schema=team&password=*** and more: a@b",
    );
    expect(withoutUrlPasswords("postgres://:x@y@h/d")).toBe("postgres://:***@h/d");
    for (const text of ['{"store":"postgres://h:5432/db","by":"me@x.org"}', "postgres://h:5432/db?user=a@b"])
      expect(withoutUrlPasswords(text)).toBe(text);
    expect(withoutUrlPasswords("postgresql://h:5432/a,postgresql://u:p,w@h/b")).toBe(
      "postgresql://h:5432/a,postgresql://u:***@h/b",
    );
    expect(withoutUrlPasswords("into postgresql://r4:sec ret99@h:5432/eval")).toBe(
      "into postgresql://r4:***@h:5432/eval",
    );
    expect(withoutUrlPasswords("postgresql://h/eval?sslpassword=a,b&user=c")).toBe(
      "postgresql://h/eval?sslpassword=***&user=c",
    );
    for (const password of ["a,b#c", "a,b?c", "it's?x", "a'b c", "my p@ss", "a b/c"])
      expect(withoutUrlPasswords(`no file postgres://u:${password}@h/db`)).toBe(
        "no file postgres://u:***@h/db",
      );
    for (const text of ["postgres://h:5432 is down; mail a@b", "postgres://h:5432, ask a@b"])
      expect(withoutUrlPasswords(text)).toBe(text);
    expect(withoutUrlPasswords("postgres://db/eval of a:b@c")).toBe("postgres://db/eval of a:b@c");
  });
});
