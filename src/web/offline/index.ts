/**
 * What a page without a server has besides: its data, and all that computes. It stands before the script of
 * the page, and is built into one script of its own, so that the served page does not load it.
 *
 * @module
 */
import "./without-compiling.js";
import type { WorkbenchStatic } from "../../records/index.js";
import { textToBytes } from "../../workbench/index.js";
import { OFFLINE_SOURCE } from "../data-source.js";
import { DroppedFiles } from "./dropped-files.js";
import { droppedSource } from "./dropped-source.js";
import { embeddedSource } from "./embedded-source.js";
import { joinedSource } from "./joined-source.js";

const textOf = (name: string): string => document.getElementById(`rankproof-${name}`)?.textContent ?? "";
const embedded = JSON.parse(textOf("data")) as WorkbenchStatic;
const sqlite = async (): Promise<Uint8Array> =>
  textToBytes({ text: textOf("sqlite"), order: JSON.parse(textOf("sqlite-bytes")) as number[] });
Object.assign(globalThis, {
  [OFFLINE_SOURCE]: joinedSource(embeddedSource(embedded), droppedSource(new DroppedFiles(sqlite))),
});
