import type { JSX } from "preact";

const NAMES = ["Irrelevant", "Weakly relevant", "Mostly relevant", "Fully relevant"] as const;

/** What a grade is called. */
export function gradeName(grade: number | null): string {
  return grade === null ? "no label" : (NAMES[Math.round(grade)] ?? String(grade));
}

/** A grade as a digit in a shape of its own, so that it does not take colour to tell it. */
export function Bead({
  grade,
  title,
  isSmall = false,
}: {
  grade: number | null;
  title?: string;
  isSmall?: boolean;
}): JSX.Element {
  return (
    <span
      class={`bead ${isSmall ? "small " : ""}g-${grade === null ? "none" : levelOf(grade)}`}
      title={title ?? gradeName(grade)}
    >
      {grade === null ? "?" : grade}
    </span>
  );
}

/**
 * What the grades are called, in a line.
 *
 * @param hasUseful whether it is said which items are called useful.
 */
export function Legend({ hasUseful = false }: { hasUseful?: boolean }): JSX.Element {
  return (
    <p class="legend quiet small">
      {[3, 2, 1, 0, null].map((grade) => (
        <span>
          <Bead grade={grade} isSmall /> {gradeName(grade)}
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
