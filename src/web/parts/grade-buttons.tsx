import type { JSX } from "preact";
import { keyOf } from "../keymap.js";
import { gradeName } from "./beads.js";

const GRADES = [0, 1, 2, 3] as const;

/** The four grades, with their keys. */
export function GradeButtons({
  isOff,
  onGrade,
}: {
  isOff: boolean;
  onGrade: (grade: number) => void;
}): JSX.Element {
  return (
    <div class="grades" role="group" aria-label="Grades">
      {GRADES.map((value) => (
        <button
          type="button"
          class={`grade-button g-${value}`}
          disabled={isOff}
          onClick={() => onGrade(value)}
        >
          <span class="grade-digit">{value}</span>
          <span class="grade-name">{gradeName(value)}</span>
          <kbd>{keyOf(`grade${value}`)}</kbd>
        </button>
      ))}
    </div>
  );
}
