#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { main, processTerminal, roomierHeap, withHeap } from "../dist/cli/index.js";

const args = process.argv.slice(2);
const heap = roomierHeap(args, process.env);
process.exitCode =
  heap === undefined
    ? (await main(args, processTerminal())) || process.exitCode
    : await withHeap(heap, fileURLToPath(import.meta.url), args);
// A module of the user's may hold connections that nobody closes; what is written has to get out first.
if (args[0] === "run") process.stdout.write("", () => process.stderr.write("", () => process.exit()));
