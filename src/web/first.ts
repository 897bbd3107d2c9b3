/**
 * Stands before the style and the script of the served page, so that the server is asked while the browser
 * reads the rest. It is built into a script of its own.
 *
 * @module
 */
import { FIRST_ANSWER } from "./data-source.js";
import { parseRoute } from "./route.js";
import { takeToken } from "./token.js";

// Before anything looks at the address.
const token = takeToken();
const { collection } = parseRoute(location.hash);
const first = fetch(`/api/session?overview=${encodeURIComponent(collection ?? "")}`, {
  headers: { "x-rankproof-token": token },
});
// Who waits for it is told; that nobody waits yet is no error.
first.catch(() => undefined);
Object.assign(globalThis, { [FIRST_ANSWER]: first });
