/** What other rooms need to know of PostgreSQL. */
export { isPostgresUrl, placeOf, withoutPassword } from "./address.js";
export { openPool } from "./open-pool.js";
