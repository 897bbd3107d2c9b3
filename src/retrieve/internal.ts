/** What other rooms need of this one, and users do not. */
export { checkHits } from "./check-hits.js";
export { asRanking } from "./hybrid-retriever.js";
