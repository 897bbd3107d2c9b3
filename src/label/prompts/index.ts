/**
 * The prompts that ship, as data.
 *
 * @module
 */
import { passagePrompt } from "./passage.js";
import { productPrompt } from "./product.js";
import type { LabelPrompt } from "./prompt.js";

export { promptWordings } from "./wordings.js";
export { checkPrompt, type LabelPrompt } from "./prompt.js";

/** The prompts that ship, by id. */
export const labelPrompts: readonly LabelPrompt[] = [productPrompt, passagePrompt];
