import { InputError } from "../../foundation/errors/index.js";

/** What a model is told, as data: copy one, change it, and give it another id or version. */
export interface LabelPrompt {
  /** With `version` a part of the rater: another prompt is another rater. */
  readonly id: string;
  readonly version: string;
  /** Of its words, such as `en`. */
  readonly language: string;
  /** How to judge. The form of the answer and what is fenced are told by the labeler. */
  readonly instructions: string;
  /** What to find out about a query before its items are judged; in the mode `complex` only. */
  readonly profile: string;
}

/**
 * A prompt from a file of one's own.
 *
 * @throws InputError `CONFIG` for one that lacks a field.
 */
export function checkPrompt(value: unknown, where: string): LabelPrompt {
  const fields = ["id", "version", "language", "instructions", "profile"] as const;
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  for (const field of fields)
    if (typeof given[field] !== "string" || given[field].trim() === "")
      throw new InputError(
        "CONFIG",
        `${where}: a prompt must have the texts ${fields.join(", ")}; ${field} is missing`,
      );
  const [id, version, language, instructions, profile] = fields.map((field) => given[field] as string) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return { id, version, language, instructions, profile };
}
