import { expect, it, vi } from "vitest";
import { readServerClock, serverNow } from "../../src/web/server-clock.js";

it("the time is the server's where this browser's clock is off, and its own where it is not", () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 9) });
  try {
    const own = Date.now();
    const answer = (date: string | null): Response =>
      new Response("", date === null ? {} : { headers: { date } });
    const at = (milliseconds: number): string => new Date(own + milliseconds).toUTCString();
    const told: [string | null, number, number][] = [
      [at(600_000), 0, 600_000],
      // Neither of these tells anything.
      [null, 0, 600_000],
      ["not a date", 0, 600_000],
      [at(0), 60_000, 600_000],
      [at(-600_000), 1000, -600_000],
      [at(9000), 0, 0],
      [at(-600_000), 0, -600_000],
      [at(-1000), 0, 0],
    ];
    for (const [date, took, expected] of told) {
      readServerClock(answer(date), own - took);
      expect(serverNow() - own).toBe(expected);
    }
  } finally {
    vi.useRealTimers();
  }
});
