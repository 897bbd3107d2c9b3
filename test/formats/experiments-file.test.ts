import { describe, expect, it } from "vitest";
import { fillConfiguration, fillNames, parseExperiments } from "../../src/formats/index.js";
import { failure } from "../support/failure.js";
import { pattern } from "../support/pattern.js";

const experiment = (parameters: Record<string, unknown>) => ({ name: "e", parameters, where: "e.json:1:1" });
const template = (text: string, target = "search.json") => ({ text, file: "t.json", target });

describe("an experiments file", () => {
  it("has experiments in their order, then every combination of a space", () => {
    const found = parseExperiments(
      "experiments:\n  - {name: plain, parameters: {boost: 1, fuzz: 2}}\n" +
        "space:\n  boost: [1, 2]\n  fuzz: {min: 0, max: 0.3, steps: 4}\ndefaults: {lang: de}\n",
      "e.yaml",
    );
    expect(found.map(({ name }) => name)).toEqual([
      "plain",
      ...[1, 2].flatMap((boost) => [0, 0.1, 0.2, 0.3].map((fuzz) => `boost=${boost}, fuzz=${fuzz}`)),
    ]);
    expect(found.map(({ parameters }) => parameters).slice(0, 2)).toEqual([
      { lang: "de", boost: 1, fuzz: 2 },
      { lang: "de", boost: 1, fuzz: 0 },
    ]);
  });

  it("tries a combination that is listed once", () => {
    const found = parseExperiments(
      '{"experiments": [{"name": "two", "parameters": {"b": 2}}], "space": {"b": [1, 2]}}',
      "e.json",
    );
    expect(found.map(({ name }) => name)).toEqual(["two", "b=1"]);
  });

  it.each([
    ["{", /e\.json:1:2: /],
    ["[]", /e\.json:1:1: the record must be a mapping/],
    ["{}", /has no experiments/],
    ['{"experiments": [{"name": "", "parameters": {}}]}', /e\.json:1:27: .*must not be empty/],
    ['{"experiments": [{"name": "a", "parameter": {}}]}', /did you mean `parameters`\?/],
    ['{"experiments": [{"name": "current", "parameters": {}}]}', /`current` is the original configuration/],
    [
      '{"experiments": [{"name": "a", "parameters": {}},\n{"name": "a", "parameters": {}}]}',
      /e\.json:2:1: two experiments are called `a`/,
    ],
    [
      '{"space": {"b": {"min": 1, "max": 2, "steps": 1}}}',
      /e\.json:1:47: space\.b\.steps must be a whole number from 2/,
    ],
    [
      `{"space": {"b": {"min": 1, "max": 2, "steps": 40}, "c": {"min": 1, "max": 2, "steps": 40}}}`,
      /1600 combinations/,
    ],
  ])("refuses %s", (text, message) => {
    const { code, message: said } = failure(() => parseExperiments(text, "e.json"));
    expect([code, said]).toEqual(["EXPERIMENTS", expect.stringMatching(message)]);
  });

  it("keeps hostile names as they are", () => {
    const [first] = parseExperiments(
      '{"experiments": [{"name": "__proto__", "parameters": {"__proto__": 1}}]}',
      "e.json",
    );
    expect(Object.keys(first?.parameters ?? {})).toEqual(["__proto__"]);
    expect(fillNames("{{__proto__}} {{constructor}}", first?.parameters ?? {})).toBe("1 {{constructor}}");
  });
});

describe("a template", () => {
  it("takes values as JSON has them, in quotes or not", () => {
    const text = '{"a": {{number}}, "b": "{{ word }}", "c": {{list}}}';
    const filled = fillConfiguration(
      template(text),
      experiment({ number: 0.5, word: 'say "x"\n', list: [1, "y"] }),
    );
    expect(JSON.parse(filled)).toEqual({ a: 0.5, b: 'say "x"\n', c: [1, "y"] });
  });

  it("writes into any other file what a value is", () => {
    expect(
      fillConfiguration(template("boost {{b}};\n# {not} ${taken}\n", "a.conf"), experiment({ b: "x y" })),
    ).toBe("boost x y;\n# {not} ${taken}\n");
  });

  it.each([
    [
      "{{boost}}",
      { bost: 1 },
      pattern(
        /`e` has no value for `boost`, which t\.json:1 takes.*\n.*nothing /,
        /in t\.json takes `bost` of `e`; did you mean `boost`\?/,
      ),
    ],
    ['{"a": {{b}}}', { b: "word" }, /`e` makes no JSON of t\.json:1:7/],
  ])("refuses %s with %o", (text, parameters, message) => {
    const { message: said } = failure(() => fillConfiguration(template(text), experiment(parameters)));
    expect(said).toMatch(message);
  });
});
