/** What other rooms need of this one, and users do not. */
export { asRanking } from "./hybrid-retriever.js";
