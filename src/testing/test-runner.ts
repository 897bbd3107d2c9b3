/** What a contract asks of an assertion about a rejected promise. */
export interface RejectedExpectation {
  /** The error has these properties. */
  toMatchObject(expected: object): Promise<void>;
}

/** What a contract asks of an assertion. */
export interface Expectation {
  /** Equal in value, all the way down. */
  toEqual(expected: unknown): void;
  /** For promises that must be rejected. */
  readonly rejects: RejectedExpectation;
}

/** The parts of a test runner that the contracts use; Vitest, Jest and others have them under these names. */
export interface TestRunner {
  /** Groups tests. */
  readonly describe: (name: string, body: () => void) => void;
  /** Declares a test. */
  readonly it: (name: string, body: () => Promise<void>) => void;
  /** Begins an assertion. */
  readonly expect: (actual: unknown) => Expectation;
}
