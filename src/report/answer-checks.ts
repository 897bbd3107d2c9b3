/** What is checked of an answer, in words. */
export const answerChecks = { refusal: "refusal", text: "text checks", citations: "citations" } as const;

/** What an answer got wrong, in words. */
export function wrongChecks(
  answer: Readonly<Record<keyof typeof answerChecks, boolean | null>> | null,
): string[] {
  return (["refusal", "text", "citations"] as const)
    .filter((check) => answer?.[check] === false)
    .map((check) => answerChecks[check]);
}
