import { RankproofError } from "../../src/index.js";

/** The error of the package that something throws; any other goes on. */
export function failure(work: () => unknown): { code: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof RankproofError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}
