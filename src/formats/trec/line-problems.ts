import { problemsError, type Problem } from "../../foundation/errors/index.js";

/** More are not looked for. */
const MOST_PROBLEMS = 1000;

/** What is wrong with the lines of a file: told together at its end, or once there is too much of it. */
export class LineProblems {
  readonly #file: string;
  readonly #problems: Problem[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  get isEmpty(): boolean {
    return this.#problems.length === 0;
  }

  /**
   * @param before what the line has before the place of the problem.
   * @throws InputError with everything that is wrong, once there is too much of it.
   */
  add(code: Problem["code"], line: number, before: string, message: string): void {
    const column = before.length + 1;
    this.#problems.push({ code, where: `${this.#file}:${line}:${column}`, message, line, column });
    if (this.#problems.length >= MOST_PROBLEMS) this.throw();
  }

  /** @throws InputError with everything that is wrong, if anything is. */
  throw(): void {
    const [first, ...others] = this.#problems;
    if (first !== undefined) throw problemsError([first, ...others]);
  }
}
