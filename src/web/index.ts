/**
 * The page of the workbench. It is built into one script, which the server holds in memory.
 *
 * @module
 */
import { startApp } from "./app.js";
import { apiSource } from "./data-source.js";
import { takeToken } from "./token.js";

// Before anything looks at the address.
const token = takeToken();
// A link that was opened in a tab that has the page already changes the fragment alone.
addEventListener("hashchange", () => {
  if (location.hash.includes("token=")) {
    takeToken();
    location.reload();
  }
});
startApp(apiSource(() => token));
