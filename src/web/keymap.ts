import { browserTexts } from "./kept-texts.js";

/** What single keys do, by name: the usual key, and what it does in words. */
export const ACTIONS = {
  help: { key: "?", what: "these keys", group: "everywhere" },
  go: { key: "g", what: "then a letter: go to a screen", group: "everywhere" },
  search: { key: "/", what: "search", group: "everywhere" },
  previous: { key: "[", what: "previous, in any list", group: "everywhere" },
  next: { key: "]", what: "next, in any list", group: "everywhere" },
  grade0: { key: "a", what: "grade 0 (as the digit does)", group: "labelling" },
  grade1: { key: "s", what: "grade 1", group: "labelling" },
  grade2: { key: "d", what: "grade 2", group: "labelling" },
  grade3: { key: "f", what: "grade 3", group: "labelling" },
  cannotTell: { key: "x", what: "cannot tell", group: "labelling" },
  later: { key: "l", what: "later", group: "labelling" },
  undo: { key: "u", what: "undo", group: "labelling" },
  note: { key: "n", what: "note", group: "labelling" },
  evidence: { key: "e", what: "marks of the query's words", group: "labelling" },
  on: { key: "j", what: "on without a grade", group: "labelling" },
  back: { key: "k", what: "back without a grade", group: "labelling" },
  nextQuery: { key: "J", what: "next query", group: "labelling" },
  previousQuery: { key: "K", what: "previous query", group: "labelling" },
  grid: { key: "m", what: "all items of the query on one screen, and back", group: "labelling" },
} as const;

/** The name of what a key does. */
export type ActionName = keyof typeof ACTIONS;

const NAMES = Object.keys(ACTIONS) as ActionName[];
/** Where the browser keeps the keys that were changed, and whether single keys are off. */
const [OWN_KEYS, KEYS_OFF] = ["rankproof-keys", "rankproof-keys-off"];

let own: Partial<Record<ActionName, string>> = readOwn();

function readOwn(): Partial<Record<ActionName, string>> {
  try {
    const kept = JSON.parse(browserTexts.get(OWN_KEYS) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(NAMES.flatMap((name) => (isKey(kept[name]) ? [[name, kept[name]]] : [])));
  } catch {
    // What another hand has written there.
    return {};
  }
}

/** One character, which no digit is: those are grades. */
function isKey(key: unknown): key is string {
  return typeof key === "string" && [...key].length === 1 && !/[\s\d]/.test(key);
}

/** The key of an action. */
export function keyOf(action: ActionName): string {
  return own[action] ?? ACTIONS[action].key;
}

/**
 * Gives an action another key, and keeps it in this browser.
 *
 * @returns why it cannot be had; null where it is done.
 */
export function changeKey(action: ActionName, key: string): string | null {
  if (!isKey(key)) return "A key is one character, and no digit.";
  const taken = NAMES.find((name) => name !== action && keyOf(name) === key);
  if (taken !== undefined) return `${key} is taken: ${ACTIONS[taken].what}.`;
  own = { ...own, [action]: key };
  browserTexts.set(OWN_KEYS, JSON.stringify(own));
  return null;
}

/** Gives every action its usual key again. */
export function resetKeys(): void {
  own = {};
  browserTexts.set(OWN_KEYS, null);
}

/** Whether any key was changed. */
export function areKeysChanged(): boolean {
  return Object.keys(own).length > 0;
}

/** Whether the user has switched single keys off. */
export function areKeysOff(): boolean {
  return browserTexts.get(KEYS_OFF) === "1";
}

/** Switches single keys off or on. */
export function switchKeys(areOff: boolean): void {
  browserTexts.set(KEYS_OFF, areOff ? "1" : "0");
}
