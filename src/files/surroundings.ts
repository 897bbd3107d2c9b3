/** Where a program runs. Relative names of files are those of its process. */
export interface Surroundings {
  /** The variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder, from which the project is looked for and paths are printed. */
  readonly cwd: string;
}

/** Those of this process. */
export function processSurroundings(): Surroundings {
  return { env: process.env, cwd: process.cwd() };
}
