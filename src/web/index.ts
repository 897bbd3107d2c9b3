/**
 * The page of the workbench. It is built into one script, which the server holds in memory; a page without a
 * server has another script before it, which says where the data comes from.
 *
 * @module
 */
import { startApp } from "./app.js";
import { apiSource, OFFLINE_SOURCE, type DataSource } from "./data-source.js";
import { askForToken, shareToken, takeToken } from "./token.js";

const offline = (globalThis as { [OFFLINE_SOURCE]?: DataSource })[OFFLINE_SOURCE];
if (offline !== undefined) startApp(offline);
else {
  const token = takeToken();
  // A link that was opened in a tab that has the page already changes the fragment alone.
  addEventListener("hashchange", () => {
    if (location.hash.includes("token=")) {
      takeToken();
      location.reload();
    }
  });
  if (token === "")
    void askForToken().then((found) =>
      found === null ? startApp(apiSource(() => token)) : location.reload(),
    );
  else {
    const source = apiSource(() => token);
    const isGood = (): Promise<boolean> =>
      source.session().then(
        () => true,
        () => false,
      );
    shareToken(token, isGood);
    startApp(source);
  }
}
