import { expectShape, isA, recordOf } from "../foundation/checks/index.js";
import { messageOf, quote } from "../foundation/errors/index.js";
import { isLabelGrade, type AssessmentOutcome, type LabelItem, type Rater } from "../records/index.js";

/** What a rater was shown of an item. */
export interface SentItem {
  /** SHA-256 of it. */
  readonly hash: string;
  /** Characters that were shown, where it was cut. */
  readonly length?: number | undefined;
}

/** What a labeler is asked at once. */
export interface LabelRequest {
  readonly query: string;
  readonly items: readonly LabelItem[];
  readonly signal?: AbortSignal | undefined;
  /** What the labeler keeps about the query, from one build to the next. */
  readonly profile?: KeptProfile | undefined;
}

/** A place for what a labeler knows of a query. */
export interface KeptProfile {
  /** Undefined where nothing was kept. */
  read(): Promise<unknown>;
  /** Keeps it, in place of what was there. */
  keep(profile: unknown): Promise<void>;
}

/** What a labeler says of one item. */
export interface ItemVerdict {
  readonly id: string;
  readonly outcome: Exclude<AssessmentOutcome, "withdrawn">;
  /** From 0 to 3; null unless it is `graded`. */
  readonly grade: number | null;
  readonly reason?: string | undefined;
  /** What was shown, where that is not all. */
  readonly sent?: SentItem | undefined;
}

/** What requests take. */
export interface Cost {
  readonly tokens?: { readonly input: number; readonly output: number } | undefined;
  readonly price?: { readonly amount: number; readonly currency: string } | undefined;
}

/** The answer to one request. */
export interface LabelReply extends Cost {
  readonly verdicts: readonly ItemVerdict[];
  /** Who answered, where that is not the labeler's {@link Labeler.rater} from now on. */
  readonly rater?: Rater | undefined;
  /** Requests that it took. Default 1. */
  readonly requests?: number | undefined;
  /** The model that answered, by its own word. */
  readonly answeredModel?: string | undefined;
}

/**
 * What grades items for a query.
 *
 * For those who implement it: `rater` is its identity and must change with everything that changes grades.
 * A verdict that is missing, repeated, out of range or refused is asked for once more, alone, and then
 * kept as `invalid` or `refused`; a rejection ends the build, with everything before it kept.
 */
export interface Labeler {
  /** Its identity. It may become another one with an answer, by which something turned out. */
  readonly rater: Rater;
  /** Before a build: the raters of the store, so that it begins with what turned out another time. */
  recall?(raters: readonly Rater[]): void;
  /** About what an answer takes, of those that it costs something, and at most how many requests. */
  estimate?(request: LabelRequest): Cost & { readonly requests?: number | undefined };
  /** Judges every item of the request. */
  label(request: LabelRequest): Promise<LabelReply>;
}

/** What a function makes of one item: a grade from 0 to 3, or null where it cannot tell. */
export type GradeFunction = (
  query: string,
  item: LabelItem,
  signal: AbortSignal | undefined,
) => number | null | Promise<number | null>;

/** How a function goes as a labeler. */
export interface FunctionLabelerOptions {
  /** Its name as a rater. */
  readonly name: string;
  /** Changes whenever its grades may. */
  readonly version: string;
  readonly grade: GradeFunction;
}

const filled = isA("a text that is not empty", (given) => typeof given === "string" && given !== "");
const OF_FUNCTION = recordOf(
  { name: filled, version: filled, grade: isA("a function", (given) => typeof given === "function") },
  "give `name`, `version` and `grade`",
);

/**
 * A function of your own as a labeler. What it returns besides a whole number from 0 to 3 and null is kept as
 * `invalid`, and so is what it throws; an abort ends the build.
 *
 * @throws InputError `ARGUMENT` for options without a name, a version or a function.
 */
export function functionLabeler(options: FunctionLabelerOptions): Labeler {
  expectShape(options, OF_FUNCTION, "ARGUMENT", "functionLabeler");
  const { name, version, grade } = options;
  return {
    rater: { kind: "model", name, parameters: { version } },
    async label({ query, items, signal }) {
      const verdicts: ItemVerdict[] = [];
      for (const item of items) {
        signal?.throwIfAborted();
        verdicts.push(await askVerdict(item, () => grade(query, item, signal), signal));
      }
      return { verdicts };
    },
  };
}

async function askVerdict(
  { id }: LabelItem,
  ask: () => number | null | Promise<number | null>,
  signal: AbortSignal | undefined,
): Promise<ItemVerdict> {
  try {
    const grade = await ask();
    if (grade === null) return { id, outcome: "cannot_tell", grade };
    return isLabelGrade(grade)
      ? { id, outcome: "graded", grade }
      : { id, outcome: "invalid", grade: null, reason: `the function returned ${quote(grade)}` };
  } catch (error) {
    signal?.throwIfAborted();
    return { id, outcome: "invalid", grade: null, reason: `the function threw: ${messageOf(error)}` };
  }
}
