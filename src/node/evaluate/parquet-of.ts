import { InputError, quote } from "../../foundation/errors/index.js";
import { parquetPackage } from "./open-parquet.js";
import { parseJson } from "../../foundation/text/index.js";

/**
 * Lines of JSON as a Parquet file: a column for each key, of numbers where all values are numbers, of JSON
 * where any is an object, else of text.
 *
 * @param path as messages name it.
 */
export async function parquetOf(lines: Iterable<string>, path: string): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await parquetPackage(path, () => import("hyparquet-writer"));
  const columns = new Map<string, unknown[]>();
  let [count, rest] = [0, ""];
  const add = (line: string): void => {
    if (line === "") return;
    for (const [name, value] of Object.entries(parseJson(line) as object)) {
      if (typeof value === "string" && !value.isWellFormed())
        throw new InputError(
          "ARGUMENT",
          `${path}: ${name} ${quote(value)} has half of a character (a lone surrogate) in it, which only ` +
            "JSON can hold; write JSON or JSONL instead",
        );
      let data = columns.get(name);
      if (data === undefined) columns.set(name, (data = []));
      data[count] = value ?? undefined;
    }
    count++;
  };
  for (const part of lines) {
    const whole = (rest + part).split("\n");
    rest = whole.pop() as string;
    whole.forEach(add);
  }
  add(rest);
  const columnData = [...columns].map(([name, data]) => {
    // Of the last rows some may have no value.
    data.length = count;
    const values = Array.from(data, (value) => value ?? null);
    const given = values.filter((value) => value !== null);
    const all = (type: string): boolean => given.every((value) => typeof value === type);
    const nullable = given.length < count;
    if (all("number")) {
      const areWhole = given.every((value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31);
      return { name, data: values, nullable, type: areWhole ? ("INT32" as const) : ("DOUBLE" as const) };
    }
    if (all("boolean")) return { name, data: values, nullable, type: "BOOLEAN" as const };
    if (given.some((value) => typeof value === "object"))
      return { name, data: values, nullable, type: "JSON" as const };
    const texts = values.map((value) => (typeof value === "number" ? String(value) : value));
    return { name, data: texts, nullable, type: "STRING" as const };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
