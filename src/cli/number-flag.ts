import { InputError } from "../index.js";

/** Reads the value of a flag that is a number. */
export function aNumber(flag: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) throw new InputError("ARGUMENT", `--${flag} must be a number, got \`${text}\``);
    return value;
  };
}

/** Reads the value of a flag that is a whole number from 1. */
export function wholeNumber(flag: string): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < 1) throw new InputError("ARGUMENT", `--${flag} must be a whole number from 1, got \`${text}\``);
    return Number(text);
  };
}
