import { describe, expect, it } from "vitest";
import { InputError } from "../../src/foundation/errors/errors.js";
import { parseDocuments } from "../../src/formats/index.js";

describe("documents of a collection", () => {
  it.each([
    [
      "as BEIR has them",
      '{"_id": "d", "title": "T", "text": "body", "metadata": {}}\r\n\n{"_id": "e", "text": ""}',
      [
        ["d", "T", "body"],
        ["e", "", ""],
      ],
    ],
    [
      "by other names, the first that is there",
      '{"docid": "__proto__", "contents": "a"}\n{"id": 7, "content": "b", "contents": "no", ' +
        '"title": null}\n{"doc_id": "c:1\\n", "body": "c"}',
      [
        ["__proto__", "", "a"],
        ["7", "", "b"],
        ["c:1\n", "", "c"],
      ],
    ],
    [
      "in a JSON list",
      '[{"id": "a", "text": "x"},\n{"id": "b", "text": "y"}]',
      [
        ["a", "", "x"],
        ["b", "", "y"],
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(parseDocuments(text).map(({ id, title, text: body }) => [id, title, body])).toEqual(expected);
    expect(parseDocuments(new TextEncoder().encode(text))).toEqual(parseDocuments(text));
  });
  it.each([
    ["", "CORPUS_SHAPE", 'c: has no documents; give one `{"id": …, "text": …}` a line'],
    ["[]", "CORPUS_SHAPE", 'c: has no documents; give one `{"id": …, "text": …}` a line'],
    ["[{]", "CORPUS_SYNTAX", "c:1:3: expected a key in double quotes, got `]`"],
    [
      '{"text": "x"}\n{"id": "1", "text": "a"}\n{oops\n{"id": "1", "text": "b"}\n{"id": 1, "text": ' +
        '"c"}\n{"id": "2", "text": null}\n{"id": "3"}\n3',
      "CORPUS_SYNTAX",
      [
        "c:1:1: one of `_id`, `id`, `doc_id`, `docid` must be a string that is not empty; it has `text`",
        "c:3:2: expected a key in double quotes, got `oops`",
        "c:4:8: id `1` is duplicated; every record needs an id of its own",
        "c:5:8: id `1` is duplicated; every record needs an id of its own",
        "c:6:21: text must be a string, got `null`",
        "c:7:1: one of `text`, `body`, `content`, `contents` must be a string; it has `id`",
        "c:8:1: one of `_id`, `id`, `doc_id`, `docid` must be a string that is not empty; it has no fields",
      ].join("\n"),
    ],
    [
      '[{"id": "1", "text": "a"},\n {"id": "1", "text": "b"}]',
      "CORPUS_SHAPE",
      "c:2:9: id `1` is duplicated; every record needs an id of its own",
    ],
  ])("says what is wrong with %j, and where", (text, code, message) => {
    try {
      parseDocuments(text, "c");
    } catch (error) {
      expect((error as InputError).message).toBe(message);
      expect((error as InputError).problems.map((problem) => problem.code)).toContain(code);
      return;
    }
    expect.unreachable();
  });
});
