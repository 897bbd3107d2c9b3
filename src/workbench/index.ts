/**
 * What the screens of the workbench are told: the server of a project and a page without a server ask the
 * same functions.
 *
 * @module
 */
export { compareAnswer, NotThere, queriesAnswer, queryAnswer, showSections } from "./answers.js";
export { bytesToText, textToBytes } from "./byte-text.js";
export { changesBetween } from "./changes.js";
export type { Collection } from "./collection.js";
export { GoldenCollection, type ComparedBy } from "./golden-collection.js";
export { gradeCharacter } from "./grade-character.js";
export { itemShown } from "./item-shown.js";
export { JudgedCollection, type JudgedRun } from "./judged-collection.js";
export { Kept } from "./kept.js";
export { markAssessment, withoutGradesBefore } from "./mark-assessment.js";
export { overviewOf, summarizeVerdict } from "./overview.js";
