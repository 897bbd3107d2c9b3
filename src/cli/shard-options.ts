import type { Command } from "commander";
import { parseShard } from "../records/index.js";
import { OutputOption } from "./output-option.js";

/** `--shard` and `--partial`, for commands that can do a part of their queries. */
export function shardOptionsOf(command: Command, verb: "score" | "ask", partial: string): Command {
  return command
    .option("--shard <i/n>", `${verb} one of n shards of the queries alone, counted from 1`, (text: string) =>
      parseShard(text),
    )
    .addOption(new OutputOption("--partial <file>", partial));
}
