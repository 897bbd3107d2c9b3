import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseAssessments } from "../../src/formats/index.js";
import { inProcess } from "./in-process.js";

const hasOffice = spawnSync("soffice", ["--version"]).status === 0;
const ITEMS = [
  { id: "0012", title: "Red shoe" },
  { id: "1e5", title: "=1+1 red shoe" },
  { id: "2024-01-02", title: 'Red shoe; "blue"\nline' },
  { id: "__proto__", title: "red shoe, TRUE" },
  { id: "3,5", title: "-5 red shoe ü 🙂" },
];

describe.skipIf(!hasOffice)(
  `a sheet of labels in LibreOffice${hasOffice ? "" : " (skipped: install libreoffice-calc)"}`,
  () => {
    beforeEach(() => {
      vi.stubEnv("RANKPROOF_CONFIG", join(mkdtempSync(join(tmpdir(), "none-")), "none.yaml"));
      writeFileSync(process.env["RANKPROOF_CONFIG"] ?? "", "{}\n");
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    it.each([
      ["commas", "44"],
      ["semicolons", "59"],
      ["tabs", "9"],
    ])("goes there and back with every grade at its pair, saved with %s", async (_, separator) => {
      const folder = mkdtempSync(join(tmpdir(), "rankproof-sheet-"));
      const file = (name: string): string => join(folder, name);
      writeFileSync(file("queries.txt"), "red shoe\n");
      writeFileSync(file("items.jsonl"), ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""));
      const flags = ["--queries", file("queries.txt"), "--corpus", file("items.jsonl")];
      const label = (...args: string[]) =>
        inProcess("label", ...args, ...flags, "--labels", file("labels.sqlite"));
      await label("build");
      const { stdout } = await label("sheet");
      const grades = new Map(ITEMS.map(({ id }, at) => [id, at % 4]));
      // As a person does, by the item's row; the last two columns are grade and note.
      const rows = stdout.split(/\r\n(?=p\.|$)/).map((row) => {
        const item = ITEMS.find(({ id }) => row.includes(`,red shoe,${id},`) || row.includes(`,"${id}",`));
        return item === undefined ? row : row.replace(/,,$/, `,${grades.get(item.id)},`);
      });
      writeFileSync(file("sheet.csv"), rows.join("\r\n"));
      const convert = (to: string, from: string, ...options: string[]): void => {
        const profile = `-env:UserInstallation=file://${file("profile")}`;
        const args = [profile, "--headless", ...options, "--convert-to", to, "--outdir", folder, file(from)];
        expect(spawnSync("soffice", args).status).toBe(0);
      };
      convert("ods", "sheet.csv", "--infilter=CSV:44,34,76,1");
      renameSync(file("sheet.csv"), file("before.csv"));
      convert(`csv:Text - txt - csv (StarCalc):${separator},34,76,1`, "sheet.ods");
      // It takes ids for numbers, which is why pairs have names of their own.
      expect(readFileSync(file("sheet.csv"), "utf8")).not.toContain("0012");
      const { stderr } = await label("import", file("sheet.csv"), "--rater", "anna");
      expect(stderr).toMatch(/^5 new assessments/);
      const exported = (await inProcess("label", "export", "--labels", file("labels.sqlite"))).stdout;
      const said = parseAssessments(exported).filter(({ rater }) => rater.name === "anna");
      expect(new Map(said.map(({ item, grade }) => [item, grade]))).toEqual(grades);
    });
  },
);
