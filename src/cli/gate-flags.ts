import type { Command } from "commander";
import { collect } from "./collect.js";
import type { GateRuleLine } from "../formats/index.js";
import type { GateReport } from "../records/index.js";
import type { FormWriter } from "./form-writer.js";
import type { Terminal } from "./terminal.js";
import type { OpenGate } from "./open-gate.js";

/** Options of every command whose result a gate can be held against. */
export interface GateFlags {
  /** Rules and files of rules, as they were typed, or with their place in the configuration. */
  gate?: (string | GateRuleLine)[];
  failUnder?: string[];
}

/** `--gate` and `--fail-under`. */
export function gateOptionsOf(command: Command): Command {
  return command
    .option(
      "--gate <rules>",
      'fail (exit code 3) unless rules hold: a file of them, or one such as "nDCG@10 not worse by ' +
        '0.02"; may be repeated',
      collect,
    )
    .option(
      "--fail-under <metric=value>",
      "fail (exit code 3) unless a metric reaches a value; may be repeated",
      collect,
    );
}

/**
 * Says what a gate says of scores, last of all; nothing without a gate.
 *
 * @param settle throws what kept a form from being written.
 * @throws what `settle` throws, else GateError `GATE_FAILED` where the gate does not pass.
 */
export async function settleHeld(
  held: GateReport | null,
  terminal: Terminal,
  settle: FormWriter["settle"] = () => undefined,
): Promise<void> {
  if (held === null) settle();
  else (await import("./open-gate.js")).settleGateOfScores(held, terminal, settle);
}

/**
 * The gate that the flags stand for, its rules read before anything takes time; null where there are none,
 * and nothing is loaded.
 *
 * @throws InputError `GATE_RULE` with file and line of each rule that cannot be read.
 */
export async function openGate({ gate = [], failUnder = [] }: GateFlags): Promise<OpenGate | null> {
  if (gate.length + failUnder.length === 0) return null;
  return (await import("./open-gate.js")).OpenGate.read(gate, failUnder);
}
