/** What a table has where there is nothing to show. */
export const DASH = "—";
