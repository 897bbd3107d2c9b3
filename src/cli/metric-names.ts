import { InputError, profileCatalog, type ProfileName } from "../index.js";
import { splitNames } from "../compare/index.js";
import { parseMetric, withDefaults, type Metric, type MetricFactory } from "../metrics/index.js";

/** What `evaluate` computes when nothing else is asked for. */
export const usualMetricNames = ["nDCG@10", "AP", "RR", "P@10", "R@100", "Success@10", "Judged@10"];
/** The cutoff of `-m all` where a metric needs one. */
const ALL_CUTOFF = 10;
/** The recall level of `-m all`. */
const ALL_LEVEL = 0.5;

/**
 * The metrics that a list names, or a usual choice; `all` is the whole catalogue.
 *
 * @param profile gives parameters to metrics named without.
 * @param level the lowest relevant grade of metrics whose names do not say one.
 */
export function metricsToEvaluate(
  list: string | undefined,
  hasSubtopics: boolean,
  profile: ProfileName,
  level: number | undefined,
): Metric[] {
  const usual = profileCatalog(profile);
  const catalog = level === undefined ? usual : usual.map((factory) => atLevel(factory, level));
  const metrics = (list === undefined ? usualMetricNames : splitNames(list)).flatMap((name) =>
    name === "all" ? allMetrics(catalog, hasSubtopics) : [parseMetric(name, catalog)],
  );
  if (metrics.length === 0)
    throw new InputError("ARGUMENT", "--metrics names no metric; try -m nDCG@10,AP or -m all");
  return [...new Map(metrics.map((metric) => [metric.name, metric])).values()];
}

function atLevel(factory: MetricFactory, rel: number): MetricFactory {
  if (!("rel" in factory.definition.parameters) || factory.definition.name === "NumRet") return factory;
  return withDefaults(factory, { rel });
}

function allMetrics(catalog: readonly MetricFactory[], hasSubtopics: boolean): Metric[] {
  return catalog
    .filter(({ definition }) => definition.needs === undefined || hasSubtopics)
    .map((factory) =>
      factory(
        { required: { cutoff: ALL_CUTOFF }, "recall level": { cutoff: ALL_LEVEL }, optional: {}, none: {} }[
          factory.definition.cutoff
        ],
      ),
    );
}
