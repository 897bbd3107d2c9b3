import type { ComponentChildren, JSX } from "preact";
import { SourceError } from "../data-source.js";
import { Prose } from "./prose.js";

/** Says that something is on its way, after a moment. */
export function Loading({ what }: { what: string }): JSX.Element {
  return (
    <p class="loading quiet" role="status">
      {what}…
    </p>
  );
}

/** Says what went wrong, and offers to try again. */
export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }): JSX.Element {
  const isToken = error instanceof SourceError && error.status === 401;
  return (
    <div class="problem" role="alert">
      <p>
        <strong>
          {isToken ? "This page has no key, or one of an earlier start." : "That did not work."}
        </strong>{" "}
        <Prose
          text={
            isToken
              ? "Open the link that the terminal printed; what you labelled is kept until then."
              : error.message
          }
        />
      </p>
      {onRetry !== undefined && !isToken && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What stands where there is nothing. */
export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty quiet">{children}</p>;
}
