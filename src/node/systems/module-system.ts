import { existsSync } from "node:fs";
import { extname } from "node:path";
import { noSuchFile } from "../../files/index.js";
import { InputError, messageOf, quote } from "../../foundation/errors/index.js";
import type { RecordOptions } from "../../runs/index.js";
import { importFile } from "../import-file.js";
import { looseHits } from "./loose-hits.js";
import type { RecordedSystem } from "./system.js";

/** The extensions that Node imports as they are, and those that it strips types of first. */
const SCRIPTS = [".js", ".mjs", ".cjs"];
const TYPED = [".ts", ".mts", ".cts"];

/** Whether a file is one that {@link moduleSystem} can load. */
export function isModule(path: string): boolean {
  return [...SCRIPTS, ...TYPED].includes(extname(path));
}

/**
 * A module that exports `retrieve`, and may export `answer` and `config`, by itself or in its default export.
 *
 * @param limit hits that are wanted of a query; the functions find it in their context.
 * @throws InputError `FILE_NOT_FOUND`, `SYSTEM_MODULE` where it cannot be imported or exports something else.
 */
export async function moduleSystem(path: string, limit: number): Promise<RecordedSystem> {
  const exported = await importModule(path);
  const { retrieve, answer, config = {}, close } = exported;
  const refuse = (what: string): never => {
    throw new InputError("SYSTEM_MODULE", `${path}: ${what}`, { path });
  };
  if (typeof retrieve !== "function")
    return refuse(
      "must export a function `retrieve`, as in `export async function retrieve(query) { return " +
        `[{ chunk_id, doc_id }] }\`, ${describeExports(exported)}`,
    );
  if (answer !== undefined && typeof answer !== "function")
    return refuse(`answer must be a function, got ${quote(answer)}`);
  if (typeof config !== "object" || config === null || Array.isArray(config))
    return refuse(`config must be an object of what a change is made of, got ${quote(config)}`);
  return {
    retrieve: async (query, context) =>
      looseHits(await (retrieve as RecordOptions["retrieve"]).call(exported, query, { ...context, limit })),
    ...(answer !== undefined && {
      answer: (query, hits, context) =>
        (answer as NonNullable<RecordOptions["answer"]>).call(exported, query, hits, { ...context, limit }),
    }),
    config: config as Readonly<Record<string, unknown>>,
    async close() {
      if (typeof close === "function") await (close as () => unknown).call(exported);
    },
  };
}

async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(path)) throw noSuchFile(path);
  if (TYPED.includes(extname(path)) && !stripsTypes())
    throw new InputError(
      "SYSTEM_MODULE",
      `${path}: Node ${process.versions.node} cannot run TypeScript by itself; use Node 22.18 or later, ` +
        "or compile it to JavaScript first",
      { path },
    );
  try {
    const module = await importFile(path);
    const usual = module["default"];
    return typeof usual === "object" && usual !== null && !("retrieve" in module)
      ? (usual as Readonly<Record<string, unknown>>)
      : module;
  } catch (cause) {
    // Node tells the place of a mistake only of a module that it was started with.
    const hint = cause instanceof SyntaxError ? `; \`node ${path}\` shows where` : "";
    throw new InputError(
      "SYSTEM_MODULE",
      `${path}: cannot be imported: ${messageOf(cause)}${hint}`,
      { path },
      cause,
    );
  }
}

/** Node says so since it can. */
function stripsTypes(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

function describeExports(exported: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exported);
  return names.length === 0 ? "it exports nothing" : `it exports ${names.map(quote).join(", ")}`;
}
