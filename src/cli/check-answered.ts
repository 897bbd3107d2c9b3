import { AdapterError } from "../index.js";
import type { BenchReport } from "../records/index.js";
import { plainLine } from "./terminal.js";

/**
 * A service that is down is no bad ranking: a script that looks at the exit code must not take zeros for
 * scores.
 *
 * @throws AdapterError `RETRIEVER_FAILED` where a mode failed for every case.
 */
export function checkAnswered({ modes }: BenchReport): void {
  const failed = modes.flatMap(({ mode, per_case }) => {
    const [first] = per_case;
    return first !== undefined && per_case.every(({ error }) => error !== null)
      ? [
          `${plainLine(mode)} failed for every case, so that its scores say nothing: ` +
            `${plainLine(first.error ?? "")}`,
        ]
      : [];
  });
  if (failed.length > 0) throw new AdapterError("RETRIEVER_FAILED", failed.join("\n"));
}
