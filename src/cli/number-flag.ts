import { Option } from "commander";
import { isDecimal, SEEDS } from "../foundation/numbers/index.js";
import { InputError } from "../foundation/errors/index.js";
import { plainLine } from "./terminal.js";

/** Bounds of a number beside the least: `most` is included, the others are not. */
interface Bounds {
  readonly above?: number;
  readonly most?: number;
  readonly below?: number;
}

/**
 * Reads the value of a flag that is a number.
 *
 * @param least included.
 */
export function numberOption(
  flag: string,
  least = -Infinity,
  { above = -Infinity, most = Infinity, below = Infinity }: Bounds = {},
): (text: string) => number {
  const isBoundBelow = least > -Infinity || above > -Infinity;
  const wanted = [
    "a number",
    ...from(least),
    ...(above === -Infinity ? [] : [`above ${above}`]),
    ...to(most),
    ...(below === Infinity ? [] : [isBoundBelow ? `and below ${below}` : `below ${below}`]),
  ].join(" ");
  return (text) => {
    const value = Number(text);
    const isWithin = value >= least && value > above && value <= most && value < below;
    if (!isDecimal(text) || !Number.isFinite(value) || !isWithin)
      throw wrongNumber(`--${flag}`, wanted, text);
    return value;
  };
}

/**
 * Reads the value of a flag that is a whole number.
 *
 * @param least included, as `most` is.
 */
export function wholeNumberOption(flag: string, least = 1, most = Infinity): (text: string) => number {
  return readWholeNumber(`--${flag}`, least, most);
}

/** Reads a text that must be a whole number; `name` says in the error what it is. */
export function readWholeNumber(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < least || value > most)
      throw wrongNumber(name, ["a whole number", ...from(least), ...to(most)].join(" "), text);
    return value;
  };
}

/** Reads the value of a flag that is a level of significance or confidence, above 0 and below 1. */
export function shareOption(flag: string): (text: string) => number {
  return numberOption(flag, -Infinity, { above: 0, below: 1 });
}

/** `--seed`, with the usual one where it is stated here and not by what takes it. */
export function seedOption(about: string, usual?: number): Option {
  const option = new Option("--seed <n>", about).argParser(
    wholeNumberOption("seed", SEEDS.least, SEEDS.most),
  );
  return usual === undefined ? option : option.default(usual);
}

const from = (least: number): string[] => (least === -Infinity ? [] : [`from ${least}`]);
const to = (most: number): string[] => (most === Infinity ? [] : [`to ${most}`]);

function wrongNumber(name: string, wanted: string, text: string): InputError {
  return new InputError("ARGUMENT", `${name} must be ${wanted}, got \`${plainLine(text)}\``);
}
