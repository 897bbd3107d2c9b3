#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { main, processTerminal, roomierHeap, withHeap } from "../dist/cli/index.js";

const args = process.argv.slice(2);
const heap = roomierHeap(args);
process.exitCode =
  heap === undefined
    ? (await main(args, processTerminal())) || process.exitCode
    : await withHeap(heap, fileURLToPath(import.meta.url), args);
