import { describe, expect, it } from "vitest";
import { editConfig } from "../../src/formats/index.js";

const RRF = { method: "rrf(k=10)", normalize: "none" };
const edit = (text: string, file = "c.yaml"): string => editConfig(text, file, "fusion", RRF);
const ADDED = "fusion:\n  method: rrf(k=10)\n  normalize: none\n";

describe("a configuration with a setting changed", () => {
  it.each([
    ["a new file", "", ADDED],
    [
      "comments and odd spaces",
      "# ours\na:   1 # why\nb:\n- x\n# end\n",
      `# ours\na:   1 # why\nb:\n- x\n# end\n${ADDED}`,
    ],
    ["a file without a last line end", "a: 1", `a: 1\n${ADDED}`],
    ["values of the environment", "store: ${HOME}/x\n", `store: \${HOME}/x\n${ADDED}`],
    [
      "a setting that is there",
      "fusion:\n  # why\n  method: wsum(weights=1/2) # inner\n  normalize: zmuv\nz: 1\n",
      "fusion:\n  # why\n  method: rrf(k=10) # inner\n  normalize: none\nz: 1\n",
    ],
    [
      "quotes",
      `fusion: { method: "rrf", normalize: 'max' } # flow\n`,
      "fusion: { method: rrf(k=10), normalize: none } # flow\n",
    ],
  ])("keeps %s", (_, text, wanted) => {
    expect(edit(text)).toBe(wanted);
  });

  it.each([
    [
      "line ends, spaces, comments and large numbers where a setting is missing",
      "fusion:\r\n    method: rrf # keep\r\n\r\nid: 1234567890123456789\r\n",
      "fusion:\r\n    method: rrf(k=10) # keep\r\n    normalize: none\r\n\r\nid: 1234567890123456789\r\n",
    ],
    [
      "the comment of a key without settings",
      "fusion: # later\nport: 0x1F\n",
      "fusion: # later\n  method: rrf(k=10)\n  normalize: none\nport: 0x1F\n",
    ],
    [
      "a last line without an end",
      "fusion:\n  normalize: max",
      "fusion:\n  normalize: none\n  method: rrf(k=10)\n",
    ],
    [
      "a mapping in braces",
      "fusion: {method: rrf}   # short\nz:   1\n",
      "fusion: {method: rrf(k=10), normalize: none}   # short\nz:   1\n",
    ],
    ["all in braces", "{ a: 1 }\n", "{ a: 1, fusion: { method: rrf(k=10), normalize: none } }\n"],
  ])("keeps %s", (_, text, wanted) => {
    expect(edit(text)).toBe(wanted);
  });

  it("begins anew behind comments that end", () => {
    expect(edit("# ours\n...\n")).toMatch(/fusion:\n {2}method: rrf\(k=10\)\n {2}normalize: none\n/);
  });

  it("quotes in braces what would end there", () => {
    const settings = { method: "x(a=1,b=2)", normalize: "none" };
    const edited = editConfig("fusion: {method: rrf}\n", "c.yaml", "fusion", settings);
    expect(edited).toBe('fusion: {method: "x(a=1,b=2)", normalize: none}\n');
  });

  it("keeps numbers and spaces of JSON", () => {
    const json = (fusion: string): string =>
      `{\r\n  "id": 12345678901234567890,\r\n  "share": 1.0,   "x": 1e3${fusion}\r\n}`;
    expect(edit(json(""), "c.json")).toBe(
      json(',\r\n  "fusion": {\r\n    "method": "rrf(k=10)",\r\n    "normalize": "none"\r\n  }'),
    );
    expect(edit(json(', "fusion": {"method": "rrf"}'), "c.json")).toBe(
      json(', "fusion": {"method": "rrf(k=10)","normalize": "none"}'),
    );
    expect(edit("{}", "c.json")).toBe('{"fusion":{"method":"rrf(k=10)","normalize":"none"}}');
    expect(edit('{"id": 1.0, "fusion": {}}', "c.json")).toBe(
      '{"id": 1.0, "fusion": {"method":"rrf(k=10)","normalize":"none"}}',
    );
  });

  it("keeps line ends of Windows", () => {
    expect(edit("a: 1\r\n")).toBe(`a: 1\r\n${ADDED.replaceAll("\n", "\r\n")}`);
  });

  it("adds the setting that is missing below the key", () => {
    expect(edit("fusion:\n  method: rrf # why\n")).toBe(
      "fusion:\n  method: rrf(k=10) # why\n  normalize: none\n",
    );
  });

  it.each([
    ["a document that ends", "a: 1\n...\n"],
    ["anchors", "a: &x { method: rrf, normalize: max }\nfusion: *x\n"],
  ])("writes %s anew, and changes nothing else", (_, text) => {
    expect(edit(text)).toMatch(/a:/);
    expect(edit(text)).toContain("rrf(k=10)");
  });

  it("keeps the form of JSON", () => {
    expect(edit('{\n\t"a": 1\n}\n', "c.json")).toBe(
      '{\n\t"a": 1,\n\t"fusion": {\n\t\t"method": "rrf(k=10)",\n\t\t"normalize": "none"\n\t}\n}\n',
    );
    expect(edit('{"a":1}\n', "c.json")).toBe('{"a":1,"fusion":{"method":"rrf(k=10)","normalize":"none"}}\n');
  });

  it.each([
    ["- a list\n", "c.yaml", "must be a mapping"],
    ["a: [1\n", "c.yaml", "cannot be read: Flow sequence in block collection must be sufficiently indented"],
    ["a: 1\na: 2\n", "c.yaml", "cannot be read: Map keys must be unique at line 2, column 1"],
    ["[1]", "c.json", "must be a mapping"],
    ["{", "c.json", "cannot be read: Expected property name"],
  ])("refuses %j", (text, file, why) => {
    expect(() => edit(text, file)).toThrow(`${file}: ${why}`);
  });
});
