import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";

const NAMES = ["Irrelevant", "Weakly relevant", "Mostly relevant", "Fully relevant"] as const;

/** Whether beads are of a golden set, which says what is expected, and holds all else for irrelevant. */
export const IsGolden = createContext(false);

/** What a grade is called. */
export function gradeName(grade: number | null): string {
  return grade === null ? "no label" : (NAMES[Math.round(grade)] ?? String(grade));
}

function expectedName(grade: number | null): string {
  return grade === null ? "not expected" : grade > 0 ? "expected" : "irrelevant";
}

/**
 * A grade as a digit in a shape of its own, so that it does not take colour to tell it.
 *
 * @param of whose grade it is.
 */
export function Bead({
  grade,
  of,
  isSmall = false,
}: {
  grade: number | null;
  of?: string;
  isSmall?: boolean;
}): JSX.Element {
  const isGolden = useContext(IsGolden);
  const name = (isGolden ? expectedName : gradeName)(grade);
  return (
    <span
      class={`bead ${isSmall ? "small " : ""}g-${grade === null ? "none" : levelOf(grade)}`}
      title={of === undefined ? name : `${of}: ${name}`}
    >
      {grade ?? (isGolden ? "·" : "?")}
    </span>
  );
}

/**
 * What the grades are called, in a line.
 *
 * @param hasUseful whether it is said which items are called useful.
 */
export function Legend({ hasUseful = false }: { hasUseful?: boolean }): JSX.Element {
  const isGolden = useContext(IsGolden);
  return (
    <p class="legend quiet small">
      {(isGolden ? [1, null] : [3, 2, 1, 0, null]).map((grade) => (
        <span>
          <Bead grade={grade} isSmall /> {(isGolden ? expectedName : gradeName)(grade)}
        </span>
      ))}
      {hasUseful && <span>useful: 1 or more</span>}
    </p>
  );
}

/** Judgments of other tools may have grades beyond the scale; they look like its ends. */
function levelOf(grade: number): number {
  return Math.max(0, Math.min(NAMES.length - 1, Math.round(grade)));
}

/** The grades of the first hits, as a row of beads; one text for readers of screens. */
export function Strip({ strip }: { strip: string }): JSX.Element {
  const grades = [...strip];
  return (
    <span class="strip" role="img" aria-label={strip === "" ? "no hits" : `grades ${grades.join(" ")}`}>
      {grades.map((grade) => (
        <span class={`bead small g-${/\d/.test(grade) ? levelOf(Number(grade)) : "none"}`} aria-hidden="true">
          {grade}
        </span>
      ))}
    </span>
  );
}
