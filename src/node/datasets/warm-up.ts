import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { httpBackend } from "../../services/index.js";

/** So many searches at once load what there is to load. */
const AT_ONCE = 4;
const LONGEST_MS = 2000;

let asked: Promise<void> | undefined;

/**
 * Asks a search of our own, which finds nothing, once: a process takes tenths of a second to load what its
 * first requests need, which would stand in the times of the first queries.
 */
export function warmUpRequests(): Promise<void> {
  return (asked ??= askOwnSearch());
}

async function askOwnSearch(): Promise<void> {
  const server = createServer((_, response) => void response.end('{"hits":[]}'));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const own = httpBackend({ url: `http://127.0.0.1:${port}/`, retries: 0, timeoutMs: LONGEST_MS });
    const ask = async (): Promise<unknown> => own.search("", { limit: 1, queryId: "" });
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  } catch {
    // Nothing depends on it.
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
