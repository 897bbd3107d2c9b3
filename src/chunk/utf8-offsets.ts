/**
 * Where each UTF-16 code unit of a text, and its end, stands in the text's UTF-8 bytes. A lone surrogate
 * becomes U+FFFD there, of three bytes.
 */
export function utf8Offsets(text: string): Float64Array {
  const offsets = new Float64Array(text.length + 1);
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    offsets[i] = bytes;
    const character = text.codePointAt(i) as number;
    if (character > 0xffff) offsets[++i] = bytes += 4;
    else bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : 3;
  }
  offsets[text.length] = bytes;
  return offsets;
}
