import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { WorkbenchPlan } from "../../records/index.js";
import { Prose } from "./prose.js";
import { Problem } from "./states.js";

/**
 * A button that starts work: first it says what the work would take, and asks whether to begin.
 *
 * @param plan null for work that asks nobody anything.
 * @param settings what the plan depends on, as text: a question about others is withdrawn.
 */
export function StartWork({
  children,
  plan,
  start,
  onStarted,
  isMain = false,
  settings = "",
}: {
  children: ComponentChildren;
  plan: (() => Promise<WorkbenchPlan>) | null;
  start: () => Promise<void>;
  onStarted: () => void;
  isMain?: boolean;
  settings?: string;
}): JSX.Element {
  const [asked, setAsked] = useState<WorkbenchPlan | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** Whether the focus was on what has gone since. */
  const isLost = useRef(false);
  const beginning = useRef<HTMLButtonElement>(null);
  // When it can be pressed, and not again: whatever is typed meanwhile begins nothing.
  useLayoutEffect(() => {
    if (asked !== null && !isBusy) beginning.current?.focus();
  }, [asked, isBusy]);
  useLayoutEffect(() => {
    if (isBusy || asked !== null || !isLost.current) return;
    isLost.current = false;
    if (document.activeElement === document.body) button.current?.focus();
  }, [isBusy, asked]);
  const latest = useRef(settings);
  latest.current = settings;
  useEffect(() => setAsked(null), [settings]);
  const act = (work: () => Promise<void>): void => {
    isLost.current = true;
    setProblem(null);
    setBusy(true);
    work()
      .catch((error: unknown) => setProblem(error instanceof Error ? error : new Error(String(error))))
      .finally(() => setBusy(false));
  };
  const begin = (): void =>
    act(async () => {
      try {
        await start();
      } finally {
        // Also where the answer is lost: the work may have begun.
        onStarted();
      }
      setAsked(null);
    });
  const cancel = (): void => {
    isLost.current = true;
    setAsked(null);
  };
  return (
    <div class="start-work">
      <button
        type="button"
        ref={button}
        class={isMain ? "button" : undefined}
        disabled={isBusy || asked !== null}
        onClick={() =>
          plan === null
            ? begin()
            : act(async () => {
                const of = settings;
                const answer = await plan();
                if (latest.current === of) setAsked(answer);
              })
        }
      >
        {children}
      </button>
      {asked !== null && (
        <div
          class="confirm"
          role="group"
          aria-label="Begin?"
          onKeyDown={(event) => event.key === "Escape" && !isBusy && cancel()}
        >
          <p>
            <Prose text={asked.text} />{" "}
            {asked.is_paid && <strong>Whoever runs the model may ask money for it.</strong>}
          </p>
          <button type="button" class="button" disabled={isBusy} ref={beginning} onClick={begin}>
            Begin
          </button>{" "}
          <button type="button" disabled={isBusy} onClick={cancel}>
            No
          </button>
        </div>
      )}
      {problem !== null && <Problem error={problem} />}
    </div>
  );
}
