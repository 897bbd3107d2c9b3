// Compiles the script and the style of a page into two texts that can stand in an HTML file.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minify } from "terser";
import { build } from "tsup";
import { withoutCardTexts, withoutDescriptions } from "./without-descriptions.js";

/**
 * Script and style of a page, each from the file that it begins with.
 *
 * `isDense` takes longer, for a script that is a twentieth smaller; `alias` leads packages to files.
 */
export async function compiledPage(page, style, { isDense = false, alias = {} } = {}) {
  const out = mkdtempSync(join(tmpdir(), "rankproof-page-"));
  try {
    await build({
      config: false,
      entry: { page, style },
      outDir: out,
      format: "iife",
      platform: "browser",
      target: "es2022",
      minify: true,
      silent: true,
      dts: false,
      clean: false,
      splitting: false,
      noExternal: [/./],
      esbuildPlugins: [
        withoutJsonSchemas,
        withoutCompiler,
        withoutCycles,
        withoutSchemaWords,
        withoutForms,
        withoutYamlWriter,
        withoutOddTags,
        withoutPrettyErrors,
        withoutAudits,
        plainSchemas,
        plainCards,
      ],
      esbuildOptions(options) {
        options.alias = alias;
        options.jsx = "automatic";
        options.jsxImportSource = "preact";
      },
    });
    const compiled = (ending) =>
      readFileSync(join(out, readdirSync(out).find((name) => name.endsWith(ending)) ?? ""), "utf8").trim();
    // Minified code has controls and letters beyond ASCII in literals alone, where an escape says the same.
    const script = (isDense ? await densest(compiled(".js")) : compiled(".js")).replace(
      /[^\x20-\x7e\n]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const styles = compiled(".css");
    // Neither may end the element that it stands in, and both must have the same bytes in every encoding:
    // their hashes are in the policy.
    for (const text of [script, styles])
      if (/<\/(script|style)|<!--|[^\x20-\x7e\n]/i.test(text))
        throw new Error("the page's script or style has what cannot stand in an HTML file");
    return { script, style: styles };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** Leaves out what files export, which is never called. */
const without = (name, filter, exportsOf) => ({
  name: `without ${name}`,
  setup(build) {
    build.onLoad({ filter }, ({ path }) => ({
      contents: exportsOf(readFileSync(path, "utf8"))
        .map((name) => `export const ${name} = () => undefined;`)
        .join("\n"),
    }));
  },
});

/** Schemas check what is read; what makes JSON schemas of them, which no page does, is left out. */
const withoutJsonSchemas = without(
  "JSON schemas",
  /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/,
  (text) => [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name),
);

/** What is read comes from JSON and YAML, in which nothing contains itself. */
const withoutCycles = without("cycles", /[\\/]zod[\\/]v4[\\/]core[\\/]memoizer\.js$/, (text) =>
  [...text.matchAll(/^export (?:function|const|class) ([$\w]+)/gm)].map(([, name]) => name),
);

/** Nor are they compiled, which the policy of a page forbids. */
const withoutCompiler = without("a compiler", /[\\/]zod[\\/]v4[\\/]core[\\/]doc\.js$/, () => ["Doc"]);

/** What zod says by itself is shown nowhere: schemas have words of their own, and the rest goes by types. */
const withoutSchemaWords = {
  name: "without words of schemas",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/ }, () => ({
      contents: "export default () => ({});",
    }));
  },
};

/** No schema asks for texts of a form that zod knows, such as addresses, nor is any of these kinds. */
const FORMS = [
  ...["Base64", "Base64URL", "CIDRv4", "CIDRv6", "CUID", "CUID2", "E164", "Email", "Emoji", "GUID", "IPv4"],
  ...["IPv6", "ISODate", "ISODateTime", "ISODuration", "ISOTime", "JWT", "KSUID", "NanoID", "ULID", "URL"],
  ...[
    "UUID",
    "XID",
    "ExactOptional",
    "Prefault",
    "NonOptional",
    "Readonly",
    "Intersection",
    "Transform",
    "Pipe",
  ],
  ...["CheckLowerCase", "CheckUpperCase", "CheckIncludes", "CheckEndsWith", "CheckMultipleOf", "ObjectJIT"],
].join("|");

/** What only they call, and ways to write schemas that none here is written in. */
const OF_FORMS = [
  ...["base64\\w+", "uint8Array\\w+", "hexTo\\w+", "promiseAllObject", "randomString", "slugify", "merge"],
  ...["required", "partial", "safeExtend"],
].join("|");

/** Methods of schemas that none here calls. */
const IDLE_METHODS = [
  ...["with", "brand", "register", "superRefine", "overwrite", "exactOptional", "nonoptional", "or", "and"],
  ...["transform", "prefault", "pipe", "readonly", "describe", "meta", "isOptional", "isNullable", "apply"],
  ...['"~standard"', "parseAsync", "safeParseAsync", "spa", "encode", "decode", "encodeAsync", "decodeAsync"],
  ...["safeEncode", "safeDecode", "safeEncodeAsync", "safeDecodeAsync"],
].join("|");

const withoutForms = {
  name: "without forms of texts",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]regexes\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /^(export const (?!anyString|bigint|integer|number|boolean|lowercase|uppercase)\w+ = )\/.+;$/gm,
        "$1/./;",
      ),
    }));
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]util\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        new RegExp(`^export function (${OF_FORMS})\\([^]*?^\\}$`, "gm"),
        "export const $1 = undefined;",
      ),
    }));
    build.onLoad(
      { filter: /[\\/]zod[\\/]v4[\\/](?:core|classic)[\\/](?:schemas|iso|checks)\.js$/ },
      ({ path }) => ({
        contents: readFileSync(path, "utf8")
          // It reads the same without compiling.
          .replaceAll("$ZodObjectJIT.init", "$ZodObject.init")
          .replace(/^ +\w+\(params\) \{\n +return this\.check\((?:core\._\w+\(Zod|iso\.).*\n +\},\n/gm, "")
          .replace(
            new RegExp(`^ {4}(?:async |get |set )?(?:${IDLE_METHODS})(?:\\(|: )[^]*?^ {4}\\},?\\n`, "gm"),
            "",
          )
          .replace(new RegExp(`^(export const \\$?Zod(?:${FORMS}) = )[^]*?^\\}\\);$`, "gm"), "$1undefined;"),
      }),
    );
  },
};

/** Pages read YAML, by its own schema, and write none. */
const withoutYamlWriter = without(
  "a writer of YAML",
  /[\\/]yaml[\\/].+(stringify[\\/]\w+|createNode|anchors|applyReviver|cst-visit|json[\\/]schema)\.js$/,
  (text) => [...text.matchAll(/^export \{ (.+) \};$/gm)].flatMap(([, names]) => names.split(", ")),
);

/** Nor do they read sets, ordered maps and bytes, which JSON has not: their tags are unresolved there. */
const withoutOddTags = {
  name: "without odd tags",
  setup(build) {
    build.onLoad({ filter: /[\\/]yaml-1\.1[\\/](?:omap|pairs|set|binary)\.js$/ }, ({ path }) => ({
      contents: [...readFileSync(path, "utf8").matchAll(/^export \{ (.+) \};$/gm)]
        .flatMap(([, names]) => names.split(", "))
        .map((name) => `export const ${name} = {};`)
        .join("\n"),
    }));
    build.onLoad({ filter: /[\\/]yaml[\\/].+[\\/]schema[\\/]tags\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /^ +'tag:yaml\.org,2002:(?:omap|pairs|set|binary)': \w+,?\n/gm,
        "",
      ),
    }));
  },
};

/** What YAML says of mistakes beside their place is not asked for (`prettyErrors: false`). */
const withoutPrettyErrors = {
  name: "without pretty errors",
  setup(build) {
    build.onLoad({ filter: /[\\/]yaml[\\/].+[\\/]dist[\\/]errors\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /(?<=const prettifyError = )[^]*?\n\};/,
        "() => () => undefined;",
      ),
    }));
  },
};

/**
 * Judgments that are dropped on a page come without people's labels of a sample, and its SQLite is in the
 * page.
 */
const withoutAudits = without(
  "audits of labels, and files that are loaded",
  /[\\/]src[\\/](compare[\\/]audit-scores|stats[\\/]stratified-mean|storage[\\/]sqljs[\\/]load-file)\.ts$/,
  (text) => [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name),
);

/** Nor does any page read what schemas say of their fields. */
const plainSchemas = {
  name: "plain schemas",
  setup(build) {
    build.onLoad({ filter: /[\\/]records[\\/]schema[\\/].+\.ts$/ }, ({ path }) => ({
      contents: withoutDescriptions(path, readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
};

/** Nor what metrics and fusion methods say of themselves but for their question. */
const plainCards = {
  name: "plain cards",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/](metrics|fusion)[\\/].+\.ts$/ }, ({ path }) => ({
      contents: withoutCardTexts(path, readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
};

async function densest(script) {
  const { code } = await minify(script, {
    compress: { passes: 2, ecma: 2022, toplevel: true },
    mangle: { toplevel: true },
    format: { ascii_only: true },
  });
  return code;
}
