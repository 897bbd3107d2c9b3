/**
 * The page of the workbench. It is built into one script, which the server holds in memory; a page without a
 * server has another script before it, which says where the data comes from.
 *
 * @module
 */
import { startApp } from "./app.js";
import { apiSource, isTokenGood, OFFLINE_SOURCE, type DataSource } from "./data-source.js";
import { askForToken, shareToken, takeToken } from "./token.js";

const offline = (globalThis as { [OFFLINE_SOURCE]?: DataSource })[OFFLINE_SOURCE];
if (offline !== undefined) startApp(offline);
else {
  let token = takeToken();
  // A link that was opened in a tab that has the page already changes the fragment alone.
  addEventListener("hashchange", () => {
    if (location.hash.includes("token=")) {
      takeToken();
      location.reload();
    }
  });
  // A tab without a key, or with one of an earlier start, takes that of another tab.
  const source = apiSource(
    () => token,
    async () => {
      const found = await askForToken();
      const isOther = found !== null && found !== token;
      if (isOther) token = found;
      return isOther;
    },
  );
  shareToken(
    () => token,
    () => isTokenGood(token),
  );
  startApp(source);
}
