import { InputError, quote } from "../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../foundation/ids/index.js";
import { metricCatalog } from "./catalog.js";
import { parameterCards, type Metric, type MetricFactory } from "./define-metric.js";
import type { ParameterValue } from "./metric-parameters.js";
import { parseTrecMeasure } from "./trec-measures.js";
import { firstOf } from "../foundation/text/index.js";

const NAME = /^([A-Za-z]\w*)(?:\((.*)\))?(?:@(\d+(?:\.\d+)?))?$/;
/** A comma that is in no list and no gains. */
const SEPARATOR = /,(?![^[{]*[\]}])/;
const MOST_NAMED = 12;
const PARAMETER = /^\s*(\w+)\s*=\s*(.+?)\s*$/;

/**
 * The metric of a printed name, an alias, or a name of trec_eval with at most one cutoff:
 * `parseMetric("MRR@10").name // => "RR@10"`.
 *
 * @param catalog where to look; give `[...metricCatalog, yours]` to read metrics of your own.
 * @throws InputError `METRIC_UNKNOWN` with the nearest names, `METRIC_PARAMETER`, or `ARGUMENT` where two
 *   metrics of the catalogue have the name.
 */
export function parseMetric(name: string, catalog: readonly MetricFactory[] = metricCatalog): Metric {
  if (typeof name !== "string")
    throw new InputError(
      "METRIC_UNKNOWN",
      `a metric's name must be a text, such as "nDCG@10", got ${quote(name)}`,
    );
  if (!Array.isArray(catalog))
    throw new InputError(
      "ARGUMENT",
      `parseMetric: the catalogue must be a list, got ${quote(catalog)}; write \`names.map((name) => ` +
        "parseMetric(name))`",
    );
  const [, base, parameters, cutoff] = NAME.exec(name.trim()) ?? [];
  const factory = base === undefined ? undefined : factoryNamed(base, cutoff !== undefined, catalog);
  if (factory === undefined)
    return parseTrecMeasure(name.trim(), 1, catalog)?.[0] ?? unknown(name, base ?? name, catalog);
  const given = new Map<string, ParameterValue>();
  for (const part of (parameters ?? "").split(SEPARATOR)) {
    if (part.trim() === "") continue;
    const [key, value] = parseParameter(name, part, factory);
    if (given.has(key)) throw new InputError("METRIC_PARAMETER", `${quote(name)} gives ${quote(key)} twice`);
    given.set(key, value);
  }
  return factory({
    ...(cutoff === undefined ? {} : { cutoff: Number(cutoff) }),
    parameters: Object.fromEntries(given),
  });
}

const namesOf = ({ definition: { name, aliases = [] } }: MetricFactory): string[] => [name, ...aliases];

/**
 * The metric of a name; one may be two metrics, as `P` is with a cutoff and without.
 *
 * @throws InputError `ARGUMENT` where both of two metrics could be meant.
 */
function factoryNamed(
  base: string,
  hasCutoff: boolean,
  catalog: readonly MetricFactory[],
): MetricFactory | undefined {
  const named = catalog.filter((factory) => namesOf(factory).includes(base));
  const fits = ({ definition }: MetricFactory): boolean => (definition.cutoff !== "none") === hasCutoff;
  const [fitting, other] = new Set(named.filter(fits));
  if (other !== undefined)
    throw new InputError("ARGUMENT", `two metrics of the catalogue are called ${quote(base)}; rename one`);
  return fitting ?? named[0];
}

function unknown(name: string, base: string, catalog: readonly MetricFactory[]): never {
  const names = [...new Set(catalog.flatMap(namesOf))];
  // By the name that is printed, so that an alias and its metric are not offered as two.
  const near = new Set(
    nearestIds(base, names).map((each) =>
      each.toLowerCase() === base.toLowerCase()
        ? each
        : (factoryNamed(each, false, catalog)?.definition.name ?? each),
    ),
  );
  const hint =
    didYouMean([...near].map((each) => name.trim().replace(base, each))) ??
    `known are ${firstOf(names.map(quote), MOST_NAMED)}`;
  throw new InputError("METRIC_UNKNOWN", `unknown metric ${quote(name)}; ${hint}`, { name, near: [...near] });
}

function parseParameter(name: string, part: string, { definition }: MetricFactory): [string, ParameterValue] {
  const [, key, text] = PARAMETER.exec(part) ?? [];
  if (key === undefined || text === undefined)
    throw new InputError(
      "METRIC_PARAMETER",
      `${quote(name)}: parameters are written \`name=value\`, got ${quote(part)}`,
    );
  const cards = new Map(Object.entries(parameterCards(definition)));
  const value = parseValue(text);
  if (value === undefined && cards.has(key))
    throw new InputError(
      "METRIC_PARAMETER",
      `${quote(name)}: ${key} must be a number, a word in quotes, True, False, a list \`[1,2]\` or ` +
        `gains \`{1:3}\`, got ${quote(text)}`,
    );
  return [key, value ?? text];
}

function parseValue(text: string): ParameterValue | undefined {
  const [, word] = /^(?:'([^']*)'|"([^"]*)")$/.exec(text.replaceAll('"', "'")) ?? [];
  if (word !== undefined) return word;
  if (text === "True" || text === "False") return text === "True";
  const list = /^\[(.*)\]$/.exec(text)?.[1]?.split(",").map(number);
  if (list !== undefined) return list.every((each) => each !== undefined) ? list : undefined;
  const pairs = /^\{(.*)\}$/
    .exec(text)?.[1]
    ?.split(",")
    .map((pair) => pair.split(":").map(number));
  if (pairs !== undefined)
    return pairs.every((pair) => pair.length === 2 && !pair.includes(undefined))
      ? (pairs as [number, number][])
      : undefined;
  return number(text);
}

function number(text: string): number | undefined {
  const value = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
