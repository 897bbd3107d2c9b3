/** What other rooms need of this one, and users do not. */
export { compareBytes, decodeId, hashOf } from "./id-bytes.js";
export { IdNumbers } from "./id-numbers.js";
export { ItemLookup } from "./item-lookup.js";
export { tableWithWholeGrades } from "./qrels-table.js";
export { RankOrder } from "../rank-order.js";
export { RepeatedItems } from "./repeated-items.js";
