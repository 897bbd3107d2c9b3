import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from "node:zlib";
import { escapeJson } from "../foundation/text/index.js";
import type { WorkbenchStatic } from "../records/index.js";
import { bytesToText } from "../workbench/index.js";
import { SAFE_HEADERS } from "./guard.js";

/** The page as it is sent: in memory, in every packing that browsers ask for. */
export interface ServedPage {
  answer(request: Request): Response;
}

/** Where the build has put what `src/web` comes to, packed. */
const asset = (name: string): string =>
  brotliDecompressSync(readFileSync(new URL(`../../dist/web/${name}.br`, import.meta.url))).toString();

/** What stands in the head and the body of a page. */
interface PageParts {
  readonly head?: readonly string[];
  /** The script that runs before the style is read. */
  readonly first?: string;
  readonly style: string;
  /** Data, which are no scripts. */
  readonly data?: readonly string[];
  readonly scripts: readonly string[];
}

function pageHtml({ head = [], first, style, data = [], scripts }: PageParts): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    ...head,
    ...(first === undefined ? [] : [`<script>${first}</script>`]),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    "<title>rankproof</title>",
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    '<div id="app"><noscript>The workbench needs JavaScript.</noscript></div>',
    ...data,
    ...scripts.map((script) => `<script>${script}</script>`),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function policyOf(scripts: readonly string[], style: string, showsImages: boolean): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(" ")}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    `img-src data:${showsImages ? " https: http:" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Script and style as the build made them. */
function pageAssets(): { readonly script: string; readonly style: string } {
  return { script: asset("workbench.js"), style: asset("workbench.css") };
}

/** Nearly as small as at the highest quality, in a tenth of the time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Reads the page once, so that no request leads to a file. */
export function servePage(showsImages: boolean): ServedPage {
  const { script, style } = pageAssets();
  const first = asset("first.js");
  const html = Buffer.from(pageHtml({ first, style, scripts: [script] }));
  const packings = { br: () => brotliCompressSync(html, QUALITY), gzip: () => gzipSync(html) };
  const packed = new Map<string, Uint8Array<ArrayBuffer>>();
  const headers = {
    ...SAFE_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policyOf([first, script], style, showsImages),
    vary: "accept-encoding",
  };
  const inPacking = (encoding: keyof typeof packings): Uint8Array<ArrayBuffer> => {
    const bytes = packed.get(encoding) ?? Uint8Array.from(packings[encoding]());
    packed.set(encoding, bytes);
    return bytes;
  };
  return {
    answer(request) {
      const accepted = (request.headers.get("accept-encoding") ?? "").split(/\s*,\s*/);
      const encoding = (["br", "gzip"] as const).find((name) => accepted.includes(name));
      return encoding === undefined
        ? new Response(html, { headers })
        : new Response(inPacking(encoding), { headers: { ...headers, "content-encoding": encoding } });
    },
  };
}

/** What tells a page that this program wrote from any other `index.html`. */
export const STATIC_MARK = '<meta name="generator" content="rankproof workbench">';

/**
 * The page as one file for any file host: the scripts that compute, SQLite, and what is to be shown. Only it
 * may compile WebAssembly.
 */
export function staticPage(data: WorkbenchStatic): string {
  const { script, style } = pageAssets();
  const scripts = [ofSqlJs("sql-wasm-browser.js").toString(), asset("offline.js"), script];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(" ")} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const sqlite = bytesToText(ofSqlJs("sql-wasm-browser.wasm"));
  return pageHtml({
    head: [STATIC_MARK, `<meta http-equiv="content-security-policy" content="${policy}">`],
    style,
    data: [
      dataBlock("sqlite", "text/plain", sqlite.text),
      dataBlock("sqlite-bytes", "application/json", jsonInHtml(sqlite.order)),
      dataBlock("data", "application/json", jsonInHtml(data)),
    ],
    scripts,
  });
}

/** A file of sql.js as it is installed. */
const ofSqlJs = (name: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`sql.js/dist/${name}`));

function dataBlock(id: string, type: string, text: string): string {
  return `<script id="rankproof-${id}" type="${type}">${text}</script>`;
}

/** JSON that ends no element and begins no comment, and is the same JSON for whoever reads it. */
function jsonInHtml(data: unknown): string {
  return escapeJson(data, /[<\u2028\u2029]/g);
}
