import type { RestorePoint } from "../restore/index.js";
import type { RestartSettings } from "./restore.js";
import type { CommandRun } from "./run-command.js";

/** What a tuning asks its guard for, a line of JSON each. */
export type GuardRequest =
  /** From now on, restore this when the tuning is gone. */
  | {
      readonly do: "guard";
      readonly path: string;
      readonly point: Omit<RestorePoint, "owner">;
      readonly settings: RestartSettings;
    }
  | { readonly do: "run"; readonly run: CommandRun }
  /** Nothing is to be restored any more. */
  | { readonly do: "let go" };

/** What the guard says: once when it is ready, and once to each request. */
export type GuardReply = { readonly ok: true } | { readonly ok: false; readonly message: string };
