import * as builtin from "./builtin.js";
import type { MetricFactory } from "./define-metric.js";

/** Every built-in metric. The parser, the metrics page and the laws walk this list. */
export const metricCatalog: readonly MetricFactory[] = /*#__PURE__*/ Object.values(builtin);
