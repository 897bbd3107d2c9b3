import type { JSX } from "preact";
import { StartWork } from "../parts/start-work.js";
import { AdjudicateScreen, Disputes } from "./adjudicate.js";
import { ReportScreen } from "./report.js";
import { isWritable, type ScreenProps } from "./screen.js";

/** `#/d/DS/trust`: how far the model's labels carry; the model is tried here. */
export function TrustScreen(props: ScreenProps): JSX.Element {
  const { source, collection, route } = props;
  if (route.search["item"] !== undefined) return <AdjudicateScreen {...props} />;
  return (
    <ReportScreen
      {...props}
      name="trust"
      first={["summary", "confusion", "labels"]}
      kinds={["probe"]}
      empty="Nothing can be compared: no item has a label of the model and one of a person yet."
      head={({ work: { jobs, watch } }) => (
        <>
          {isWritable(props) && !jobs.some(({ kind, state }) => kind === "probe" && state === "running") && (
            <div class="actions">
              <StartWork
                plan={() => source.plan(collection, { kind: "probe" })}
                start={() => source.startWork(collection, { kind: "probe" })}
                onStarted={watch}
              >
                Try the model with changed items…
              </StartWork>
            </div>
          )}
          <Disputes source={source} collection={collection} canDecide={isWritable(props)} />
        </>
      )}
    />
  );
}
