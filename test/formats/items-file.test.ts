import { describe, expect, it } from "vitest";
import { parseItems } from "../../src/formats/index.js";
import { failure } from "../support/failure.js";

const items = [
  { id: "0", fields: { title: 'bed, "solid"', class: "Beds" } },
  { id: "1", fields: { title: "desk" } },
];

describe("items of a corpus", () => {
  it.each([
    [
      "JSONL",
      '{"product_id": 0, "title": "bed, \\"solid\\"", "class": "Beds"}\n{"sku": "1", "title": "desk"}\n',
    ],
    [
      "a JSON list",
      '[{"_id": "0", "title": "bed, \\"solid\\"", "class": "Beds"}, {"item_id": "1", "title": "desk"}]',
    ],
    ["a table with commas", '\ufeffTitle,Product_ID,class\r\n"bed, ""solid""",0,Beds\r\ndesk,1,\r\n'],
    ["a table with tabs", 'product_id\ttitle\tclass\t\n0\t"bed, ""solid"""\tBeds\t\n\n1\tdesk\t\t\n'],
  ])("%s", (_, text) => {
    expect(parseItems(text)).toEqual(items);
  });
  it("have the names of hostile columns, too", () => {
    const [item] = parseItems("id,__proto__\n1,x\n");
    expect(Object.entries(item?.fields ?? {})).toEqual([["__proto__", "x"]]);
  });
  it("have the id of one column, in words whatever quotes they have, and each column once", () => {
    expect(failure(() => parseItems("id,sku,title\n7,A1,foo\n,A2,bar\n", "i.csv")).message).toMatch(
      /^i\.csv:3:1: an item needs an id/,
    );
    expect(parseItems('id\ttitle\n1\t"ok computer\n2\t7" pan\n3\t"""kid"" a"\n')).toEqual([
      { id: "1", fields: { title: '"ok computer' } },
      { id: "2", fields: { title: '7" pan' } },
      { id: "3", fields: { title: '"kid" a' } },
    ]);
    expect(failure(() => parseItems("id,title,Title\n1,foo,bar\n", "i.csv")).message).toBe(
      "i.csv:1:10: column `title` is duplicated; keep one",
    );
  });
  it("say what is wrong with a table, and where", () => {
    const { code, message } = failure(() => parseItems("title,id\na,1\nb,1\nc,\nd,2,3\n", "c.csv"));
    expect(code).toBe("CORPUS_SHAPE");
    expect(message.split("\n")).toEqual([
      "c.csv:3:3: id `1` is duplicated; every item needs an id of its own",
      expect.stringMatching(/^c\.csv:4:3: an item needs an id: a text in `id`, `_id`, /),
      "c.csv:5:1: the header names 2 columns, this line has 3",
    ]);
  });
});
