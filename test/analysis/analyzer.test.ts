import { describe, expect, it } from "vitest";
import * as lists from "stopword";
import {
  englishAnalyzer,
  fts5Analyzer,
  languageAnalyzer,
  languageNames,
  plainAnalyzer,
  wordAnalyzer,
  type Analyzer,
} from "../../src/retrieve/index.js";
import { wasmSqlite } from "../support/sqlite.js";

const termsOf = (analyzer: Analyzer, text: string): string[] =>
  analyzer.words(text).map((word) => analyzer.term(word));
const plain = (text: string): string[] => termsOf(plainAnalyzer, text);

describe("plain words", () => {
  it.each([
    [
      "lower case, parted by anything else",
      "Mach-2 flow, e.g. NASA_TN",
      ["mach", "2", "flow", "e", "g", "nasa", "tn"],
    ],
    [
      "accents of Latin letters are left out, composed or not",
      "Crème bru\u0302le\u0301e ÅNGSTRÖM",
      ["creme", "brulee", "angstrom"],
    ],
    ["marks of other scripts stay", "हिन्दी й Ё", ["हिन्दी", "й", "ё"]],
    ["Latin letters that are no accented ones stay", "Ørsted Łódź straße", ["ørsted", "łodz", "straße"]],
    [
      "full width, ligatures and small figures are what they look like",
      "Ｆｕｌｌ ﬁne H₂O Ⅳ",
      ["full", "fine", "h2o", "iv"],
    ],
    [
      "soft hyphens and joiners do not part a word, a space of no width does",
      "co\u00adoperate می\u200cخواهم one\u200btwo",
      ["cooperate", "میخواهم", "one", "two"],
    ],
    ["emoji are no words, in any colour or family", "❤️ 👍🏽 👩‍👩‍👧 ok", ["ok"]],
    ["a keycap is its digit", "1\ufe0f\u20e3", ["1"]],
    ["halves of characters part words", "a\ud800b \udc00", ["a", "b"]],
    ["object properties are words", "__proto__ constructor", ["proto", "constructor"]],
    ["nothing is in nothing", " \n?!\0", []],
  ])("%s", (_, text, expected) => {
    expect(plain(text)).toEqual(expected);
  });
});

describe("text without spaces between words", () => {
  it.each([
    ["Chinese: characters and pairs of neighbours", "黑豹队", ["黑", "豹", "黑豹", "队", "豹队"]],
    [
      "Japanese, whichever the script",
      "東京タワー",
      ["東", "京", "東京", "タ", "京タ", "ワ", "タワ", "ー", "ワー"],
    ],
    ["Korean", "노래가", ["노", "래", "노래", "가", "래가"]],
    ["half width is full width", "ﾀﾜｰ", ["タ", "ワ", "タワ", "ー", "ワー"]],
    ["a voicing mark belongs to its character", "ｶﾞｷ", ["ガ", "キ", "ガキ"]],
    ["a variant of a character is that character", "葛\u{e0100}飾", ["葛", "飾", "葛飾"]],
    ["Thai vowels belong to their consonant", "ดีครับ", ["ดี", "ค", "ดีค", "รั", "ครั", "บ", "รับ"]],
    ["characters beyond 16 bits are whole", "𠮷野", ["𠮷", "野", "𠮷野"]],
    ["punctuation parts, and so do Latin letters and digits", "队、AI队2", ["队", "ai", "队", "2"]],
  ])("%s", (_, text, expected) => {
    expect(plain(text)).toEqual(expected);
  });
});

describe("own analyzers", () => {
  it("stem gets words in lower case and none of text without spaces; accents go after it", () => {
    const seen: string[] = [];
    const analyzer = wordAnalyzer({ name: "own", stem: (word) => (seen.push(word), `${word}é`) });
    expect(termsOf(analyzer, "Été 文")).toEqual(["etee", "文"]);
    expect(seen).toEqual(["été"]);
  });
  it("stop words are matched as words are read, and one of several words stops none of them", () => {
    const analyzer = wordAnalyzer({ name: "own", stopWords: ["THE", "don't", "ﬁ"] });
    expect(["the", "don", "t", "fi"].map((word) => analyzer.isStopWord?.(word))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
  it("English brings the forms of a word together, and stops what says nothing", () => {
    expect(termsOf(englishAnalyzer, "Connected connections connecting")).toEqual([
      "connect",
      "connect",
      "connect",
    ]);
    expect(termsOf(englishAnalyzer, "Résumés resume")).toEqual(["resum", "resum"]);
    expect(["the", "of", "wing"].map((word) => englishAnalyzer.isStopWord?.(word))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

const FORMS: Readonly<Record<string, readonly [string, string]>> = {
  english: ["houses", "house"],
  arabic: ["الكتاب", "كتاب"],
  armenian: ["քաղաք", "քաղաքներ"],
  basque: ["mendi", "mendiak"],
  catalan: ["nacional", "nacionals"],
  czech: ["domy", "domu"],
  danish: ["husene", "huset"],
  dutch: ["katten", "kat"],
  finnish: ["talossa", "talosta"],
  french: ["continuellement", "continuelle"],
  german: ["Häusern", "Häuser"],
  hungarian: ["házak", "házakat"],
  irish: ["mbád", "bád"],
  italian: ["gatti", "gatto"],
  norwegian: ["husene", "huset"],
  portuguese: ["gatos", "gatas"],
  romanian: ["copil", "copilul"],
  russian: ["книги", "книгу"],
  slovene: ["knjige", "knjiga"],
  spanish: ["gatos", "gatas"],
  swedish: ["flicka", "flickorna"],
  turkish: ["evler", "evlerin"],
};
const CODES: Readonly<Record<string, string>> = {
  english: "eng",
  arabic: "ara",
  armenian: "hye",
  basque: "eus",
  catalan: "cat",
  czech: "ces",
  danish: "dan",
  dutch: "nld",
  finnish: "fin",
  french: "fra",
  german: "deu",
  hungarian: "hun",
  irish: "gle",
  italian: "ita",
  norwegian: "nob",
  portuguese: "por",
  romanian: "ron",
  russian: "rus",
  slovene: "slv",
  spanish: "spa",
  swedish: "swe",
  turkish: "tur",
};

describe.each(languageNames)("%s", (language) => {
  it("has its name, and terms for every word of its own and of text without spaces", async () => {
    const analyzer = await languageAnalyzer(language);
    expect(analyzer.name.replace(/ 2$/, "")).toBe(language);
    for (const word of analyzer.words("Wing հայերեն книга كتاب 2024 黑豹"))
      expect(analyzer.term(word)).not.toBe("");
  });
  it("gives the same terms every time, and for capitals", async () => {
    const analyzer = await languageAnalyzer(language);
    const text = (FORMS[language] ?? ["Wing"])[0];
    expect(termsOf(analyzer, text)).toEqual(termsOf(await languageAnalyzer(language), text.toUpperCase()));
  });
  if (language in FORMS) {
    it("brings two forms of a word together", async () => {
      const [one, other] = FORMS[language] as readonly [string, string];
      const analyzer = await languageAnalyzer(language);
      expect(termsOf(analyzer, one)).toEqual(termsOf(analyzer, other));
    });
    it("knows every stop word of its list that is one word, in text", async () => {
      const analyzer = await languageAnalyzer(language);
      const list = (lists as unknown as Record<string, readonly string[]>)[CODES[language] as string] ?? [];
      const single = list.map((word) => analyzer.words(word)).filter((words) => words.length === 1);
      expect(single.length).toBeGreaterThan(20);
      expect(single.filter(([word]) => analyzer.isStopWord?.(word as string) !== true)).toEqual([]);
    });
  } else {
    it("stops no word", async () => {
      const analyzer = await languageAnalyzer(language);
      expect(analyzer.words("the of und 的").some((word) => analyzer.isStopWord?.(word) === true)).toBe(
        false,
      );
    });
  }
});

it("a language that nobody knows is refused with the nearest one", async () => {
  await expect(languageAnalyzer("germn")).rejects.toThrow("did you mean `german`?");
  await expect(languageAnalyzer("__proto__")).rejects.toMatchObject({ code: "ARGUMENT" });
});

describe("fts5Analyzer and SQLite's own porter unicode61", () => {
  const database = wasmSqlite();
  database.exec(
    "CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61'); CREATE VIRTUAL " +
      "TABLE terms USING fts5vocab(words, 'instance')",
  );
  const sqlite = (text: string): string[] => {
    database.exec("DELETE FROM words");
    database.prepare("INSERT INTO words VALUES (?)").run(text);
    return (database.prepare("SELECT term FROM terms ORDER BY offset").all() as { term: string }[]).map(
      ({ term }) => term,
    );
  };
  it.each([
    "мяs ϕ ϑeta ϱ 汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字汉字gpus naïves",
    "Connected relational generalizations, hopping skies: oscillate agreed 1960s x15",
    "Crème brûlée, e\u0301te\u0301, ÅNGSTRÖM, Việt Nam, Łódź, Ørsted, Ǽ",
    "हिन्दी में, สวัสดีครับ, ไทย",
    "ΟΔΟΣ ὀξύς, 5 µm, ſix, Йод Ёлка",
    "黑豹队的防守 東京タワー 노래가",
    "snake_case __proto__ \u{1d400}bold e\u0300\u0316x",
    "a\u0301 \u0301b ❤ ab",
    `${"long".repeat(16)}s ${"long".repeat(17)}s`,
  ])("agree on %s", (text) => {
    expect(termsOf(fts5Analyzer, text)).toEqual(sqlite(text));
  });
});

describe("words are found however they are spelled", () => {
  it.each([
    ["turkish", "KIRMIZI AYAKKABI IŞIK", "kırmızı ayakkabı ışık"],
    ["turkish", "WIFI IPHONE NIKE AUDI VISIBLE", "wifi iphone nike audi visible"],
    ["turkish", "kirmizi", "KIRMIZI"],
    ["turkish", "İYİ İKİ".toLowerCase(), "İYİ İKİ"],
    ["romanian", "povestește abilități OPERAȚIUNI", "povesteşte abilităţi operaţiuni"],
    ["russian", "ёлки ЗЕЛЁНЫЙ", "елка зеленый"],
  ])("in %s: %s as %s", async (language, one, other) => {
    const analyzer = await languageAnalyzer(language);
    expect(termsOf(analyzer, one.normalize("NFD"))).toEqual(termsOf(analyzer, other));
  });
  it.each([
    ["turkish", `İYİ İÇİN İLE ${"İYİ İÇİN".toLowerCase()}`],
    ["romanian", "și"],
    ["russian", "её ещё"],
  ])("in %s: %s are stop words", async (language, text) => {
    const analyzer = await languageAnalyzer(language);
    expect(analyzer.words(text).filter((word) => analyzer.isStopWord?.(word) !== true)).toEqual([]);
  });
});
