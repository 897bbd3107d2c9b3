import type { Server } from "node:http";
import { networkInterfaces } from "node:os";
import { createAdaptorServer } from "@hono/node-server";
import { AdapterError, InputError, messageOf } from "../foundation/errors/index.js";
import { checkServeOptions } from "./check-options.js";
import { workbench, type WorkbenchOptions } from "./workbench.js";

const LOOPBACK = "127.0.0.1";
const LOOPBACK_6 = "::1";
const MOST_CONNECTIONS = 64;
/** For the head of a request, and for all of it. */
const [HEAD_MS, REQUEST_MS] = [10_000, 30_000];
/**
 * For a connection that asks nothing. With Node's 5 s a server that is busy for a second closes it while the
 * next request is on its way, which is then lost.
 */
const IDLE_MS = 75_000;

/** How the workbench is served. */
export interface ServeOptions extends Omit<WorkbenchOptions, "port"> {
  /** Default 6010; 0 takes a free one. */
  readonly port?: number | undefined;
  /** Default this machine alone. */
  readonly host?: string | undefined;
}

/** A workbench that answers. */
export interface ServedWorkbench {
  /** With the token in its fragment. */
  readonly url: string;
  readonly port: number;
  /** Makes what the first screen shows. */
  warmUp(): Promise<void>;
  /** Stops what runs, and lets go of the port. */
  close(): Promise<void>;
}

/**
 * Serves the workbench on this machine.
 *
 * @throws AdapterError `SERVER_PORT` where the port is taken: another one is never tried by itself, since the
 * browser keeps what is not stored yet by address.
 * @throws InputError `ARGUMENT` for options that are not possible, and for another machine's address without
 * names by which it may be called. There, and with names of others in `allowedHosts`, nothing is written
 * unless `isReadOnly` is false.
 */
export async function serveWorkbench(given: ServeOptions): Promise<ServedWorkbench> {
  const { port = 6010, host = LOOPBACK, ...options } = checkServeOptions(given);
  const isLocal = host === LOOPBACK || host === LOOPBACK_6 || host === "localhost";
  if (!isLocal && (options.allowedHosts ?? []).length === 0)
    throw new InputError(
      "ARGUMENT",
      `the host ${host} is reached by others; say by which name (\`allowedHosts\`, --allow-host), and ` +
        "think of who they are",
    );
  let bound = port;
  // At an address that others reach nobody writes by an oversight.
  const made = workbench({
    ...options,
    isThreaded: options.isThreaded ?? true,
    isReadOnly: options.isReadOnly ?? (isLocal ? undefined : true),
    port: () => bound,
  });
  const servers: Server[] = [];
  const listen = async (address: string, wanted: number): Promise<number> => {
    const server = createAdaptorServer({ fetch: (request) => made.fetch(request) }) as Server;
    server.maxConnections = MOST_CONNECTIONS;
    server.headersTimeout = HEAD_MS;
    server.requestTimeout = REQUEST_MS;
    server.keepAliveTimeout = IDLE_MS;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(wanted, address, resolve);
    });
    servers.push(server);
    const there = server.address();
    return typeof there === "object" && there !== null ? there.port : wanted;
  };
  try {
    bound = await listen(isLocal ? LOOPBACK : host, port);
    if (isLocal && hasIpv6()) await listen(LOOPBACK_6, bound);
  } catch (error) {
    for (const server of servers) server.close();
    throw portError(error, bound);
  }
  const name = isLocal ? LOOPBACK : (options.allowedHosts?.[0] ?? host);
  return {
    url: `http://${name}:${bound}/#token=${made.token}`,
    port: bound,
    warmUp: () => made.warmUp(),
    async close() {
      await made.close();
      await Promise.all(
        servers.map(async (server) => {
          const closed = new Promise((resolve) => server.close(resolve));
          server.closeAllConnections();
          await closed;
        }),
      );
    },
  };
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => address === LOOPBACK_6),
  );
}

function portError(error: unknown, port: number): AdapterError {
  const { code } = error as NodeJS.ErrnoException;
  const message =
    code === "EADDRINUSE"
      ? `port ${port} is in use, perhaps by another workbench; close it, or name another (\`port\`, --port)`
      : code === "EACCES"
        ? `port ${port} may not be opened; name one above 1023 (\`port\`, --port)`
        : `the workbench cannot listen: ${messageOf(error)}`;
  return new AdapterError("SERVER_PORT", message, { port }, error);
}
