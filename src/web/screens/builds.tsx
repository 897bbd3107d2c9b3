import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WorkbenchWork } from "../../records/index.js";
import { StartWork } from "../parts/start-work.js";
import { useStepKeys } from "../use-keys.js";
import { ReportScreen } from "./report.js";
import { isWritable, type ScreenProps } from "./screen.js";

/** `#/d/DS/builds`: what labelling cost; builds are started here. */
export function BuildsScreen(props: ScreenProps): JSX.Element {
  const { source, collection } = props;
  const [most, setMost] = useState("");
  useStepKeys(".builds summary");
  const work = (deep: boolean): WorkbenchWork => ({
    kind: "labels",
    deep,
    max_calls: most.trim() === "" ? null : Number(most),
  });
  return (
    <ReportScreen
      {...props}
      name="builds"
      first={["stop"]}
      kinds={["labels"]}
      empty="No model has labelled anything yet."
      head={({ work: { jobs, watch } }) =>
        isWritable(props) &&
        !jobs.some(({ kind, state }) => kind === "labels" && state === "running") && (
          <div class="actions">
            <label>
              At most{" "}
              <input
                type="number"
                min={1}
                class="number"
                value={most}
                onInput={(event) => setMost(event.currentTarget.value)}
              />{" "}
              requests to the model; empty for no limit
            </label>
            <StartWork
              isMain
              settings={most}
              plan={() => source.plan(collection, work(false))}
              start={() => source.startWork(collection, work(false))}
              onStarted={watch}
            >
              Label what the search returns…
            </StartWork>
            <StartWork
              settings={most}
              plan={() => source.plan(collection, work(true))}
              start={() => source.startWork(collection, work(true))}
              onStarted={watch}
            >
              Rebuild each query deeply…
            </StartWork>
          </div>
        )
      }
    />
  );
}
