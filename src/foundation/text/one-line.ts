/** Text on one line, without characters that move the cursor or turn the direction of what follows. */
export function oneLine(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      .replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]+/g, " ")
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
      .trim()
  );
}
