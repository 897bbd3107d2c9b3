import { InputError } from "../../foundation/errors/index.js";
import type { Database } from "sql.js";
import type { Row, SqlConnection, SqlValue } from "../sqlite/connection.js";

/**
 * A database of sql.js as a connection. `room` is told how many bytes are about to be written, before they
 * are.
 */
export function sqljsConnection(
  db: Database,
  room: (bytes: number) => void = () => undefined,
): SqlConnection {
  // What sql.js throws for a value that is none of SQL's is a text.
  const asError = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw typeof error === "string" ? new InputError("ARGUMENT", `SQLite: ${error}`) : error;
    }
  };
  return {
    exec: (statements) => void db.exec(statements),
    rows(query, parameters = []) {
      const statement = asError(() => db.prepare(query, [...parameters]));
      try {
        const found: Row[] = [];
        while (statement.step()) found.push(statement.getAsObject());
        return found;
      } finally {
        statement.free();
      }
    },
    runEach(text, parameterLists) {
      const statement = db.prepare(text);
      try {
        for (const parameters of parameterLists) {
          room(
            parameters.reduce<number>(
              (sum, value) => sum + (typeof value === "string" ? value.length : 0),
              0,
            ),
          );
          asError(() => statement.run(parameters as SqlValue[]));
        }
      } finally {
        statement.free();
      }
    },
  };
}
