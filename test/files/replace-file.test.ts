import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { replaceFile } from "../../src/files/replace-file.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-replace-"));
});

it.runIf(process.platform === "linux")("ends where no folder can be made, such as under /proc", () => {
  expect(() => replaceFile("/proc/rankproof/sub/file.txt", "x")).toThrow("cannot be written");
});

describe("replaceFile", () => {
  it("looks a last time when everything is on the disk; what that throws leaves the file as it was", () => {
    const path = join(folder, "report.md");
    writeFileSync(path, "old");
    const stop = new Error("stop");
    const attempt = (): void =>
      replaceFile(path, "new", "STORE_WRITE", {
        before(temporary) {
          expect(readdirSync(folder)).toContain(basename(temporary));
          expect(readFileSync(temporary, "utf8")).toBe("new");
          throw stop;
        },
      });
    expect(attempt).toThrow("stop");
    expect(readdirSync(folder)).toEqual(["report.md"]);
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  it.each([201, 243, 255])("writes files whose names have %i bytes", (bytes) => {
    const name = `${"é".repeat(Math.floor(bytes / 2))}${bytes % 2 === 1 ? "x" : ""}`;
    replaceFile(join(folder, name), "text");
    expect(readdirSync(folder)).toEqual([name]);
  });

  it("says that a name is too long, and leaves nothing behind", () => {
    const path = join(folder, "n".repeat(256));
    expect(() => replaceFile(path, "text")).toThrow(
      expect.objectContaining({
        code: "FILE_UNWRITABLE",
        message: `${path}: cannot be written: the name is too long; the file is as it was`,
      }),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it(
    "writes to what a symbolic link leads to, whether that is there or not, through several links " +
      "and folders",
    () => {
      symlinkSync("two.md", join(folder, "one.md"));
      symlinkSync(join(folder, "new", "target.md"), join(folder, "two.md"));
      for (const text of ["first", "second"]) {
        replaceFile(join(folder, "one.md"), text);
        expect(readFileSync(join(folder, "new", "target.md"), "utf8")).toBe(text);
      }
      expect(lstatSync(join(folder, "one.md")).isSymbolicLink()).toBe(true);
      expect(existsSync(join(folder, "two.md"))).toBe(true);
    },
  );
});
