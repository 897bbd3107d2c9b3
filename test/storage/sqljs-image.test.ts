import { describe, expect, it } from "vitest";
import { checkImage } from "../../src/storage/sqljs/image.js";

/** The header of a database of pages of 512 bytes, of which there is one. */
function header({ counter, validFor, pages }: Record<"counter" | "validFor" | "pages", number>): Uint8Array {
  const bytes = new Uint8Array(512);
  bytes.set(new TextEncoder().encode("SQLite format 3\0"));
  const view = new DataView(bytes.buffer);
  view.setUint16(16, 512);
  view.setUint32(24, counter);
  view.setUint32(28, pages);
  view.setUint32(92, validFor);
  return bytes;
}

describe("how many pages a database says that it has", () => {
  it("counts where it was kept up to date", () => {
    expect(() => checkImage(header({ counter: 2, validFor: 2, pages: 9 }), "s")).toThrow("is truncated");
  });
  it("says nothing where an older program wrote last", () => {
    expect(() => checkImage(header({ counter: 2, validFor: 1, pages: 9 }), "s")).not.toThrow();
  });
});
