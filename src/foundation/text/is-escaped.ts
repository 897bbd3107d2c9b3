/** Whether an odd number of backslashes stands before a character. */
export function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text.charCodeAt(start - 1) === 0x5c) start--;
  return (offset - start) % 2 === 1;
}
