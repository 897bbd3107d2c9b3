#!/usr/bin/env node
import { main, processTerminal } from "../dist/cli/index.js";

process.exitCode = (await main(process.argv.slice(2), processTerminal())) || process.exitCode;
