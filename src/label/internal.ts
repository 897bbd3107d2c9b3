/** What only other rooms need. */
export { answerOf, checkVerdicts } from "./answers.js";
export { digestOf } from "./content-hash.js";
export { costOf, addCosts } from "./costs.js";
export { textHash } from "./item-text.js";
