import * as nodeModule from "node:module";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";

const INSTALLED = `${sep}node_modules${sep}`;

/** What newer versions of Node have besides. */
interface Hooks {
  registerHooks?: (hooks: {
    load: (url: string, context: unknown, next: (url: string, context: unknown) => unknown) => unknown;
  }) => void;
}

/** The hooks for versions of Node that run them in a thread of their own. */
const HOOKS = `
let port;
export function initialize(data) { port = data.port; }
export function load(url, context, next) { port.postMessage(url); return next(url, context); }
`;

/**
 * Tells each file of the user's own that is imported from now on. Packages that are installed are left out:
 * nobody changes them while watching.
 *
 * @returns tells also what was loaded by `require` until now.
 */
export function tellLoadedFiles(tell: (path: string) => void): () => void {
  const take = (url: string): void => {
    if (url.startsWith("file:") && !fileURLToPath(url).includes(INSTALLED)) tell(fileURLToPath(url));
  };
  const { registerHooks } = nodeModule as Hooks;
  if (registerHooks === undefined) {
    const { port1, port2 } = new MessageChannel();
    port1.on("message", take);
    // Whoever listens must not keep the process from ending.
    port1.unref();
    nodeModule.register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
      data: { port: port2 },
      transferList: [port2],
    });
  } else
    registerHooks({
      load: (url, context, next) => {
        take(url);
        return next(url, context);
      },
    });
  return () => {
    for (const path of Object.keys(nodeModule.createRequire(import.meta.url).cache))
      if (!path.includes(INSTALLED)) tell(path);
  };
}
