import { describe, expect, it } from "vitest";
import { formatSampleSheet, parseSampleSheet } from "../../src/formats/index.js";
import type { SampleRow } from "../../src/records/index.js";

const row = (more: Partial<SampleRow> = {}): SampleRow => ({
  case_id: "c1",
  query_type: "exact",
  query: "red shoes",
  item: "101:method:0",
  text: 'Red, "really" red\nshoes',
  label: null,
  ...more,
});
const HEAD = "label,case_id,query_type,query,item,text\r\n";

describe("a sheet as CSV", () => {
  it("is read as it was written, whatever is in it", () => {
    const rows = [
      row(),
      row({ item: "=1+1", case_id: "__proto__" }),
      row({ item: "-1", text: "'=quoted" }),
      row({ item: " ", query: "日本 \t x" }),
      row({ item: "@x", label: "broad" }),
    ];
    expect(parseSampleSheet(formatSampleSheet(rows))).toEqual(rows);
  });
  it("begins with the label, and runs nothing in a spreadsheet", () => {
    expect(formatSampleSheet([row({ item: "=cmd()", text: "t" })])).toBe(
      `\ufeff${HEAD},c1,exact,red shoes,'=cmd(),t\r\n`,
    );
  });
  it("may come back with semicolons, tabs, other orders, capitals and blanks", () => {
    expect(parseSampleSheet("item;Label;CASE_ID\n a ;Grounded ;c1\nb;;c1\n")).toMatchObject([
      { item: " a ", label: "grounded" },
      { item: "b", label: null },
    ]);
    expect(parseSampleSheet("\ufefflabel\tcase_id\titem\nMISS\tc1\ta\n")).toMatchObject([{ label: "miss" }]);
  });
  it("lines of nothing but separators are nobody's", () => {
    expect(parseSampleSheet(`${HEAD}miss,c1,x,q,a,t\r\n,,,,,\r\n ,,,,,\r\n`)).toHaveLength(1);
  });
  it.each([
    [
      "a label that is none",
      `${HEAD}good,c1,x,q,a,t\r\n,c1,x,q,b,t\r\nbad,c1,x,q,c,t\r\n`,
      [
        "sheet.csv:2:1: label must be grounded, broad, miss or empty, got `good`",
        "sheet.csv:4:1: label must be grounded, broad, miss or empty, got `bad`",
      ],
    ],
    [
      "a hit twice",
      `${HEAD}miss,c1,x,q,a,t\r\nmiss,c1,x,q,a,t\r\n`,
      ["sheet.csv:3:1: hit `a` of case `c1` is duplicated; keep one line"],
    ],
    [
      "another header",
      "a,b\n1,2\n",
      [
        "sheet.csv:1: the first line must name the columns `label`, `case_id`, `item`, `label`, " +
          "`case_id`, `item` are missing; give the sheet that `bench sample` wrote",
      ],
    ],
    ["nothing", "", ["sheet.csv: is empty; give the sheet that `bench sample` wrote"]],
    [
      "an open quote",
      `${HEAD}"miss,c1,x,q,a,t\r\n`,
      ['sheet.csv:2:1: a quote is opened and never closed; end the field with `"`'],
    ],
  ])("refuses %s", (_, text, messages) => {
    expect(() => parseSampleSheet(text)).toThrow(messages.join("\n"));
  });
});
