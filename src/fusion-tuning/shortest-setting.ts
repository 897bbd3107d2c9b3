import type { Choice } from "./family.js";
import type { ChoiceRule } from "./choose-point.js";
import { fullFusionName } from "../fusion/index.js";

const MOST_DECIMALS = 12;
/** A short weight must lie in the middle half of its interval, so that it stands for the same choice. */
const MIDDLE = 4;

/** The chosen setting by its printed name, weights with as few decimals as lie well within the interval. */
export function shortestSetting({ method, chosen }: Choice, rule: ChoiceRule): string {
  const weights = method.parameters["weights"];
  if (typeof weights === "number" || weights === undefined || chosen === null) return fullFusionName(method);
  const { from, to } = rule === "plateau" ? chosen.widest : chosen.widestNear;
  const room = (to - from) / MIDDLE;
  for (let decimals = 1; decimals <= MOST_DECIMALS; decimals++) {
    const short = Number(chosen.point.toFixed(decimals));
    if (Math.abs(short - chosen.point) > room) continue;
    const other = Number((1 - short).toFixed(decimals));
    return `${method.definition.name}(weights=${other}/${short})`;
  }
  return fullFusionName(method);
}
