import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it reached the server. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly input: readonly string[];
    readonly [key: string]: unknown;
  };
}

/** What a server does with a request; `count` is its number, from 1. */
export type ServerBehaviour = (request: ReceivedRequest, response: ServerResponse, count: number) => void;

export interface EmbeddingServer {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** A real HTTP server on loopback. */
export async function embeddingServer(behaviour: ServerBehaviour = sendEmbeddings): Promise<EmbeddingServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
      };
      requests.push(received);
      behaviour(received, response, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The vector that the test servers give a text: 4 numbers that single precision holds. */
export function vectorOf(text: string): number[] {
  return [text.length, text.codePointAt(0) ?? 0, text.codePointAt(text.length - 1) ?? 0, 1];
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { error: { message, type: "some_error", code: null } }, headers);
}

export function sendVectors(response: ServerResponse, vectors: readonly unknown[]): void {
  sendJson(response, 200, {
    object: "list",
    data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
    model: "m",
  });
}

/** What a good server does. */
export function sendEmbeddings({ body }: ReceivedRequest, response: ServerResponse): void {
  sendVectors(response, body.input.map(vectorOf));
}
