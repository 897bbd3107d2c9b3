// sql.js is a classic script; this makes a module of it.
export default globalThis.initSqlJs;
