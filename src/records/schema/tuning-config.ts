import * as z from "zod";
import { filled, path } from "./primitives.js";

const TIME = { error: "must be milliseconds, from 0" };
const milliseconds = z.number(TIME).min(0, TIME);
const COMMAND =
  "must be a list of a program and its arguments, such as [systemctl, restart, search], or {shell: …}";

/** A command, as a program and its arguments. Nothing in them is read by a shell, unless it is asked for. */
export const commandConfigSchema = z.union(
  [
    z.array(filled, { error: COMMAND }).min(1, { error: COMMAND }),
    z.strictObject({ shell: filled.describe("a line for the shell.") }),
  ],
  { error: COMMAND },
);

/** How it is seen that a search is up. */
export const healthConfigSchema = z.strictObject(
  {
    url: filled.describe("answers with a status from 200 to 299 when the search is up."),
    timeoutMs: milliseconds.optional().describe("longest wait, in milliseconds; 60,000 by default."),
    settleMs: milliseconds
      .optional()
      .describe("wait after that, and look again, in milliseconds; 0 by default."),
    expect: filled
      .optional()
      .describe(
        "a text that its answer must have, with names of parameters as `{{name}}`: tells the search with " +
          "the new configuration from an old one that still answers.",
      ),
  },
  { error: "must be a mapping" },
);

/** How the configuration of a search is changed while it is tuned. */
export const tuningConfigSchema = z.strictObject(
  {
    files: z
      .array(path, { error: "must be a list of paths" })
      .min(1, { error: "must name a file" })
      .describe("its configuration files: saved before the first change, and always restored."),
    template: path
      .optional()
      .describe("what is written into the only file, with names of parameters as `{{name}}`."),
    hook: commandConfigSchema
      .optional()
      .describe(
        "in place of a template: changes the files; its standard input is JSON, " +
          "`{experiment, parameters, files}`.",
      ),
    experiments: path
      .optional()
      .describe("what is tried where `--experiments-file` says nothing: JSON or YAML."),
    restart: commandConfigSchema.optional().describe("makes the search take up its configuration."),
    commandTimeoutMs: milliseconds
      .optional()
      .describe("longest time for a command, in milliseconds; 120,000 by default."),
    health: healthConfigSchema.optional().describe("how it is seen that the search is up."),
  },
  { error: "must be a mapping" },
);
