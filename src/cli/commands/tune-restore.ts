import type { Command } from "commander";
import { AdapterError } from "../../index.js";
import { findRestorePoints } from "../../node/index.js";
import { plainLine, type Terminal } from "../terminal.js";
import { findLeftWithoutPoint, restoreOne } from "../unrestored.js";
import { projectFolders } from "../project-folders.js";
import { examples } from "./cli-command.js";

/** `tune restore`. */
export function defineTuneRestore(tune: Command, terminal: Terminal): void {
  tune
    .command("restore")
    .description("put back what a tuning that was killed left behind, and restart the search")
    .addHelpText("after", examples("tune restore"))
    .action(async () => {
      const points = projectFolders(terminal).flatMap(findRestorePoints);
      const found = [...points, ...(await findLeftWithoutPoint(points, terminal))];
      let isWell = true;
      for (const each of new Map(found.map((point) => [point.path, point])).values())
        if (each.isUnderWay) {
          isWell = false;
          terminal.talk(
            `${plainLine(each.point.backend)} is being tuned by process ${each.point.owner.pid}, which ` +
              "restores it; end that instead",
          );
        } else isWell = (await restoreOne(each, { terminal, isAsked: true })) && isWell;
      if (found.length === 0) terminal.talk("nothing is to be restored here");
      if (!isWell) throw new AdapterError("TUNING_RESTORE", "not everything could be restored; see above");
    });
}
