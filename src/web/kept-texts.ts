/**
 * Texts that a storage of the browser keeps. Where it is blocked or full they are kept as long as the page:
 * nothing that is done here may depend on it.
 */
class KeptTexts {
  /** Browsers that block a storage throw where it is named. */
  readonly #storage: () => Storage;
  readonly #here: Map<string, string | null>;

  /** @param name under which the scripts of a page share what is kept as long as it. */
  constructor(name: string, storage: () => Storage) {
    this.#storage = storage;
    const shared = globalThis as unknown as Record<string, Map<string, string | null> | undefined>;
    this.#here = shared[name] ??= new Map<string, string | null>();
  }

  get(key: string): string | null {
    const here = this.#here.get(key);
    if (here !== undefined) return here;
    try {
      return this.#storage().getItem(key);
    } catch {
      return null;
    }
  }

  /** @param text null removes what is there. */
  set(key: string, text: string | null): void {
    this.#here.set(key, text);
    try {
      if (text === null) this.#storage().removeItem(key);
      else this.#storage().setItem(key, text);
      this.#here.delete(key);
    } catch {
      // It is kept here.
    }
  }
}

/** Of this browser. */
export const browserTexts = new KeptTexts("rankproof-browser-texts", () => localStorage);
/** Of this tab. */
export const tabTexts = new KeptTexts("rankproof-tab-texts", () => sessionStorage);
