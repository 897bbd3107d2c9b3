import { InputError, quote } from "../foundation/errors/index.js";
import { checkSeed, isMap, checkKnownOptions } from "../foundation/checks/index.js";
import type { ChoiceRule } from "./choose-point.js";
import type { SearchedMethod } from "./families.js";
import type { HoldOutOptions } from "./folds.js";

/** How `tuneFusion` searches. Everything has a default, and is in the result. */
export interface TuneFusionOptions extends HoldOutOptions {
  /** What is searched; default `wsum` with its own normalizer. */
  readonly search?: readonly SearchedMethod[] | undefined;
  /**
   * What is there; default the first searched method, with equal weights and default parameters, or `wsum`
   * where that has to learn.
   */
  readonly current?: { readonly method: string; readonly normalize?: string | undefined } | undefined;
  /** Which point of a curve is chosen. Default `one_standard_error`. */
  readonly choice?: ChoiceRule | undefined;
  /** Names of the runs; default `A`, `B`, … */
  readonly names?: readonly string[] | undefined;
  /**
   * False where the judgments are a model's labels, and people have not checked them: then no setting is
   * better. Default true.
   */
  readonly areLabelsAudited?: boolean | undefined;
  /** Called when a part of the work is done. */
  readonly onProgress?: ((what: string, done: number, total: number) => void) | undefined;
}

const OPTIONS: readonly (keyof TuneFusionOptions)[] = [
  "search",
  "current",
  "choice",
  "names",
  "areLabelsAudited",
  "onProgress",
];
const RULES = ["one_standard_error", "plateau"];
const VALIDATIONS = ["leave_one_out", "folds", "given"];

/**
 * Refuses what is not possible, also from code without types.
 *
 * @throws InputError `ARGUMENT`
 */
export function checkTuneOptions(options: TuneFusionOptions): void {
  checkKnownOptions(options, OPTIONS);
  const {
    search,
    current,
    choice,
    validation,
    areLabelsAudited,
    groups,
    margin = 0,
    confidence = 0.5,
    seed = 1,
  } = options;
  const check = (isGood: boolean, name: string, must: string, got: unknown): void => {
    if (!isGood) throw new InputError("ARGUMENT", `${name} must be ${must}, got ${quote(got)}`);
  };
  const hasMethod = (value: unknown): boolean =>
    typeof (value as { method?: unknown } | null)?.method === "string";
  check(
    search === undefined || (Array.isArray(search) && search.every(hasMethod)),
    "search",
    'a list of methods, as in [{ method: "wsum" }]',
    search,
  );
  if (search?.length === 0) throw new InputError("ARGUMENT", "there is nothing to search; name a method");
  check(current === undefined || hasMethod(current), "current", 'a method, as in { method: "rrf" }', current);
  check(choice === undefined || RULES.includes(choice), "choice", `one of ${RULES.join(", ")}`, choice);
  check(
    validation === undefined || VALIDATIONS.includes(validation.kind),
    "the kind of validation",
    `one of ${VALIDATIONS.join(", ")}`,
    validation,
  );
  check(
    areLabelsAudited === undefined || typeof areLabelsAudited === "boolean",
    "areLabelsAudited",
    "true or false",
    areLabelsAudited,
  );
  check(groups === undefined || isMap(groups), "groups", "a Map of query ids to names", groups);
  check(Number.isFinite(margin) && margin >= 0, "margin", "a number from 0", String(margin));
  check(confidence > 0 && confidence < 1, "confidence", "a share between 0 and 1", String(confidence));
  checkSeed(seed);
}
