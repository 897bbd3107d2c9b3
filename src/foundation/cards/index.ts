export type { Card } from "./card.js";
