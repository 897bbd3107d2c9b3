import type { Row, SqlConnection, SqlValue } from "./connection.js";

/** Begins a text that stands as JSON: a character that Unicode gives to none. */
const MARK = "\ufdd0";
/** Engines end a text at a null character, and have one replacement for all halves of surrogate pairs. */
const UNSAFE = new RegExp(`^${MARK}|[\\0\\ud800-\\udfff]`, "u");

/** A connection that gives back every text as it was, whatever is in it, and tells such texts apart. */
export function escapedTexts(db: SqlConnection): SqlConnection {
  return {
    exec: (statements) => db.exec(statements),
    rows: (query, parameters = []) => db.rows(query, parameters.map(escapeValue)).map(unescapeRow),
    runEach(statement, parameterLists) {
      db.runEach(
        statement,
        (function* () {
          for (const parameters of parameterLists) yield parameters.map(escapeValue);
        })(),
      );
    },
  };
}

function escapeValue(value: SqlValue): SqlValue {
  return typeof value === "string" && UNSAFE.test(value) ? MARK + JSON.stringify(value) : value;
}

function unescapeRow(row: Row): Row {
  const isEscaped = (value: SqlValue): value is string => typeof value === "string" && value.startsWith(MARK);
  if (!Object.values(row).some(isEscaped)) return row;
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, isEscaped(value) ? unescape(value) : value]),
  );
}

function unescape(value: string): string {
  try {
    return JSON.parse(value.slice(MARK.length)) as string;
  } catch {
    // Another program wrote it.
    return value;
  }
}
