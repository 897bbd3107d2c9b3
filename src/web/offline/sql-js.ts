/** What the script of sql.js, which stands before, has put there. */
export default (globalThis as { initSqlJs?: unknown }).initSqlJs;
