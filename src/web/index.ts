/**
 * The page of the workbench. It is built into one script, which the server holds in memory; a page without a
 * server has another script before it, which says where the data comes from.
 *
 * @module
 */
import { startApp } from "./app.js";
import { apiSource, projectOf, OFFLINE_SOURCE, type DataSource } from "./data-source.js";
import { askForToken, shareToken, takeToken } from "./token.js";

/** Other tabs are not asked for a key more often. */
const ASK_AGAIN_MS = 15_000;

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
  /** The project of this page: another one may be served at the same address by now. */
  let project: string | null = null;
  let askedAt = -Infinity;
  // Whoever comes back to this tab may have opened another one.
  addEventListener("focus", () => (askedAt = -Infinity));
  // A tab without a key, or with one of an earlier start, takes that of another tab.
  const renew = async (): Promise<boolean> => {
    if (Date.now() - askedAt < ASK_AGAIN_MS) return false;
    askedAt = Date.now();
    const found = await askForToken();
    const other = found === null || found === token ? null : await projectOf(found);
    if (found === null || other === null) return false;
    // What waits in this page is another project's.
    if (project !== null && other !== project) {
      location.reload();
      return false;
    }
    token = found;
    return true;
  };
  const source = apiSource(() => token, renew);
  shareToken(
    () => token,
    async () => (await projectOf(token)) !== null,
  );
  startApp({
    ...source,
    async session() {
      const session = await source.session();
      project ??= session.project;
      return session;
    },
  });
}
