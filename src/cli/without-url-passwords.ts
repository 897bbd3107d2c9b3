/** A text whose addresses of databases have no password. One may have blanks in it, as it was typed. */
export function withoutUrlPasswords(text: string): string {
  if (!/postgres/i.test(text)) return text;
  return text
    .replace(
      /(postgres(?:ql)?:\/\/[^\s/?#]*?):(?:[^\s"'`,?]*|[^\s"'`,=&]*|[^\s/?#]*|(?!\d+[\s/?#])[^\n?#"'`]*)@/gi,
      "$1:***@",
    )
    .replace(/([?&]\w*password=)[^\s&"'`]*/gi, "$1***");
}
