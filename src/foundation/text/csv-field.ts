/** A field of a CSV line, quoted where that is needed. */
export function csvField(value: string | number, separator: string): string {
  const text = String(value);
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
