import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** One connection to the server, by way of what stands between. */
export interface Passage {
  readonly client: Socket;
  readonly upstream: Socket;
}

/**
 * Stands between a server and those who connect to `url`; `passOn` says what becomes of what they send. A new
 * connection gets no answer while `isSilent`.
 */
export async function standBetween(
  server: string,
  passOn: (data: Buffer, passage: Passage) => void,
  isSilent = (): boolean => false,
): Promise<{ readonly url: string; close(): void }> {
  const { hostname, port } = new URL(server);
  const clients = new Set<Socket>();
  const between = createServer((client) => {
    clients.add(client);
    client.on("error", () => undefined).on("close", () => clients.delete(client));
    if (isSilent()) return;
    const upstream = connect(Number(port), hostname);
    client.on("close", () => upstream.destroy());
    upstream.on("error", () => undefined).on("close", () => client.destroy());
    upstream.on("data", (data) => client.write(data));
    const passage = { client, upstream };
    client.on("data", (data) => passOn(data, passage));
  }).listen(0, "127.0.0.1");
  await once(between, "listening");
  const address = new URL(server);
  address.port = String((between.address() as AddressInfo).port);
  return {
    url: address.href,
    close() {
      between.close();
      clients.forEach((client) => client.destroy());
    },
  };
}
