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

  it("keeps line ends of Windows", () => {
    expect(edit("a: 1\r\n")).toBe(`a: 1\r\n${ADDED.replaceAll("\n", "\r\n")}`);
  });

  it("adds the setting that is missing below the key", () => {
    expect(edit("fusion:\n  method: rrf # why\n")).toBe(
      "fusion:\n  method: rrf(k=10) # why\n  normalize: none\n",
    );
  });

  it.each([
    ["flow", "{ a: 1 }\n"],
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
    expect(edit('{"a":1}', "c.json")).toBe('{"a":1,"fusion":{"method":"rrf(k=10)","normalize":"none"}}\n');
  });

  it.each([
    ["- a list\n", "c.yaml"],
    ["a: [1\n", "c.yaml"],
    ["[1]", "c.json"],
    ["{", "c.json"],
  ])("refuses %j", (text, file) => {
    expect(() => edit(text, file)).toThrow(/must be a mapping/);
  });
});
