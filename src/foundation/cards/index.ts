export type { Card } from "./card.js";
export { isRange } from "./is-range.js";
