import { connect } from "node:net";

/** What came back over a socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** All of it, as it came. */
  readonly text: string;
}

/** Sends text over a socket, as it is, and reads until the server closes. */
export function sendRaw(port: number, request: string, address = "127.0.0.1"): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address);
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that refuses a body closes before it has read all of it.
      if (parts.length === 0 && error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    socket.on("close", () => resolve(parsed(Buffer.concat(parts).toString("utf8"))));
    socket.write(request);
  });
}

function parsed(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end < 0 ? text.length : end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return {
    status: Number(first.split(" ")[1] ?? 0),
    headers,
    body: end < 0 ? "" : text.slice(end + 4),
    text,
  };
}

/** Headers of a request; null leaves one out. */
export type RawHeaders = Readonly<Record<string, string | null>>;

/** A request in the form in which it goes over the wire. */
export function rawRequest(line: string, headers: RawHeaders, body = ""): string {
  const all = {
    connection: "close",
    ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${line} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** A body in pieces, which does not say how long it is. */
export function chunkedBody(text: string): string {
  const pieces = text.match(/[^]{1,60000}/g) ?? [];
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}0\r\n\r\n`;
}
