import { AdapterError, kindInWords } from "../foundation/errors/index.js";

/**
 * Turns what a model answers into vectors, or says what is wrong with it. One of these watches over one
 * model: all its vectors must be of one length.
 */
export class CheckedVectors {
  readonly #where: string;
  #dimensions: number | undefined;

  /**
   * @param where begins every message.
   * @param dimensions that were asked for; without them the first answer says how long vectors are.
   */
  constructor(where: string, dimensions?: number) {
    this.#where = where;
    this.#dimensions = dimensions;
  }

  /** Numbers in a vector, once that is known. */
  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  /**
   * The vectors of an answer to `count` texts.
   *
   * @param isBlank whether a text may have a vector without numbers.
   * @throws AdapterError `EMBEDDING_ANSWER`. Of the answer it shows kinds and numbers, never text: a server
   * may echo what it was sent.
   */
  from(answer: unknown, count: number, isBlank: (index: number) => boolean = () => false): Float32Array[] {
    if (!Array.isArray(answer)) throw this.#error(`must be a list of vectors, got ${kindOf(answer)}`);
    if (answer.length !== count)
      throw this.#error(`one vector for each text is needed, got ${answer.length} for ${count}`);
    const vectors = Array.from(answer, (given: unknown, index) => this.#vector(given, index, isBlank));
    const expected = this.#dimensions ?? vectors.find(({ length }) => length > 0)?.length;
    const odd = vectors.findIndex(({ length }) => length > 0 && length !== expected);
    if (odd >= 0) {
      throw this.#error(
        `all vectors must have one length, vector ${odd + 1} has ${vectors[odd]?.length} numbers ` +
          `and ${expected} are expected; name a model and \`dimensions\` that it has, and the same for ` +
          "all texts",
      );
    }
    this.#dimensions = expected;
    return vectors;
  }

  #vector(given: unknown, index: number, isBlank: (index: number) => boolean): Float32Array {
    const name = `vector ${index + 1}`;
    if (!isListOfNumbers(given)) throw this.#error(`${name} must be a list of numbers, got ${kindOf(given)}`);
    if (given.length === 0 && !isBlank(index)) throw this.#error(`${name} is empty`);
    const vector = given instanceof Float32Array ? given : Float32Array.from(given);
    // After the conversion: 1e39 is finite as a double only.
    const odd = vector.findIndex((value) => !Number.isFinite(value));
    if (odd >= 0)
      throw this.#error(`${name} must have finite numbers, number ${odd + 1} is \`${given[odd]}\``);
    return vector;
  }

  #error(message: string): AdapterError {
    return new AdapterError("EMBEDDING_ANSWER", `${this.#where}: ${message}`);
  }
}

function isListOfNumbers(value: unknown): value is ArrayLike<number> {
  if (Array.isArray(value)) return value.every((item) => typeof item === "number");
  return (
    ArrayBuffer.isView(value) && !(value instanceof DataView) && typeof (value as Int8Array)[0] !== "bigint"
  );
}

function kindOf(value: unknown): string {
  const odd: unknown = Array.isArray(value) ? value.find((item) => typeof item !== "number") : undefined;
  return odd === undefined ? kindInWords(value) : `a list with ${kindInWords(odd)} in it`;
}
