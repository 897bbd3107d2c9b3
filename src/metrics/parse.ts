import { InputError, shown } from "../errors.js";
import { nearestIds } from "../ids.js";
import { metricCatalog } from "./catalog.js";
import type { Metric, MetricFactory } from "./define-metric.js";

const NAME = /^([A-Za-z]\w*)(?:\(([^()]*)\))?(?:@(\d+))?$/;
const PARAMETER = /^\s*(\w+)\s*=\s*(?:'([^']*)'|"([^"]*)"|([^\s'"]+))\s*$/;

/**
 * The metric of a printed name or an alias: `parseMetric("MRR@10").name // => "RR@10"`.
 *
 * @param catalog where to look; give `[...metricCatalog, yours]` to read metrics of your own.
 * @throws InputError `METRIC_UNKNOWN` with the nearest names, or `METRIC_PARAMETER`.
 */
export function parseMetric(name: string, catalog: readonly MetricFactory[] = metricCatalog): Metric {
  const [, base, parameters, cutoff] = NAME.exec(name.trim()) ?? [];
  const names = new Map(catalog.flatMap((factory) => [factory.definition.name, ...(factory.definition.aliases ?? [])].map((known) => [known, factory] as const)));
  const factory = base === undefined ? undefined : names.get(base);
  if (factory === undefined) {
    // By the name that is printed, so that an alias and its metric are not offered as two.
    const near = [...new Set(nearestIds(base ?? name, names.keys()).map((known) => (known.toLowerCase() === base?.toLowerCase() ? known : names.get(known)?.definition.name)))];
    const hint = near.length > 0 ? `did you mean ${near.map((known) => shown(name.trim().replace(base ?? name, known ?? ""))).join(" or ")}?` : `known are ${[...names.keys()].map(shown).join(", ")}`;
    throw new InputError("METRIC_UNKNOWN", `unknown metric ${shown(name)}; ${hint}`, { name });
  }
  return factory({
    ...(cutoff === undefined ? {} : { cutoff: Number(cutoff) }),
    parameters: Object.fromEntries((parameters ?? "").split(",").filter((part) => part.trim() !== "").map((part) => parsedParameter(name, part))),
  });
}

function parsedParameter(name: string, part: string): [string, number | string] {
  const [, key, single, double, bare] = PARAMETER.exec(part) ?? [];
  if (key === undefined) throw new InputError("METRIC_PARAMETER", `${shown(name)}: parameters are written \`name=value\`, got ${shown(part)}`);
  const word = single ?? double;
  if (word !== undefined) return [key, word];
  const number = Number(bare);
  if (!Number.isFinite(number)) throw new InputError("METRIC_PARAMETER", `${shown(name)}: ${key} must be a number or a word in quotes, got ${shown(bare)}`);
  return [key, number];
}
