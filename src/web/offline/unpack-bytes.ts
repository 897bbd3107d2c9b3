import { InputError } from "../../foundation/errors/index.js";

/**
 * Bytes of a gzip file, unpacked by the browser.
 *
 * @throws InputError `FILE_UNREADABLE` for a file that is cut off or damaged.
 */
export async function unpackBytes(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    // Browsers say of it that they failed to fetch.
    throw new InputError(
      "FILE_UNREADABLE",
      "It is not the gzip file that it begins as, or one of several parts; unpack it first.",
      {},
      cause,
    );
  }
}
