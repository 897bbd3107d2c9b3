import {
  expectShape,
  isA,
  checkKnownOptions,
  listOf,
  optional,
  recordOf,
  text,
  wholeNumber,
} from "../foundation/checks/index.js";
import { person } from "./labelling.js";

const HIGHEST_PORT = 65_535;

const aFunction = optional(isA("a function", (value) => typeof value === "function"));
const aBoolean = optional(isA("true or false", (value) => typeof value === "boolean"));

/** A name, or an address; one of IPv6 in brackets. */
function isHostName(value: unknown): boolean {
  return typeof value === "string" && /^(?:[^\s/:@[\]]+|\[[\da-f:.]+\])$/i.test(value);
}

const settings = {
  config: recordOf({}, "give what `projectConfig` read"),
  store: text,
  golden: text,
  version: text,
  labels: optional(text),
  rater: optional(text),
  commandFolder: optional(text),
  isReadOnly: aBoolean,
  showsImages: aBoolean,
  isThreaded: aBoolean,
  allowedHosts: optional(listOf(isA("a name without a port, or an address: 10.0.0.1, [::1]", isHostName))),
  reread: aFunction,
  configFile: aFunction,
  onError: aFunction,
};

const workbenchShape = recordOf(
  { ...settings, port: isA("a function that says the port", (value) => typeof value === "function") },
  "give the options of a workbench",
);
const serveShape = recordOf({ ...settings, host: optional(text) }, "give the options of a workbench");

/** Options that code without types may get wrong: a workbench that writes, or is open, by a slip. */
export function checkWorkbenchOptions<T extends object>(given: T): T {
  expectShape(given, workbenchShape, "ARGUMENT", "workbench");
  return checkNames(given, ["port"]);
}

/** {@link checkWorkbenchOptions} of what is served. */
export function checkServeOptions<T extends { readonly port?: number | undefined }>(given: T): T {
  expectShape(given, serveShape, "ARGUMENT", "serveWorkbench");
  if (given.port !== undefined) wholeNumber("port", given.port, 0, HIGHEST_PORT);
  return checkNames(given, ["port", "host"]);
}

function checkNames<T extends object>(given: T, more: readonly string[]): T {
  const { rater } = given as { readonly rater?: string | undefined };
  if (rater !== undefined) person(rater);
  return checkKnownOptions(given, [...Object.keys(settings), ...more] as (keyof T & string)[]);
}
